// The one question about a proof that needs more than rules: whether a signature is by a key. Never throws; whatever cannot be
// read as a key or a signature is not signed.
import type { OperatorKey } from "../core/model/page/proof.ts";

export interface Signatures {
  /** Key and signature in hexadecimal, as the record keeps them. */
  isSigned(key: Pick<OperatorKey, "key" | "algorithm">, bytes: Uint8Array, signature: string): boolean;
}
