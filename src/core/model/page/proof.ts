// A person's proof for one act of granting: what a passkey has signed, and what it was asked to sign. It is kept as an artifact
// of the record, all bytes in hexadecimal, so that anybody can check it again without this machine.
import * as v from "valibot";

const defineText = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));
const defineHex = (max: number) =>
  v.pipe(v.string(), v.maxLength(max), v.regex(/^(?:[0-9a-f]{2})+$/, "must be bytes in hexadecimal"));
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, "must be a SHA-256 in hexadecimal"));

/** What approving by one touch decides: these bytes are right, and they are committed. */
export const approveAndCommit = "approve+commit";

export const ProofSubject = v.variant("kind", [
  v.strictObject({
    kind: v.literal("approve"),
    bubble: defineText(63),
    digest: sha256,
    /** The hash of the newest line of the record, as it was signed. */
    head: sha256,
    decision: v.literal(approveAndCommit),
  }),
  /** Any other grant: the command in its one spelling. */
  v.strictObject({
    kind: v.literal("grant"),
    bubble: defineText(63),
    head: sha256,
    command: defineText(40_000),
  }),
]);
export type ProofSubject = v.InferOutput<typeof ProofSubject>;

/** ECDSA with P-256, Ed25519 and RSA, by their numbers in WebAuthn. */
export const keyAlgorithms = [-7, -8, -257] as const;
export const KeyAlgorithm = v.picklist(keyAlgorithms);

/** A public key as it is kept after its confirmation. */
export const OperatorKey = v.strictObject({
  name: defineText(100),
  /** SHA-256 of the public key: what is compared by eye. */
  fingerprint: sha256,
  /** What the browser calls it. */
  credential: defineHex(2048),
  /** The public key as SPKI. */
  key: defineHex(2048),
  algorithm: KeyAlgorithm,
  /** The name it was made for: pairflow.localhost, or that of --host. */
  rp_id: defineText(253),
  /** It may be copied to other devices of its owner. */
  synced: v.boolean(),
});
export type OperatorKey = v.InferOutput<typeof OperatorKey>;

/** The form of operators.yaml, in a repository and on a machine. */
export const OperatorList = v.strictObject({ operators: v.pipe(v.array(OperatorKey), v.maxLength(200)) });

export const Proof = v.strictObject({
  v: v.literal(1),
  kind: v.literal("passkey"),
  subject: ProofSubject,
  origin: defineText(300),
  rp_id: defineText(253),
  credential: defineHex(2048),
  key: defineHex(2048),
  algorithm: KeyAlgorithm,
  fingerprint: sha256,
  authenticator_data: defineHex(4096),
  client_data: defineHex(8192),
  signature: defineHex(2048),
  flags: v.strictObject({
    user_present: v.boolean(),
    user_verified: v.boolean(),
    /** May be copied to other devices. */
    backup_eligible: v.boolean(),
    backed_up: v.boolean(),
  }),
});
export type Proof = v.InferOutput<typeof Proof>;

/** What a line says of the passkey that granted it. */
export const PasskeyUse = v.strictObject({
  /** The proof itself. */
  artifact: v.pipe(v.string(), v.maxLength(300)),
  sha256,
  /** The key's fingerprint, and what its owner called it. */
  key: sha256,
  name: v.pipe(v.string(), v.maxLength(100)),
  synced: v.boolean(),
});
export type PasskeyUse = v.InferOutput<typeof PasskeyUse>;

/** What this machine knows of the key of a proof. */
export type KeyStanding =
  | { readonly is: "known"; readonly name: string; readonly rpId: string }
  | { readonly is: "removed"; readonly name: string; readonly at: string }
  /** Confirmed here, but the repository names its operators, and not this one. */
  | { readonly is: "not-listed"; readonly name: string }
  | { readonly is: "unknown" };

/** A proof as it is put to the referee, with the facts that only the shell can find out. */
export interface GivenProof {
  readonly proof: Proof;
  readonly artifact: string;
  readonly sha256: string;
  /** The signature is by this key over these bytes. */
  readonly isSigned: boolean;
  readonly standing: KeyStanding;
}
