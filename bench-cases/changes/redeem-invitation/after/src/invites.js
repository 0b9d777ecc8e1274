// Invitations by code. An invitation is for one mail address, is used once, and ends at a moment in milliseconds.

/** Keeps a new invitation. */
export function invite(invites, { code, email, expires }) {
  invites.set(code, { email, expires, used: false });
}

/** Uses an invitation up and says for whom it was. `email` is the address the guest has proven to have. */
export function redeem(invites, code, { email, now }) {
  const found = invites.get(code);
  if (!found) throw new Error("there is no such invitation");
  if (found.used) throw new Error("the invitation was used before");
  if (now >= found.expires) throw new Error("the invitation has ended");
  if (email !== found.email) throw new Error("the invitation is for somebody else");
  found.used = true;
  return found.email;
}
