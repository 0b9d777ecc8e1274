// Through which door a human's word came in.
import type { Door } from "../../model/door.ts";
import type { Via } from "../../model/payloads.ts";

interface Spoken {
  readonly actor: { readonly kind: string; readonly via?: Via; readonly door?: Door };
}

export const via = ({ actor }: Spoken): Via => actor.via ?? "cli";

/** The same with all that is known about the door, for words that grant something. */
export const throughDoor = (command: Spoken): { readonly via: Via; readonly door?: Door } => ({
  via: via(command),
  ...(command.actor.door ? { door: command.actor.door } : {}),
});
