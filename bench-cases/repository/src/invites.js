// Invitations by code. An invitation is for one mail address, is used once, and ends at a moment in milliseconds.

/** Keeps a new invitation. */
export function invite(invites, { code, email, expires }) {
  invites.set(code, { email, expires, used: false });
}
