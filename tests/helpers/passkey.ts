// A passkey in software: signs as an authenticator does, and lies where a test wants it to.
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { OperatorKey, Proof, ProofSubject } from "../../src/core/model/page/proof.ts";
import { computeChallenge, localRpId } from "../../src/core/permission/proof/check.ts";

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex");

export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: Uint8Array;
  /** The flags byte: 1 present, 4 verified, 8 may be synced, 16 is synced. */
  readonly flags?: number;
  readonly crossOrigin?: boolean;
}

export interface Passkey {
  readonly key: OperatorKey;
  /** What the browser hands over, in hexadecimal. */
  assert(
    challenge: Uint8Array,
    lies?: Lies,
  ): Pick<Proof, "credential" | "authenticator_data" | "client_data" | "signature">;
  prove(subject: ProofSubject, lies?: Lies): Proof;
}

export const pageOrigin = "http://calm.pairflow.localhost:4801";

type Kind = "ec" | "ed25519" | "rsa";

const made: Record<Kind, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  ec: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  ed25519: () => generateKeyPairSync("ed25519"),
  rsa: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};
const numbers = { ec: -7, ed25519: -8, rsa: -257 } as const;

export function passkey(name = "laptop", over: Partial<OperatorKey> = {}, kind: Kind = "ec"): Passkey {
  const { publicKey, privateKey } = made[kind]();
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key: OperatorKey = {
    name,
    fingerprint: sha256(spki),
    credential: sha256(`credential of ${spki.toString("hex")}`),
    key: spki.toString("hex"),
    algorithm: numbers[kind],
    rp_id: localRpId,
    synced: false,
    ...over,
  };
  const assert: Passkey["assert"] = (challenge, lies = {}) => {
    const { origin = pageOrigin, rpId = key.rp_id, type = "webauthn.get", flags = 5 } = lies;
    const client = JSON.stringify({
      type,
      challenge: Buffer.from(lies.challenge ?? challenge).toString("base64url"),
      origin,
      crossOrigin: lies.crossOrigin ?? false,
    });
    const data = Buffer.concat([Buffer.from(sha256(rpId), "hex"), Buffer.from([flags, 0, 0, 0, 1])]);
    const signed = Buffer.concat([data, Buffer.from(sha256(client), "hex")]);
    return {
      credential: key.credential,
      authenticator_data: data.toString("hex"),
      client_data: Buffer.from(client).toString("hex"),
      signature: sign(kind === "ed25519" ? null : "sha256", signed, privateKey).toString("hex"),
    };
  };
  return {
    key,
    assert,
    prove: (subject, lies = {}) => {
      const { flags = 5 } = lies;
      return {
        v: 1,
        kind: "passkey",
        subject,
        origin: lies.origin ?? pageOrigin,
        rp_id: lies.rpId ?? key.rp_id,
        key: key.key,
        algorithm: key.algorithm,
        fingerprint: key.fingerprint,
        ...assert(computeChallenge(subject), lies),
        flags: {
          user_present: (flags & 1) !== 0,
          user_verified: (flags & 4) !== 0,
          backup_eligible: (flags & 8) !== 0,
          backed_up: (flags & 16) !== 0,
        },
      };
    },
  };
}
