// Settings go onto the record as they are and are run as they are, so what holds a secret is refused, not redacted.
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { findSecretPaths } from "../../core/redaction/values.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

/** The refusal that names each setting with a secret, or undefined. `file` is where a person can fix it. */
export function checkSecrets(
  { redaction }: Pick<RecordWorld, "redaction">,
  settings: object,
  file: string,
): Refusal | undefined {
  const places = findSecretPaths(settings, redaction.redact);
  if (places.length === 0) return undefined;
  return refuse(
    "config.secret",
    `${file}: ${places.join(", ")} would put a secret onto the record`,
    'leave the value out; an agent gets a variable by its name: variables = ["NAME"] under [agent.<name>]',
  );
}
