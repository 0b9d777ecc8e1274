// Running the gates on exactly one tree. What they leave behind is put back; if they changed what they judge, the
// evidence is void.

import { excerptOf } from "../../core/gates/excerpt.ts";
import { patchName, testsName } from "../../core/model/artifact-names.ts";
import type { Gate, GateResult } from "../../core/model/gate.ts";
import type { State } from "../../core/model/state.ts";
import type { RunResult } from "../../ports/process.ts";
import { handle } from "../handle.ts";
import { standingPlace } from "../standing.ts";
import { placeOf, type World, workMarker } from "../world.ts";

export async function runGates(
  world: World,
  state: State,
  tree: string,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const place = await standingPlace(world, state);
  const [before, { gates, commitMessage }] = await Promise.all([
    world.workspace.treeId(place),
    gatesOf(world, state, tree),
  ]);
  if (before !== tree) {
    const files = (await world.workspace.changedBetween(place, tree, before)).map((file) => file.path);
    await handle(world, state.bubbleId, {
      type: "tree-changed",
      actor,
      expected: tree,
      found: before,
      files,
    });
    return;
  }
  const results: GateResult[] = [];
  const logs: string[] = [];
  for (const gate of gates) {
    const ran = await runGate(world, state, gate, signal);
    if (signal.aborted) return;
    results.push(ran.result);
    logs.push(ran.log);
    world.crashPoint(`gates.${gate.name}`);
  }
  const left = await cleanUp(world, state, tree);
  const { name } = await world.records.put(state.bubbleId, testsName(state.round), logs.join("\n"));
  world.crashPoint("gates.output");
  await handle(world, state.bubbleId, {
    type: "gates-ran",
    actor,
    tree,
    results,
    changed: left.changed,
    put_back: left.added,
    output: name,
    ...(commitMessage === undefined ? {} : { commit_message: commitMessage }),
  });
}

type GateRun = Gate & { readonly env?: Record<string, string> };

interface GateList {
  readonly gates: readonly GateRun[];
  /** The message a commit-msg hook judges ("" when there is none yet); undefined without such a hook. */
  readonly commitMessage?: string;
}

/** The profile's gates, and the repository's own commit hooks, which would otherwise speak only after the approval. */
async function gatesOf(world: World, state: State, tree: string): Promise<GateList> {
  const place = placeOf(world, state);
  const hooks = await world.workspace.hooks(place);
  if (hooks.length === 0) return { gates: state.profile.gates };
  const index = await world.workspace.stagedIndex(place, tree);
  const message = state.package?.commit_message ?? "";
  const file = world.paths.output(state.bubbleId, "commit-msg.txt");
  const env = { GIT_INDEX_FILE: index, PAIRFLOW_MESSAGE: message, PAIRFLOW_MESSAGE_FILE: file };
  const runs = hooks.flatMap((hook): GateRun[] => {
    if (hook === "commit-msg" && !message) return [];
    return [{ name: `hook:${hook}`, command: hookCommands[hook], required: true, timeout_seconds: 600, env }];
  });
  return {
    gates: [...state.profile.gates, ...runs],
    ...(hooks.includes("commit-msg") ? { commitMessage: message } : {}),
  };
}

const hookCommands = {
  "pre-commit": "git hook run pre-commit",
  "commit-msg":
    'printf "%s\\n" "$PAIRFLOW_MESSAGE" > "$PAIRFLOW_MESSAGE_FILE" && git hook run commit-msg -- "$PAIRFLOW_MESSAGE_FILE"',
} as const;

async function runGate(
  world: World,
  state: State,
  gate: GateRun,
  signal: AbortSignal,
): Promise<{ result: GateResult; log: string }> {
  const output = world.paths.output(state.bubbleId, `gate-${gate.name.replaceAll(":", "-")}.log`);
  const work = workMarker(world, state.bubbleId, `gate-${gate.name}.1`);
  await world.scratch.clear(output);
  const ran = await world.processes.run({
    command: gate.command,
    cwd: placeOf(world, state).path,
    env: { ...world.gateEnv, ...gate.env },
    timeoutMs: gate.timeout_seconds * 1000,
    output,
    work,
    signal,
  });
  await world.processes.end(work);
  // Before anything is cut out of it: half a secret is not recognised.
  const text = world.redaction.redact(await world.scratch.text(output));
  const result: GateResult = {
    name: gate.name,
    command: gate.command,
    required: gate.required,
    status: statusOf(ran),
    exit_code: ran.exitCode,
    duration_ms: ran.durationMs,
    excerpt: excerptOf(text),
    ...(ran.status === "not-found"
      ? { hint: `the command is not installed: ${gate.command.split(/\s+/)[0]}` }
      : {}),
  };
  return {
    result,
    log: `$ ${gate.command}\n${text}\n[${gate.name}: ${result.status}, exit ${ran.exitCode}, ${ran.durationMs} ms]\n`,
  };
}

function statusOf(ran: RunResult): GateResult["status"] {
  if (ran.status === "exited") return ran.exitCode === 0 ? "passed" : "failed";
  return ran.status === "timeout" ? "timeout" : "error";
}

async function cleanUp(
  world: World,
  state: State,
  tree: string,
): Promise<{ changed: string[]; added: string[] }> {
  const place = placeOf(world, state);
  const after = await world.workspace.treeId(place);
  if (after === tree) return { changed: [], added: [] };
  const files = await world.workspace.changedBetween(place, tree, after);
  const { patch } = await world.workspace.restore(place, tree);
  await world.records.put(state.bubbleId, patchName(state.round, "gates"), patch);
  const added = files.filter((file) => file.status === "added").map((file) => file.path);
  const changed = files.filter((file) => file.status !== "added").map((file) => file.path);
  return { changed, added };
}
