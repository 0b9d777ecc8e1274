// The bubble's setup command, in a fresh worktree or a clean checkout: run to its end, with its output kept.
import { describeSignal } from "../../core/gates/output/signals.ts";
import type { State } from "../../core/model/state.ts";
import { buildWorkMarker, type World } from "../world/world.ts";
import { runConfined, setupLayer } from "./confine.ts";
import type { LiveBoard } from "./live-board.ts";

const setupTimeoutMs = 15 * 60_000;

export interface SetupRun {
  readonly cwd: string;
  /** Names its output and its marker. */
  readonly name: string;
  readonly signal?: AbortSignal;
  /** Where a person who waits sees what it prints. */
  readonly board: LiveBoard;
}

export interface FailedSetup {
  readonly message: string;
  readonly output: string;
}

/** Runs it; what went wrong when it failed. */
export async function runSetup(
  world: World,
  state: State,
  { cwd, name, signal, board }: SetupRun,
): Promise<FailedSetup | undefined> {
  const command = state.config.setup;
  if (!command) return undefined;
  const output = world.paths.output(state.bubbleId, `${name}.log`);
  await world.scratch.clear(output);
  await board.started({ name: "setup", since: world.clock.now(), output });
  const run = {
    command: keepOutPackages(command),
    cwd,
    env: world.gateEnv,
    timeoutMs: setupTimeoutMs,
    output,
    work: buildWorkMarker(world, state.bubbleId, `${name}.1`),
    ...(signal ? { signal } : {}),
  };
  // Packages come from somewhere: setup alone may use the network.
  const wish = { root: cwd, layer: setupLayer, network: true, draftsGit: true, run };
  const { ran: result } = await runConfined(world, state, wish);
  await board.ended("setup");
  if (result.status === "exited" && result.exitCode === 0) return undefined;
  const code = result.status === "exited" ? `exit ${result.exitCode}` : result.status;
  const how = result.signal ? describeSignal(result.signal) : code;
  return { message: `setup command failed (${how}): ${command}`, output };
}

/**
 * Packages that setup brings into the tree are nobody's work: their folders ignore themselves, as a virtual environment of newer
 * Pythons does by itself. Those that the repository tracks, or that lead elsewhere, are left alone.
 */
const keepOutPackages = (command: string): string =>
  [
    `{ ${command}`,
    '} && for made in .venv venv node_modules; do if [ -d "$made" ] && [ ! -L "$made" ] && [ ! -e "$made/.gitignore" ] &&',
    '[ -z "$(git ls-files "$made" | head -n 1)" ]; then echo "*" > "$made/.gitignore"; fi; done',
  ].join("\n");

/** What a person does about a setup that failed. */
export const buildSetupHint = (bubble: string, { output }: FailedSetup): string =>
  `see ${output} and, for another setup, say setup = "…" in .pairflow/bubbles/${bubble}/bubble.toml, then: pairflow bubble start --id ${bubble}`;
