// The gate run that an approval rests on: all gates and commit hooks on a clean checkout of exactly the tree that is to
// be signed. It is done again from the beginning after a crash.
import { finalGatesName } from "../../../core/model/record/artifact-names.ts";
import type { State } from "../../../core/model/state.ts";
import { type Job, report } from "../../handle/job.ts";
import { isGitKnown, noteBranches, tellMoved } from "../../watch/git.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";
import { type HookList, listHookGates } from "../list.ts";
import { runInCleanCheckout } from "./checkout.ts";
import { type CleanJob, type CleanRunResult, renderRunLog, runOnClean } from "./run.ts";

export async function runFinalGates(job: Job, tree: string): Promise<void> {
  const { world, state, driver, signal } = job;
  // Hooks of the repository are run here: they must be those that count as known.
  if (!(await isGitKnown(world, state, driver))) return;
  await noteBranches(world, state);
  const { hooks, commitMessage } = await listHookGates(world, state);
  const { gates } = state.profile;
  const isNothing = gates.length === 0 && hooks.length === 0;
  const run: CleanRunResult = isNothing
    ? { ran: [], clean: { included: [] }, changed: [] }
    : await runInCleanCheckout(world, state, { tree, signal }, (ready) =>
        runWithHooks(world, state, { ready, tree, gates, signal }, hooks),
      );
  if (signal.aborted) return;
  await tellMoved(world, state, driver, "the final gates ran");
  const { name } = await world.records.put(state.bubbleId, finalGatesName, renderRunLog(run));
  world.crashPoint("final.output");
  await report(job, {
    type: "final-gates-ran",
    tree,
    results: run.ran.map(({ result }) => result),
    changed: [...run.changed],
    output: name,
    clean: run.clean,
    ...(commitMessage === undefined ? {} : { commit_message: commitMessage }),
  });
}

/** Gates first, on the commit as others will check it out; then hooks, as git would run them before that commit. */
async function runWithHooks(
  world: World,
  state: State,
  job: CleanJob,
  hooks: HookList["hooks"],
): Promise<CleanRunResult> {
  const { ready, tree, signal } = job;
  const { ran, clean, changed } = await runOnClean(world, state, job);
  if (hooks.length === 0 || clean.problem || signal.aborted) return { ran, clean, changed };
  const folder = await world.workspace.clean.stage(getWorkspacePlace(world, state), ready.root, tree);
  const gates = hooks.map((hook) => ({ ...hook, env: { ...hook.env, ...setHooks(folder) } }));
  const hooked = await runOnClean(world, state, { ...job, gates });
  return {
    ran: [...ran, ...hooked.ran],
    clean,
    changed: [...new Set([...changed, ...hooked.changed])],
  };
}

/** Said to git over everything that a gate may have written into the configuration of its checkout. */
const setHooks = (folder: string) => ({
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.hooksPath",
  GIT_CONFIG_VALUE_0: folder,
});
