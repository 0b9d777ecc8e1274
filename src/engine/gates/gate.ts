// One gate on one tree: where it runs, what it prints, and what its end means by the rules of core/gates.
import { hasPythonEnvironment } from "../../core/gates/environment.ts";
import { excerptOutput } from "../../core/gates/output/excerpt.ts";
import { type GateJudgement, judgeGateRun } from "../../core/gates/output/judgement.ts";
import { findTestCounts } from "../../core/gates/output/test-counts.ts";
import { type CoverageReading, judgeCoverage } from "../../core/gates/reports/judgement.ts";
import { reportPlaces } from "../../core/gates/reports/places.ts";
import { readCoverage } from "../../core/gates/reports/read.ts";
import { isTriggered } from "../../core/gates/trigger.ts";
import type { Gate, GateResult } from "../../core/model/gate.ts";
import type { ChangedFile } from "../../core/model/record/payloads/parts.ts";
import type { State } from "../../core/model/state.ts";
import type { RunResult } from "../../ports/system/process.ts";
import { buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";
import { runInCleanCheckout } from "./clean/checkout.ts";
import { type ConfinementOptions, runConfined } from "./confine.ts";
import type { GateRun } from "./list.ts";
import type { LiveBoard } from "./live-board.ts";

export interface GateJob {
  readonly gate: GateRun;
  readonly tree: string;
  /** The files of the whole change, for triggers. */
  readonly changed: readonly ChangedFile[];
  readonly board: LiveBoard;
  /** A checkout of the tree to run in; absent: the worktree, which holds it. */
  readonly root?: string;
}

export interface RanGate {
  readonly result: GateResult;
  readonly log: string;
  /** New files it left in the tree; they were put back. */
  readonly added?: readonly string[];
}

/** Runs the gate, unless the change does not touch what it looks at. */
export async function runGate(
  world: World,
  state: State,
  job: GateJob,
  signal: AbortSignal,
): Promise<RanGate> {
  const { gate, tree, board } = job;
  if (gate.skip !== undefined) return buildNotRun(world, gate, { status: "skipped", hint: gate.skip });
  if (!isTriggered(gate, job.changed)) {
    const hint = `no changed file matches ${gate.trigger?.join(", ")}`;
    return buildNotRun(world, gate, { status: "skipped", hint });
  }
  if (!gate.isolated)
    return runIn(world, state, { ...job, root: job.root ?? getWorkspacePlace(world, state).path }, signal);
  // A checkout of its own, made ready like the one of the final run, in rounds and there.
  const own = { tree, signal, board, gate: `gate-${buildGateFileName(gate)}` };
  return runInCleanCheckout(world, state, own, async ({ root, clean }) =>
    clean.problem
      ? buildNotRun(world, gate, { status: "error", hint: clean.problem })
      : runIn(world, state, { ...job, root }, signal),
  );
}

/** The name of a gate as part of a file name; no name of a gate has a dot. */
export const buildGateFileName = ({ name }: { readonly name: string }) => name.replaceAll(":", ".");

async function runIn(
  world: World,
  state: State,
  { gate, board, root }: GateJob & { readonly root: string },
  signal: AbortSignal,
): Promise<RanGate> {
  const cwd = await world.scratch.folderIn(root, gate.working_dir ?? ".");
  if (cwd === undefined) {
    const hint = `there is no folder ${gate.working_dir} in this tree`;
    return buildNotRun(world, gate, { status: "error", hint });
  }
  const reports = gate.threshold === undefined ? undefined : await rememberReports(world, root, gate);
  const output = world.paths.output(state.bubbleId, `gate-${buildGateFileName(gate)}.log`);
  const work = buildWorkMarker(world, state.bubbleId, `gate-${gate.name}.1`);
  await world.scratch.clear(output);
  const network = gate.network === "on" ? ({ network: true } as const) : {};
  await board.started({ name: gate.name, since: world.clock.now(), output, ...network });
  const run = {
    command: gate.command,
    cwd,
    env: { ...addVenv(world.gateEnv, state, [cwd, root]), ...gate.env },
    timeoutMs: gate.timeout_seconds * 1000,
    output,
    work,
    signal,
  };
  const { ran, sandbox } = await runConfined(world, state, { ...limitReach(gate), root, run });
  await world.processes.end(work);
  await board.ended(gate.name);
  // Before anything is cut out of it: half a secret is not recognised.
  const text = world.redaction.redact(await world.scratch.text(output));
  const outcome = judgeGateRun(gate, ran, text);
  const judged = reports && outcome.status === "passed" ? judgeCoverage(gate, await reports.read()) : outcome;
  return buildGateResult(world, gate, { ran, text, outcome: { ...judged, sandbox } });
}

/** What it may reach beside the tree. */
function limitReach(
  gate: GateRun,
): Pick<ConfinementOptions, "layer" | "network" | "write" | "read" | "draftsGit"> {
  const { write, read, draftsGit = false } = gate;
  return {
    layer: `gate-${buildGateFileName(gate)}`,
    network: gate.network === "on",
    draftsGit,
    ...(write ? { write } : {}),
    ...(read ? { read } : {}),
  };
}

/** Programs of the environments that the setup command makes come first: in the gate's own folder, then at the root. */
function addVenv(env: World["gateEnv"], { config }: State, folders: readonly string[]): World["gateEnv"] {
  const bins = [...new Set(folders)].map((folder) => `${folder}/.venv/bin`);
  return hasPythonEnvironment(config.setup) ? { ...env, PATH: [...bins, env.PATH ?? ""].join(":") } : env;
}

function buildNotRun(world: World, gate: GateRun, outcome: GateJudgement): RanGate {
  return buildGateResult(world, gate, { ran: { exitCode: null, durationMs: 0 }, text: "", outcome });
}

function buildGateResult(
  world: World,
  gate: GateRun,
  {
    ran,
    text,
    outcome,
  }: {
    readonly ran: Pick<RunResult, "exitCode" | "durationMs">;
    readonly text: string;
    readonly outcome: GateJudgement;
  },
): RanGate {
  const hint = outcome.hint === undefined ? "" : `: ${outcome.hint}`;
  const code = ran.exitCode === null ? "" : `, exit ${ran.exitCode}`;
  const tests = findTestCounts(text);
  return {
    result: {
      name: gate.name,
      command: gate.command,
      required: gate.required,
      exit_code: ran.exitCode,
      duration_ms: ran.durationMs,
      excerpt: excerptOutput(text),
      digest: world.hash.sha256(text),
      ...(tests ? { tests } : {}),
      ...outcome,
    },
    log: `$ ${gate.command}\n${text}\n[${gate.name}: ${outcome.status}${code}, ${ran.durationMs} ms${hint}]\n`,
  };
}

// Finding the coverage report that a gate's tool wrote. Only a file that this run wrote counts: an agent may have put
// one there before.
interface Reports {
  /** What the reports say, once the gate has run. */
  read(): Promise<CoverageReading>;
}

/** Remembers which reports stand in the tree before the gate runs. */
async function rememberReports(world: World, root: string, gate: Gate): Promise<Reports> {
  const places = reportPlaces(gate).map((path) =>
    gate.working_dir === undefined ? path : `${gate.working_dir}/${path}`,
  );
  const look = () => Promise.all(places.map((path) => world.scratch.fileIn(root, path)));
  const before = await look();
  return {
    async read() {
      const found = (await look()).map((file, i) => ({
        file,
        path: places[i] ?? "",
        isOld: file?.mark === before[i]?.mark,
      }));
      const fresh = found.filter(({ file, isOld }) => file && !isOld);
      for (const { file } of fresh) {
        const percent = readCoverage(file?.text() ?? "");
        if (percent !== undefined) return { kind: "read", percent };
      }
      const [unreadable] = fresh;
      if (unreadable) return { kind: "unreadable", path: unreadable.path };
      const stale = found.find(({ file }) => file);
      return stale ? { kind: "stale", path: stale.path } : { kind: "none", looked: places };
    },
  };
}
