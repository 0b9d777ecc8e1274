// How a human's command came in: the fields `via` and `door` of the lines it writes.
import type { Door } from "../../../model/door.ts";
import type { GivenProof } from "../../../model/page/proof.ts";
import type { Via } from "../../../model/record/payloads/parts.ts";
import { buildPasskeyUse } from "../../../permission/proof/door.ts";

interface Spoken {
  readonly actor: {
    readonly kind: string;
    readonly via?: Via;
    readonly door?: Door;
    readonly proof?: GivenProof;
  };
}

export const getVia = ({ actor }: Spoken): Via => actor.via ?? "cli";

/** The same with all that is known about the door, for words that grant something. */
export function getViaAndDoor(command: Spoken): { readonly via: Via; readonly door?: Door } {
  const { door, proof } = command.actor;
  if (!proof) return { via: getVia(command), ...(door ? { door } : {}) };
  return { via: getVia(command), door: { user: "", ...door, passkey: buildPasskeyUse(proof) } };
}
