// The gate run that an approval rests on: all gates and commit hooks on a clean checkout of exactly the tree that is to
// be signed. It is done again from the beginning after a crash.
import { finalGatesName } from "../../core/model/artifact-names.ts";
import type { State } from "../../core/model/state.ts";
import { handle } from "../handle/handle.ts";
import { isGitKnown, noteBranches, tellMoved } from "../watch/git-watch.ts";
import { placeOf, type World } from "../world/world.ts";
import { inCleanCheckout } from "./clean-checkout.ts";
import { type CleanJob, type CleanRun, logOf, runOnClean } from "./clean-run.ts";
import { type HookList, hooksOf } from "./gate-list.ts";

export async function runFinalGates(
  world: World,
  state: State,
  tree: string,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  // Hooks of the repository are run here: they must be those that count as known.
  if (!(await isGitKnown(world, state, driver))) return;
  await noteBranches(world, state);
  const { hooks, commitMessage } = await hooksOf(world, state);
  const { gates } = state.profile;
  const isNothing = gates.length === 0 && hooks.length === 0;
  const run: CleanRun = isNothing
    ? { ran: [], clean: { included: [] }, changed: [] }
    : await inCleanCheckout(world, state, { tree, signal }, (ready) =>
        runWithHooks(world, state, { ready, tree, gates, signal }, hooks),
      );
  if (signal.aborted) return;
  await tellMoved(world, state, driver, "the final gates ran");
  const { name } = await world.records.put(state.bubbleId, finalGatesName, logOf(run));
  world.crashPoint("final.output");
  await handle(world, state.bubbleId, {
    type: "final-gates-ran",
    actor: { kind: "driver", id: driver },
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
): Promise<CleanRun> {
  const { ready, tree, signal } = job;
  const { ran, clean, changed } = await runOnClean(world, state, job);
  if (hooks.length === 0 || clean.problem || signal.aborted) return { ran, clean, changed };
  const folder = await world.workspace.clean.stage(placeOf(world, state), ready.root, tree);
  const gates = hooks.map((hook) => ({ ...hook, env: { ...hook.env, ...hooksIn(folder) } }));
  const hooked = await runOnClean(world, state, { ...job, gates });
  return {
    ran: [...ran, ...hooked.ran],
    clean,
    changed: [...new Set([...changed, ...hooked.changed])],
  };
}

/** Said to git over everything that a gate may have written into the configuration of its checkout. */
const hooksIn = (folder: string) => ({
  GIT_CONFIG_COUNT: "1",
  GIT_CONFIG_KEY_0: "core.hooksPath",
  GIT_CONFIG_VALUE_0: folder,
});
