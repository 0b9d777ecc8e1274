// A call about one bubble, with a world for it: what every operator's command needs first, from a terminal or from the page.
import type { Via } from "../../core/model/record/payloads/parts.ts";
import { describeSpeaker } from "../caller/door.ts";
import type { BubbleLocation } from "../host/locate.ts";
import { loadWhole } from "../record/whole.ts";
import { createRecordWorld } from "../record/world.ts";
import type { Confirm, OperatorCall } from "../trust/operator-call.ts";
import { refuseTracked } from "../trust/tracked.ts";
import { createWorld } from "./world.ts";

export interface CallOptions {
  readonly via: Via;
  readonly confirm?: Confirm;
  /** Where agents sit; as the bubble was started, if left out. */
  readonly seat?: string | undefined;
}

/** Refuses a record that came with the repository, and one that cannot be built on. */
export async function openOperatorCall(
  { repo, bubble }: BubbleLocation,
  { via, confirm, seat }: CallOptions,
): Promise<OperatorCall> {
  await refuseTracked(repo, bubble);
  const { state } = await loadWhole(createRecordWorld(repo), repo, bubble);
  const world = createWorld(repo, seat ?? state?.seat ?? "tmux");
  return { world, bubble, via, door: describeSpeaker(), ...(confirm ? { confirm } : {}) };
}
