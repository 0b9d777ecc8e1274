// Through which door a human's word came in.
import type { Via } from "../../model/payloads.ts";

export const via = (command: { actor: { kind: string; via?: Via } }): Via => command.actor.via ?? "cli";
