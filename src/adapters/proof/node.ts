// Signatures of passkeys, checked by Node's own cryptography. The browser hands the public key over as SPKI, so nothing has to
// be taken apart here.
import type { Signatures } from "../../ports/proof.ts";

/** Loaded on first use: hardly any command has a proof to check. */
const loadCrypto = () => process.getBuiltinModule("node:crypto");

/** By the number of the algorithm: the hash that is signed, and the kind of key it belongs to. */
const algorithms = {
  [-7]: { hash: "sha256", type: "ec" },
  [-8]: { hash: null, type: "ed25519" },
  [-257]: { hash: "sha256", type: "rsa" },
} as const;

export const nodeSignatures: Signatures = {
  isSigned({ key, algorithm }, bytes, signature) {
    try {
      const { hash, type } = algorithms[algorithm];
      const spki = loadCrypto().createPublicKey({
        key: Buffer.from(key, "hex"),
        format: "der",
        type: "spki",
      });
      if (spki.asymmetricKeyType !== type) return false;
      return loadCrypto().verify(hash, bytes, spki, Buffer.from(signature, "hex"));
    } catch {
      return false;
    }
  },
};
