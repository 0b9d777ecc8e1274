// The records of a server as folders of this machine, brought up to date again and again: a back-up that the shell can check, and the
// way back to files.
import { join } from "node:path";
import { isRefusal } from "../../core/model/refusal.ts";
import { load } from "../../engine/front/command.ts";
import { fetchCommits } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { openPlans, type PlanFiles } from "../plans/change.ts";
import { type OpenedWorld, openRecordWorld } from "../record/world.ts";
import { writeRecordFolder } from "./record-folder.ts";

export interface MirrorOptions {
  readonly repo: string;
  readonly folder: string;
  readonly once: boolean;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

const lookMs = 2000;

/** Returns how many bubbles are mirrored when it was asked for once, or when the signal says stop. */
export async function keepMirror({ repo, folder, once, signal, tell }: MirrorOptions): Promise<number> {
  const opened = openRecordWorld(repo);
  if (!opened.shared)
    throw new Failure(
      "mirror.no-store",
      "The records of this repository are files of this machine: there is nothing to mirror.",
      { hint: "pairflow export --record    # one bubble as a folder" },
    );
  const seen = new Map<string, string>();
  const plans = openPlans(repo);
  for (;;) {
    const count = await writeMirror(opened, { repo, folder, seen, tell, throws: once, plans });
    if (once || signal.aborted) return count;
    await opened.world.clock.sleep(lookMs, signal);
  }
}

interface Mirroring extends Pick<MirrorOptions, "repo" | "folder" | "tell"> {
  /** What a list said of each bubble when it was last looked at. */
  readonly seen: Map<string, string>;
  readonly throws: boolean;
  readonly plans: PlanFiles;
}

async function writeMirror(
  opened: OpenedWorld,
  { repo, folder, seen, tell, throws, plans }: Mirroring,
): Promise<number> {
  const { world } = opened;
  let count = 0;
  try {
    for (const one of await world.records.summaries()) {
      count += 1;
      const mark = JSON.stringify(one);
      if (!one.stale && seen.get(one.id) === mark) continue;
      // Makes this host's folder of the bubble, whose lines follow.
      await load(world, one.id);
      await fetchCommits({ ...world, repo }, one.id);
      const added = await writeRecordFolder(opened, one.id, join(folder, one.id));
      seen.set(one.id, mark);
      if (added > 0) tell(`${one.id}: ${added} lines`);
    }
    for (const slug of await plans.list()) await fetchPlan(plans, slug, tell);
    await opened.shared?.conventions.read();
  } catch (error) {
    if (throws || !(error instanceof Failure && error.retryable)) throw error;
    tell(error.message);
  }
  return count;
}

/** Looking at a plan brings this clone's files up to date; one that a person has to settle hinders no other. */
async function fetchPlan(plans: PlanFiles, slug: string, tell: (line: string) => void): Promise<void> {
  try {
    await plans.read(slug);
    await plans.readTasks(slug);
    await plans.amendments(slug);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    tell(error.message);
  }
}
