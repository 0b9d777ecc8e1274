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

/** Moves credit to another account, as `user` asks for it. Nothing moves when one of the rules is broken. */
export function transfer(accounts, { from, to, amount }, user) {
  const source = accountOf(accounts, from);
  const target = accountOf(accounts, to);
  if (source.owner !== user) throw new Error("only the owner can give credit away");
  if (!Number.isSafeInteger(amount) || amount <= 0) throw new Error("amounts are whole cents above zero");
  if (amount > source.balance) throw new Error("there is not enough credit");
  source.balance -= amount;
  target.balance += amount;
}
