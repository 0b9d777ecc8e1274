// What a person opens or runs to look at a change: the worktree with the command that bubble.toml names, and the program itself
// on a checkout of exactly what was reviewed. Paths are quoted here, so the templates need no quotes.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { BubbleConfig } from "../../core/model/config.ts";
import { refuse } from "../../core/model/refusal.ts";
import { quoteShellText } from "../../core/model/value/shell-word.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import { findSharedHostName, isWorktreeOn } from "../../core/state/hosts.ts";
import { listTrustedPrograms } from "../../core/trust/programs.ts";
import { runConfined, runInCleanCheckout, setupLayer } from "../../engine/front/effects.ts";
import { Failure } from "../../ports/failure.ts";
import type { RunResult } from "../../ports/system/process.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { getConfigFile } from "../host/locate.ts";
import { confirmPrograms } from "../trust/confirm.ts";
import { loadCallState, type OperatorCall } from "../trust/operator-call.ts";

export async function openWorktree(
  call: OperatorCall,
  onlyPrint: boolean,
): Promise<{ command: string; worktree: string }> {
  const state = await loadCallState(call);
  const worktree = state.workspace?.path;
  if (!worktree)
    throw refuse(
      "open.no-worktree",
      `${call.bubble} has no worktree yet`,
      `pairflow bubble start --id ${call.bubble}`,
    );
  const name = isWorktreeOn(state, call.world.host) ? undefined : findSharedHostName(state.workspace?.host);
  if (name !== undefined)
    throw refuse(
      "open.elsewhere",
      `the worktree of ${call.bubble} is on ${name}, at ${worktree}`,
      `ssh -t ${name} pairflow bubble open --id ${call.bubble}    # in the clone there`,
    );
  const quoted = quoteShellText(worktree);
  const config = await readNow(call, state.config, "open_command");
  const command = config.open_command.replaceAll("{{worktree_path}}", quoted);
  if (onlyPrint) return { command, worktree };
  await requireConfirmed(call, config, "open_command");
  const output = call.world.paths.output(call.bubble, "open.log");
  const result = await call.world.processes.run({
    command,
    cwd: worktree,
    env: call.world.gateEnv,
    timeoutMs: 15_000,
    output,
    work: `${call.world.tag}/open/${call.bubble}`,
  });
  if (result.status === "not-found" || (result.status === "exited" && result.exitCode !== 0))
    throw new Failure("open.failed", `open_command failed: ${command}`, {
      hint: `set open_command in bubble.toml, or cd ${worktree}`,
    });
  return { command, worktree };
}

export interface Trial {
  /** What to run in the place of `try_command`. */
  readonly command?: string | undefined;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  readonly print: (text: string) => void;
}

const trialMs = 24 * 60 * 60_000;

/**
 * Runs the newest tree as it was handed over, on a checkout of its own, until it ends or the person leaves. What runs is the
 * agent's code, so it is confined as gates are, with the network.
 */
export async function tryChange(call: OperatorCall, trial: Trial): Promise<RunResult & { command: string }> {
  const { world, bubble } = call;
  const state = await loadCallState(call);
  const tree = getCodeTree(state);
  const id = `--id ${bubble}`;
  if (!tree)
    throw refuse("try.nothing-made", `${bubble} has handed nothing over yet`, `pairflow bubble status ${id}`);
  const config = await readNow(call, state.config, "try_command");
  const command = trial.command ?? config.try_command;
  if (!command)
    throw refuse(
      "try.no-command",
      "nobody has said how this project is run",
      `pairflow bubble try ${id} --command "npm start"   or, for all bubbles, in .pairflow/config.yaml: defaults: { try_command: npm start }`,
    );
  if (trial.command === undefined) await requireConfirmed(call, config, "try_command");
  const data = world.paths.output(bubble, "try-data");
  mkdirSync(data, { recursive: true });
  const variables = { ...(await choosePorts(`${world.repo} ${bubble}`)), DATA_DIR: data };
  trial.say(
    `tree ${tree.slice(0, 10)} on a checkout of its own${config.setup ? `; first ${config.setup}` : ""}`,
  );
  return runInCleanCheckout(
    world,
    state,
    { tree, gate: "try", signal: trial.signal },
    async ({ root, clean }) => {
      if (clean.problem)
        throw new Failure("try.setup", clean.problem, { hint: `pairflow bubble status ${id}` });
      trial.say(`$ ${command}   PORT=${variables.PORT} DATA_DIR=${data}; Ctrl-C ends it`);
      const output = world.paths.output(bubble, "try.log");
      await world.scratch.clear(output);
      const env = { ...world.gateEnv, ...variables };
      const work = `${world.tag}/try/${bubble}`;
      const run = { command, cwd: root, env, timeoutMs: trialMs, output, work, signal: trial.signal };
      const stop = followFile(output, trial.print);
      const wish = { root, layer: "try", below: setupLayer, network: true, write: [data], run };
      const { ran } = await runConfined(world, state, wish).finally(stop);
      return { ...ran, command };
    },
  );
}

/** Prints what is written to a file as it comes, until it is stopped. */
function followFile(file: string, print: (text: string) => void): () => void {
  let printed = 0;
  const printNew = () => {
    const text = readFileSync(file, { encoding: "utf8", flag: "a+" });
    if (text.length > printed) print(text.slice(printed));
    printed = Math.max(printed, text.length);
  };
  const timer = setInterval(printNew, 200);
  return () => {
    clearInterval(timer);
    printNew();
  };
}

/** Three free ports, the same for a bubble each time unless somebody has taken one: bubbles side by side do not meet. */
async function choosePorts(name: string): Promise<Record<"PORT" | "PORT2" | "PORT3", string>> {
  const start = 20_000 + (createHash("sha256").update(name).digest().readUInt16BE(0) % 2_000) * 5;
  const free: number[] = [];
  for (let port = start; free.length < 3; port++) if (await isFree(port)) free.push(port);
  const [one, two, three] = free.map(String);
  return { PORT: one ?? "", PORT2: two ?? "", PORT3: three ?? "" };
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}

type LookedAt = "open_command" | "try_command";

/** What a person has not seen yet is shown first. */
async function requireConfirmed(call: OperatorCall, config: BubbleConfig, setting: LookedAt): Promise<void> {
  const programs = listTrustedPrograms({ config, gates: [] }).filter((one) => one.setting === setting);
  const unconfirmed = await confirmPrograms(call, programs);
  const verb = setting === "open_command" ? "open" : "try";
  if (unconfirmed)
    throw {
      ...unconfirmed,
      hint: `look at the command, then: pairflow bubble ${verb} --id ${call.bubble} --yes`,
    };
}

/** As bubble.toml says now: it is chosen at any time, and nothing of the record depends on it. */
async function readNow(
  { world, bubble }: OperatorCall,
  config: BubbleConfig,
  setting: LookedAt,
): Promise<BubbleConfig> {
  const text = await world.records.readConfig(bubble);
  if (text === undefined) return config;
  const now = parseBubbleToml(text, getConfigFile(world.repo, bubble))[setting];
  return now === undefined ? config : { ...config, [setting]: now };
}
