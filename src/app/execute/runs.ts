// The runs of a plan: bubbles that are called after it and were started with it.
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { State } from "../../core/model/state.ts";
import { loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { askGit } from "../host/git-questions.ts";
import { planWorkflow } from "./payload.ts";

const tries = 99;

export interface Runs {
  /** The newest run of the plan; undefined when it was never run. */
  readonly newest?: State;
  /** The name that the next run has. */
  readonly free: string;
}

/** `<slug>`, `<slug>-2` …: what is called so and is something else is passed over. */
export async function findRuns(world: RecordWorld, repo: string, slug: string): Promise<Runs> {
  let newest: State | undefined;
  for (let n = 1; n <= tries; n++) {
    const id = n === 1 ? slug : `${slug}-${n}`;
    const state = await findStateIn(world, id);
    if (state && isRunOf(state, slug)) newest = state;
    if (!state && !(await hasBranch(repo, id))) return { free: id, ...(newest ? { newest } : {}) };
  }
  return { free: `${slug}-${tries + 1}`, ...(newest ? { newest } : {}) };
}

/** The run that has not ended, if there is one. */
export const openRun = ({ newest }: Runs): State | undefined =>
  newest && !isFinal(newest.lifecycle) ? newest : undefined;

function isRunOf({ program, parent }: State, slug: string): boolean {
  const { plan_slug, slug: own } = program.payload ?? {};
  return program.id === planWorkflow && parent === undefined && (plan_slug ?? own) === slug;
}

async function findStateIn(world: RecordWorld, id: string): Promise<State | undefined> {
  return (await world.records.exists(id)) ? (await loadGood(world, id)).state : undefined;
}

/** A bubble that was deleted may have left its branch behind. */
async function hasBranch(repo: string, id: string): Promise<boolean> {
  return Boolean(await askGit(repo, "rev-parse", "--verify", "--quiet", `refs/heads/bubble/${id}`));
}
