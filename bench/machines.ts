// What several machines cost: a message on the record with its readable copy, in files and on servers, and a bubble's tree that comes
// to another machine. Everything in one run, in turn, so that what else the machine does is the same for all.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { openBlobs } from "../src/adapters/nats/blobs.ts";
import { createPatience } from "../src/adapters/nats/patience.ts";
import { createNodeProcesses } from "../src/adapters/process/node.ts";
import { createGitWorkspace } from "../src/adapters/workspace/git.ts";
import { createBundleTravel } from "../src/adapters/workspace/travel/bundles.ts";
import { createRecordWorld } from "../src/app/record/world.ts";
import { openNatsStore } from "../src/app/store/nats-store.ts";
import type { RecordWorld } from "../src/engine/world/world.ts";
import type { WorkspacePlace } from "../src/ports/workspace.ts";
import { startNatsCluster } from "../tests/helpers/nats-cluster.ts";
import { startNatsServer } from "../tests/helpers/nats-server.ts";
import { play } from "../tests/helpers/play.ts";

const person = { kind: "operator", via: "terminal" } as const;

export type Times = Readonly<Record<"file" | "one" | "three", readonly number[]>>;

/** Milliseconds of an agent's questions put to the referee, in files, on one server and on three. */
export async function messages(count: number): Promise<Times> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-machines-"));
  const [server, cluster] = await Promise.all([startNatsServer(), startNatsCluster()]);
  const open = async (name: string, url: string, replicas: 1 | 3) => {
    const root = join(folder, name);
    const store = await patiently(() =>
      openNatsStore({ url, project: "bench", root, host: name, replicas, leaseMs: 30_000 }),
    );
    const { log, records, runtime } = store;
    return { store, world: { ...createRecordWorld(root), log, records, runtime } };
  };
  const one = await open("one", server.url, 1);
  const three = await open("three", cluster.url, 3);
  try {
    return await timeMessages(count, {
      file: createRecordWorld(join(folder, "file")),
      one: one.world,
      three: three.world,
    });
  } finally {
    for (const { store } of [one, three]) await store.close();
    await server.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Servers that have just been started have no leader yet. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (const end = Date.now() + 30_000; ; await new Promise((resolve) => setTimeout(resolve, 200))) {
    try {
      return await call();
    } catch (error) {
      if (Date.now() > end) throw error;
    }
  }
}

async function timeMessages(
  count: number,
  worlds: Readonly<Record<keyof Times, RecordWorld>>,
): Promise<Times> {
  const times: Record<keyof Times, number[]> = { file: [], one: [], three: [] };
  const names = ["file", "one", "three"] as const;
  const played = await Promise.all(
    names.map(async (name) => {
      const bubble = await play({ world: worlds[name], repo: "/repo", wait: () => {} }, "fix-cart");
      await bubble.starts();
      await bubble.turnStarts();
      return { name, bubble };
    }),
  );
  for (let n = 0; n < count; n += 1) {
    for (const { name, bubble } of played) {
      const { turn } = await bubble.state();
      if (turn?.capability === undefined) throw new Error("nobody has the turn");
      const actor = {
        kind: "agent",
        turn: turn.id,
        attempt: turn.attempt,
        capability: turn.capability,
      } as const;
      const question = `Question ${n}: keep the old route?`;
      const started = performance.now();
      await bubble.does({ type: "ask-human", actor, question, digest: `digest-${n}` });
      const asked = performance.now();
      await bubble.does({ type: "reply", actor: person, message: `Answer ${n}: keep it.` });
      if (n >= 5) times[name].push(asked - started);
    }
  }
  return times;
}

export interface ManyDriven {
  readonly seconds: number;
  /** How many cores the workers kept busy. */
  readonly cores: number;
  /** Milliseconds of each handoff. */
  readonly handoffs: readonly number[];
}

const workers = 4;
/** So many bubbles does each of them drive at a time; the others are open and wait. */
const atOnce = 12;

