// Damage in the record of a child is its parent's business: what the child reported rests on a record that is not as written.
import type { State } from "../../core/model/state.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { LogTrouble } from "../../ports/record/log.ts";

export interface TroubleBelow {
  readonly bubble: string;
  readonly trouble: LogTrouble;
}

/** The children of this bubble, and theirs, whose records cannot be built on. */
export async function findTroubleBelow(world: RecordWorld, state: State): Promise<TroubleBelow[]> {
  const found: TroubleBelow[] = [];
  for (const { bubble } of state.children?.each ?? []) {
    if (bubble === undefined || !(await world.records.exists(bubble))) continue;
    const child = await loadGood(world, bubble);
    if (child.trouble) found.push({ bubble, trouble: child.trouble });
    if (child.state) found.push(...(await findTroubleBelow(world, child.state)));
  }
  return found;
}

/** Every bubble that this one has started, and those that these have, by the lines that say so. */
export async function listStartedBelow(world: RecordWorld, bubble: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const { envelopes } of world.log.read(bubble))
    for (const { type, payload } of envelopes) if (type === "CHILD_STARTED") found.add(payload.bubble);
  const below: string[] = [];
  for (const child of found) {
    if (await world.records.exists(child)) below.push(child, ...(await listStartedBelow(world, child)));
  }
  return [...new Set(below)];
}
