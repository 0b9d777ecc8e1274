// A workflow of trivial steps, run by the product's own driver on real files, beside the bare writes it rests on.
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createWorld } from "../src/app/world/world.ts";
import type { Command } from "../src/core/model/command.ts";
import { BubbleConfig } from "../src/core/model/config.ts";
import type { Program } from "../src/core/model/program.ts";
import type { Envelope } from "../src/core/model/record/envelope.ts";
import { check } from "../src/core/model/value/validate.ts";
import { loadWorkflow } from "../src/core/workflow/load.ts";
import { drive } from "../src/engine/drive/driver.ts";
import { handle } from "../src/engine/handle/command.ts";
import type { World } from "../src/engine/world/world.ts";

export interface Measured {
  readonly ms: number;
  readonly steps: number;
  /** Appends to the log, each made durable before anything follows from it. */
  readonly appends: number;
  readonly bytes: number;
  /** One write of a step's bytes and its fsync in the same run: the mean of several blocks. */
  readonly bare: number;
}

/** About what a step's lines take on the record. */
const stepBytes = 400;
/** No time at all: what is measured is the step. A text, because a number of seconds must be more than none. */
const waitSeconds = "0";

/** A chain of this many steps: `emit` needs nobody, `wait` is left by a command of its own. */
function chainOf(count: number, kind: "emit" | "wait", config: BubbleConfig): Program {
  const steps = Array.from({ length: count }, (_, i) => ({
    name: `s${i}`,
    kind,
    ...(kind === "wait" ? { seconds: waitSeconds } : { event: "bench.step", payload: { step: i } }),
    on: { done: { to: i + 1 < count ? `s${i + 1}` : "turn" } },
  }));
  const turn = {
    name: "turn",
    kind: "turn",
    role: "developer",
    session: "resumed",
    answer: "handoff",
    on: { success: { to: "over" }, refused: { to: "turn" } },
  };
  const over = { name: "over", kind: "approval" };
  const loaded = loadWorkflow(
    { id: "bench", start: "s0", max_iterations: 1, steps: [...steps, turn, over] },
    config,
    {},
    "bench",
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems.slice(0, 3)));
  return loaded.program;
}

/** Runs the chain up to the turn behind its last step, which is not taken. */
export async function runSteps(repo: string, count: number, kind: "emit" | "wait"): Promise<Measured> {
  const id = `${kind}-${count}`;
  rmSync(join(repo, ".pairflow"), { recursive: true, force: true });
  mkdirSync(join(repo, ".pairflow", "locks"), { recursive: true });
  const world = createWorld(repo, "process");
  await create(world, repo, id, (config) => chainOf(count, kind, config));
  const known = logOf(repo, id).length;
  const bare: number[] = [];
  const look = () => {
    const ms = writeDurably(join(repo, "bare"), stepBytes, block);
    bare.push(ms / block);
    return ms;
  };
  look();
  const atOnce = await timed(() => ready(world, repo, id));
  look();
  const ms = atOnce + (await driven(world, id, look));
  const own = logOf(repo, id)
    .slice(known)
    .filter(({ type }) => type === "STEP_ADVANCED" || type === "EVENT");
  return {
    ms,
    steps: count,
    appends: new Set(own.map(({ batch }) => batch.id)).size,
    bytes: own.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0),
    bare: bare.reduce((sum, one) => sum + one, 0) / bare.length,
  };
}

async function create(
  world: World,
  repo: string,
  id: string,
  programFor: (config: BubbleConfig) => Program,
): Promise<void> {
  const made = check(BubbleConfig, {
    id,
    repo_path: repo,
    base_branch: "main",
    bubble_branch: `bubble/${id}`,
    agents: { developer: "nobody" },
  });
  if (!made.ok) throw new Error(JSON.stringify(made.issues));
  const config = made.value;
  await world.records.create(id);
  await world.records.put(id, "task.md", "Bench\n");
  await world.records.put(id, "workflow.yaml", "id: bench\n");
  await put(world, id, {
    type: "create",
    actor: operator,
    config,
    program: programFor(config),
    profile: { gates: [], source: "bench", confirmed: true, not_available: "a bench" },
    base_commit: "0".repeat(40),
    task: { title: "Bench", criteria: [], artifact: "task.md", excerpt: "Bench" },
    workflow_artifact: "workflow.yaml",
  });
  await put(world, id, { type: "start", actor: operator, seat: "process" });
}

const operator = { kind: "operator", via: "cli" } as const;
const driver = { kind: "driver", id: "bench" } as const;

async function put(world: World, id: string, command: Command): Promise<void> {
  const { refusal } = await handle(world, id, command);
  if (refusal) throw new Error(`${command.type}: ${refusal.code} ${refusal.message}`);
}

/** With the workspace the first step is entered, and the first ones that need nobody are left at once. */
const ready = (world: World, repo: string, id: string): Promise<void> =>
  put(world, id, {
    type: "workspace-ready",
    actor: driver,
    path: join(repo, "none"),
    branch: `bubble/${id}`,
    tree: "1".repeat(40),
    notes: [],
  });

/** Steps between two looks at the bare disk, whose speed changes with whatever else the machine does. */
const block = 20;

/** From the driver's first look to the one that finds the turn due, without the bare writes in between. */
async function driven(world: World, id: string, bare: () => number): Promise<number> {
  const over = new AbortController();
  let [started, ended, aside, looks, seen] = [0, 0, 0, 0, 0];
  await drive(world, id, {
    signal: over.signal,
    onState: (state) => {
      started ||= performance.now();
      if (state.position.step === "turn") {
        ended ||= performance.now();
        over.abort();
      } else if (state.seq !== seen && ++looks % block === 0) aside += bare();
      seen = state.seq;
    },
    onFailure: (failure) => {
      throw failure;
    },
  });
  return ended - started - aside;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function logOf(repo: string, id: string): Envelope[] {
  const file = join(repo, ".pairflow", "bubbles", id, "transcript.ndjson");
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Writes that are made durable one by one, as the log does it; returns what they took together. */
function writeDurably(file: string, bytes: number, times: number): number {
  const line = Buffer.alloc(Math.max(1, Math.round(bytes)), "x");
  const started = performance.now();
  for (let n = 0; n < times; n++) {
    const fd = openSync(file, "a");
    writeSync(fd, line);
    fsyncSync(fd);
    closeSync(fd);
  }
  return performance.now() - started;
}
