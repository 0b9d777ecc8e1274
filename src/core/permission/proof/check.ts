// What a passkey must have signed for one act, and what is wrong with a proof. The same rule judges it when it is given, before
// the commit and by `verify`, so that nothing counts that could not be shown again. Only the signature itself is checked outside.
import type { Command } from "../../model/command.ts";
import type { Proof, ProofSubject } from "../../model/page/proof.ts";
import { decodeHex, encodeBase64Url } from "../../text/bytes.ts";
import { tryParseJson } from "../../text/json.ts";
import { computeSha256 } from "../../text/sha256.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The host name under which keys are made for the page of this machine; it stays, whatever the page's own label is. */
export const localRpId = "pairflow.localhost";

/** The bytes of the challenge: whatever differs, in what is signed or when, gives another one. */
export function computeChallenge(subject: ProofSubject): Uint8Array {
  return decodeHex(computeSha256(encode(listWords(subject).join("\0"))));
}

function listWords(subject: ProofSubject): string[] {
  const { bubble, head } = subject;
  return subject.kind === "approve"
    ? ["pairflow.approve.v1", bubble, subject.digest, head, subject.decision]
    : ["pairflow.grant.v1", bubble, head, subject.command];
}

/** A command in its one spelling: keys in order, without who gives it and by which proof. */
export function serializeCommand(command: Omit<Command, "actor">): string {
  const { actor: _actor, ...said } = command as Command;
  const rows = Object.entries(said).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1))));
}

export interface Flags {
  readonly userPresent: boolean;
  readonly userVerified: boolean;
  readonly backupEligible: boolean;
  readonly backedUp: boolean;
}

/** The byte behind the hash of the name (WebAuthn §6.1). */
export function parseAuthenticatorFlags(authenticatorData: Uint8Array): Flags {
  const bits = authenticatorData[32] ?? 0;
  const has = (bit: number) => (bits & (1 << bit)) !== 0;
  return { userPresent: has(0), userVerified: has(2), backupEligible: has(3), backedUp: has(4) };
}

/** What the key has signed: what the authenticator says, and the hash of what the browser says. */
export function buildSignedBytes({ authenticator_data, client_data }: Proof): Uint8Array {
  return decodeHex(authenticator_data + computeSha256(decodeHex(client_data)));
}

/** Why this proof does not prove that a person granted exactly this; undefined: it does, if the signature is right. */
export function checkProof(proof: Proof, subject: ProofSubject): string | undefined {
  return (
    findOtherSubject(proof.subject, subject) ??
    findBrowserProblem(proof, computeChallenge(subject)) ??
    findAuthenticatorProblem(proof) ??
    (computeSha256(decodeHex(proof.key)) === proof.fingerprint
      ? undefined
      : "its fingerprint is of another key")
  );
}

function findOtherSubject(said: ProofSubject, wanted: ProofSubject): string | undefined {
  if (said.kind !== wanted.kind) return `it was given for ${said.kind}, not for ${wanted.kind}`;
  if (said.bubble !== wanted.bubble) return `it was given for the bubble ${said.bubble}`;
  if (said.head !== wanted.head) return "it was given when the record stood elsewhere";
  if (said.kind === "approve" && wanted.kind === "approve" && said.digest !== wanted.digest)
    return `it was given for digest ${said.digest.slice(0, 12)}`;
  if (said.kind === "grant" && wanted.kind === "grant" && said.command !== wanted.command)
    return "it was given for another command";
  return undefined;
}

/** What the browser has told the key: that it is asked to sign, what for, and by whose page. */
function findBrowserProblem(
  { client_data, origin, rp_id }: Proof,
  challenge: Uint8Array,
): string | undefined {
  const said = tryParseJson(new TextDecoder().decode(decodeHex(client_data))) as Partial<
    Record<"type" | "challenge" | "origin" | "crossOrigin", unknown>
  > | null;
  if (said?.type !== "webauthn.get") return "the browser was not asked for a signature";
  if (said.challenge !== encodeBase64Url(challenge)) return "something else was signed";
  if (said.origin !== origin || said.crossOrigin === true) return "it was signed for another page";
  return isUnder(origin, rp_id) ? undefined : `${origin} is no page of ${rp_id}`;
}

/** Plain HTTP is for this machine alone, where browsers take it for safe. */
export function isUnder(origin: string, rpId: string): boolean {
  const [, scheme, host = ""] = /^(https?):\/\/([a-z0-9.-]+)(?::\d+)?$/.exec(origin) ?? [];
  const isOfName = host === rpId || host.endsWith(`.${rpId}`);
  return isOfName && (scheme === "https" || rpId === localRpId);
}

function findAuthenticatorProblem({ authenticator_data, rp_id, flags }: Proof): string | undefined {
  const data = decodeHex(authenticator_data);
  if (data.length < 37) return "the key's own data is cut short";
  if (authenticator_data.slice(0, 64) !== computeSha256(encode(rp_id)))
    return "the key was made for another name";
  const { userPresent, userVerified, backupEligible, backedUp } = parseAuthenticatorFlags(data);
  if (!userPresent) return "nobody touched the key";
  if (!userVerified) return "the key did not verify its user";
  const isAsSaid =
    flags.user_present &&
    flags.user_verified &&
    flags.backup_eligible === backupEligible &&
    flags.backed_up === backedUp;
  return isAsSaid ? undefined : "it says something else of the key than the key itself";
}

export interface NewKey {
  /** What the browser says, as JSON. */
  readonly client: string;
  /** What the authenticator says. */
  readonly data: Uint8Array;
  readonly origin: string;
  readonly rpId: string;
}

/** Why a key that was just made is not taken; undefined: it is, once its fingerprint was confirmed. */
export function createProblem(
  { client, data, origin, rpId }: NewKey,
  isOurs: (challenge: string) => boolean,
): string | undefined {
  const said = tryParseJson(client) as Partial<Record<string, unknown>> | null;
  if (said?.type !== "webauthn.create") return "the browser was not asked to make one";
  if (!isOurs(String(said.challenge))) return "nobody asked for it, or too long ago";
  if (said.origin !== origin || said.crossOrigin === true || !isUnder(origin, rpId))
    return "it was made for another page";
  const { userPresent, userVerified } = parseAuthenticatorFlags(data);
  if (toHex(data.subarray(0, 32)) !== computeSha256(encode(rpId))) return "it was made for another name";
  return userPresent && userVerified ? undefined : "the key did not verify its user";
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
