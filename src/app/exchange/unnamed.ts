// Commits that were sent to the store and that no record names: a machine was lost between sending and saying so, or the bubbles of a
// base are gone. They are kept for a week, since somebody may be about to name them.
import { parseTime } from "../../core/model/value/time.ts";
import { load } from "../../engine/front/command.ts";
import type { World } from "../../engine/front/world.ts";
import type { SentCommit } from "../../ports/record/travel.ts";
import { listBubbles } from "../record/listing.ts";

const keptMs = 7 * 24 * 60 * 60_000;

/** Those that may go. What belongs to an archived record is kept with it. */
export async function listUnnamedCommits(world: World): Promise<SentCommit[]> {
  const until = parseTime(world.clock.now()) - keptMs;
  const old = ((await world.travel?.listSent()) ?? []).filter(({ at }) => at < until);
  const unnamed: SentCommit[] = [];
  for (const sent of old) if (!(await isNamed(world, sent))) unnamed.push(sent);
  return unnamed;
}

async function isNamed(world: World, { bubble, commit }: SentCommit): Promise<boolean> {
  if (bubble === undefined) return isBaseOfAny(world, commit);
  if (!(await world.records.exists(bubble))) return true;
  for await (const { envelopes } of world.log.read(bubble))
    if (JSON.stringify(envelopes).includes(commit)) return true;
  return false;
}

async function isBaseOfAny(world: World, commit: string): Promise<boolean> {
  for (const { id } of await listBubbles(world))
    if ((await load(world, id)).state?.baseCommit === commit) return true;
  return false;
}
