// Store credit. Accounts are { id, owner, balance } in a map by id; balances are whole cents and never negative.

/** Opens an account with nothing in it. */
export function openAccount(accounts, id, owner) {
  if (accounts.has(id)) throw new Error(`account ${id} exists`);
  accounts.set(id, { id, owner, balance: 0 });
}

/** The account of that id. */
export function accountOf(accounts, id) {
  const account = accounts.get(id);
  if (!account) throw new Error(`no account ${id}`);
  return account;
}