/** Open bubbles with simulated agents, each with three turns, over four worker processes: in files, on one server and on three. */
export async function driveMany(program: string, count: number) {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-fleet-"));
  const [server, cluster] = await Promise.all([startNatsServer(), startNatsCluster()]);
  try {
    const shared = (kind: string, url: string, replicas: number) => (index: number) => ({
      ...{ kind: "server", url, replicas, root: join(folder, `${kind}-${index}`) },
    });
    const inFiles = () => ({ kind: "file", root: join(folder, "file") });
    // Streams are there before four workers ask for them at once.
    for (const [url, replicas] of [[server.url, 1] as const, [cluster.url, 3] as const])
      await patiently(async () => (await openBenchStore(url, folder, replicas)).close());
    return {
      file: await driveShares(program, count, inFiles),
      one: await driveShares(program, count, shared("one", server.url, 1)),
      three: await driveShares(program, count, shared("three", cluster.url, 3)),
    };
  } finally {
    await server.close();
    await cluster.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

const openBenchStore = (url: string, folder: string, replicas: 1 | 3) =>
  openNatsStore({
    url,
    project: "bench",
    root: join(folder, "first"),
    host: "first",
    replicas,
    leaseMs: 30_000,
  });

/** All workers make their bubbles; then they begin at one moment. */
async function driveShares(
  program: string,
  count: number,
  placeOf: (index: number) => object,
): Promise<ManyDriven> {
  const running = Array.from({ length: workers }, (_, index) => {
    const bubbles = Array.from({ length: Math.ceil(count / workers) }, (_, n) => `w${index}-${n}`);
    const share = { ...placeOf(index), host: `bench~${index}`, bubbles, atOnce };
    return startShare(program, share);
  });
  try {
    await Promise.all(running.map(({ hears }) => hears()));
    const began = Date.now();
    const said = await Promise.all(running.map(({ begin }) => begin()));
    const ms = Math.max(...said.map(({ ended }) => ended)) - began;
    return {
      seconds: ms / 1000,
      cores: said.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / ms,
      handoffs: said.flatMap(({ handoffs }) => handoffs),
    };
  } finally {
    for (const { child } of running) child.kill();
  }
}

function startShare(program: string, share: object) {
  const child = spawn(process.execPath, [program, JSON.stringify(share)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value } = await lines.next();
    if (value === undefined) throw new Error("a worker of the bench ended early");
    return value;
  };
  return {
    child,
    hears: next,
    async begin() {
      child.stdin.write("begin\n");
      return JSON.parse(await next()) as { ended: number; handoffs: number[]; cpuMs: number };
    },
  };
}

/** Milliseconds from a commit on one machine to a worktree of it on another one, for a repository of 2,000 files. */
export async function measureMove(): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-moved-"));
  const server = await startNatsServer();
  const connection = await connect({ servers: server.url });
  try {
    const env = { PATH: process.env.PATH ?? "", HOME: folder };
    writeFileSync(join(folder, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@localhost\n");
    const git = (cwd: string, ...args: string[]) =>
      execFileSync("git", args, { cwd: join(folder, cwd), env, encoding: "utf8", stdio: "pipe" }).trim();
    makeRepository(join(folder, "from"));
    git("from", "init", "-q", "-b", "main");
    git("from", "add", "-A");
    git("from", "commit", "-q", "-m", "base");
    git(".", "clone", "-q", "from", "to");
    const blobs = await openBlobs(jetstream(connection), {
      ...{ project: "bench", replicas: 1, patiently: createPatience({ server: server.url }) },
    });
    const baseCommit = git("from", "rev-parse", "HEAD");
    const host = (name: string) => {
      const kit = { processes: createNodeProcesses(), runtimeDir: join(folder, `${name}-runtime`), env };
      return { workspace: createGitWorkspace(kit), travel: createBundleTravel({ ...kit, blobs }) };
    };
    const [from, to] = [host("from"), host("to")];
    const times: number[] = [];
    for (let n = 0; n < 7; n += 1) {
      const place = (name: string): WorkspacePlace => ({
        ...{ repo: join(folder, name), path: join(folder, `${name}-trees`, `b${n}`), branch: `bubble/b${n}` },
        ...{ baseCommit, mode: "worktree", bubble: `b${n}` },
      });
      await from.workspace.prepare(place("from"));
      for (let file = 0; file < 20; file += 1)
        writeFileSync(join(place("from").path, "src", `f${n * 20 + file}.txt`), `changed ${n}\n`);
      const { ref, commit, tree } = await from.workspace.snapshot(place("from"), "round-001");
      const started = performance.now();
      await from.travel.publish(place("from"), { ref, commit });
      await to.travel.fetch(place("to"), { ref, commit });
      await to.workspace.prepare(place("to"));
      await to.workspace.restore(place("to"), tree);
      times.push(performance.now() - started);
      if ((await to.workspace.treeId(place("to"))) !== tree) throw new Error("another tree came over");
    }
    return times;
  } finally {
    await connection.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function makeRepository(path: string): void {
  mkdirSync(join(path, "src"), { recursive: true });
  for (let n = 0; n < 2000; n += 1)
    writeFileSync(join(path, "src", `f${n}.txt`), `file ${n}\n${`line of file ${n}\n`.repeat(200)}`);
}
