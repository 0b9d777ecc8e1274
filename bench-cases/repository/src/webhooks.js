// Telling other systems about orders.
import { createHmac } from "node:crypto";

/** The signature a receiver checks. */
export function signature(body, secret) {
  return createHmac("sha256", secret).update(body).digest("hex");
}
