// Users of a server: each is a key of its own, of which the server knows the public half alone. What is asked is answered under
// the user's own subject, so that no other user can read along or answer in the server's place.
import { nkeys } from "@nats-io/transport-node";
import { tryOr } from "../../core/model/value/try-or.ts";

export interface UserKey {
  /** What the user keeps: one line of text. */
  readonly seed: string;
  /** What the server knows it by. */
  readonly publicKey: string;
}

export function createUserKey(): UserKey {
  const pair = nkeys.createUser();
  return { seed: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
}

/** Under which subject this user is answered. */
export const nameInbox = (publicKey: string): string => `_INBOX_${publicKey}`;

/** The public half of a seed; undefined when it is none. */
export function findPublicKey(seed: string): string | undefined {
  return tryOr(() => nkeys.fromSeed(new TextEncoder().encode(seed.trim())).getPublicKey(), undefined);
}
