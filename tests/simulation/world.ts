// The engine's world on one simulated machine: the shared store, and fakes for everything that is here: worktrees, panes,
// processes, files. A tree is a name; what differs between two trees is one file.
import { createHash } from "node:crypto";
import { Conversations } from "../../src/engine/world/conversations.ts";
import type { World } from "../../src/engine/world/world.ts";
import type { TurnSpec } from "../../src/ports/agent/seat.ts";
import type { WorkspacePlace } from "../../src/ports/workspace.ts";
import { runAgent } from "./agent.ts";
import { type FakeProcess, type Host, neverReturn } from "./host.ts";
import type { Store } from "./store.ts";

const baseTree = "tree-base";
/** As many prompts as a machine may write for one bubble within one millisecond. */
const promptsAtOnce = 20;

/** Counts a prompt; true when a driver writes them without end. */
function spins(recent: number[], now: number): boolean {
  if (recent[0] !== now) recent.length = 0;
  return recent.push(now) > promptsAtOnce;
}

export function createSimulatedWorld(host: Host, store: Store): World {
  const { time, dice } = host;
  const id = () => Array.from({ length: 3 }, () => Math.floor(dice.roll() * 2 ** 32).toString(36)).join("");
  const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex");
  const local: Pick<World["runtime"], "sign" | "lastSign" | "note" | "noted"> = {
    async sign() {},
    async lastSign() {
      return undefined;
    },
    async note(bubble, name, text) {
      host.notes.set(`${bubble}/${name}`, text);
    },
    noted: async (bubble, name) => host.notes.get(`${bubble}/${name}`),
  };
  const world: World = {
    log: wrapLog(host, store),
    records: createRecords(host, store),
    runtime: { ...createPlaces(host, store), ...host.wrap(local, "own") },
    trees: { read: async () => [], paths: async () => [], hashes: async () => ({}) },
    clock: {
      now: () => time.iso(),
      async sleep(ms, signal) {
        await time.sleep(ms, signal);
        await host.passGate();
      },
    },
    chance: { id, secret: id, uuid: id },
    hash: { sha256 },
    signatures: {} as World["signatures"],
    redaction: { redact: (text: string) => text, find: () => [] } as unknown as World["redaction"],
    crashPoint: () => {},
    workspace: host.wrap(createWorkspace(host, store), "own") as World["workspace"],
    processes: host.wrap(createProcesses(host, store), "own", ["alive"]) as World["processes"],
    sandboxes: { state: async () => ({ kind: "none" }) } as unknown as World["sandboxes"],
    machine: () => ({}) as ReturnType<World["machine"]>,
    verbs: { place: () => ({ folder: "/", socket: "/s" }), listen: async () => ({ close: async () => {} }) },
    seats: {} as World["seats"],
    agents: { fake: fakeAdapter },
    notifier: { tell: async () => {} } as unknown as World["notifier"],
    conventions: {} as World["conventions"],
    plans: {} as World["plans"],
    siblings: {} as World["siblings"],
    trust: {
      unconfirmed: async () => [],
      remember: async () => {},
      fileHash: () => "",
    } as unknown as World["trust"],
    scratch: createScratch(host),
    baseRuns: { surroundings: () => [], get: async () => undefined, put: async () => {} },
    roleText: () => "Do it.",
    agentEnv: () => ({}),
    talks: new Conversations(),
    gateEnv: {},
    drivers: { isHere: false, want: async () => "offered" },
    paths: {
      worktree: (bubble) => `/${host.id}/${bubble}`,
      output: (bubble, name) => `/${host.id}/out/${bubble}/${name}`,
      hook: () => "/hook",
      artifacts: () => "/artifacts",
      out: (worktree, turn) => `${worktree}/out/${turn}`,
      clean: (bubble) => `/${host.id}/clean/${bubble}`,
    },
    acknowledgeMs: 1000,
    repo: `/${host.id}/repo`,
    tag: "sim",
    host: host.id,
    pid: store.nextPid(),
  };
  return Object.assign(world, { seats: host.wrap(createSeats(host, world, store), "own", ["kind"]) });
}

/** Artifacts are shared, the cache of the fold is this machine's own. */
function createRecords(host: Host, store: Store): World["records"] {
  const { records, invariants } = store;
  const { cache } = host.disk;
  const recent = new Map<string, number[]>();
  const shared = {
    ...records,
    async put(bubble: string, name: string, content: string | Uint8Array) {
      if (!name.startsWith("prompts/")) return records.put(bubble, name, content);
      await lookAtPrompt(bubble, name);
      // Nobody reads them here, and they would be most of what a simulation keeps.
      return records.put(bubble, name, "");
    },
  };
  const lookAtPrompt = async (bubble: string, name: string) => {
    const [turn = ""] = name.slice("prompts/".length).split(/[.-]/);
    invariants.checkPrompt(host, bubble, turn);
    const own = recent.get(bubble) ?? [];
    recent.set(bubble, own);
    if (!spins(own, host.time.now)) return;
    invariants.note(`${host.id} wrote prompt after prompt at one moment, the last for ${bubble}`);
    await neverReturn();
  };
  return {
    ...host.wrap(shared, "store", ["path"]),
    load: async (bubble) => cache.get(bubble),
    save: async (bubble, snapshot) => void cache.set(bubble, snapshot),
  };
}

function createPlaces(host: Host, store: Store): ReturnType<Store["runtime"]> {
  const places = host.wrap(store.runtime(), "store");
  return {
    ...places,
    async claim(bubble, beat) {
      const claimed = await places.claim(bubble, beat);
      if (claimed.ok) {
        host.claimed.set(bubble, beat.driver);
        host.lost.delete(bubble);
      }
      return claimed;
    },
    /** Whoever is told that the place is lost has the answer: it is not on its way any more. */
    async beat(bubble, beat) {
      const isHeld = await places.beat(bubble, beat);
      // A late beat of a driver that has left says nothing about the one that came after it.
      if (!isHeld && host.claimed.get(bubble) === beat.driver) host.lost.set(bubble, host.time.now);
      return isHeld;
    },
  };
}

function wrapLog(host: Host, store: Store): World["log"] {
  return {
    hashOf: (head) => store.hashOf(head),
    append: (...args) => host.reachStore(() => store.append(host, ...args)),
    async *read(...args) {
      await host.reachStore(() => {});
      yield* store.read(...args);
    },
    async *subscribe(bubble, from, signal) {
      for await (const batch of store.subscribe(bubble, from, signal)) {
        await host.passGate();
        // A bell that is not heard: the loop's own look finds it.
        if (!host.isCutOff()) yield batch;
      }
    },
  };
}

const fakeAdapter = {
  name: "fake",
  about: "simulated",
  can: { resume: "yes" },
  voice: { pane: "verbs", headless: "verbs" },
  variables: [],
  check: () => undefined,
  launch: () => ({ argv: ["fake"], env: {} }),
} as unknown as World["agents"][string];

function createSeats(host: Host, world: World, store: Store): World["seats"] {
  const find = async (work: string) => {
    const [found] = host.matching(work);
    return found ? { pid: found.pid } : undefined;
  };
  return {
    kind: "tmux",
    async open() {},
    async start(spec: TurnSpec) {
      store.invariants.takeStart(host, spec);
      for (const old of host.matching(spec.work)) host.endProcess(old);
      const process: FakeProcess = { pid: store.nextPid(), work: spec.work, isAlive: true, exited: [] };
      host.processes.set(spec.work, process);
      void runAgent(host, world, store, { spec, process });
      return { pid: process.pid };
    },
    find,
    alive: async ({ pid }) => [...host.processes.values()].some((one) => one.pid === pid),
    gone: async () => undefined,
    async end(work) {
      for (const one of host.matching(work)) host.endProcess(one);
    },
    deliver: async () => "gone",
    async close() {},
    isOpen: async () => true,
  };
}

function createProcesses(host: Host, store: Store): World["processes"] {
  return {
    exec: async () => ({ code: 0, stdout: "", stderr: "" }),
    async run({ work, signal }) {
      const process: FakeProcess = { pid: store.nextPid(), work, isAlive: true, exited: [] };
      host.processes.set(work, process);
      const durationMs = host.dice.between(50, 800);
      await host.time.sleep(durationMs, signal);
      const wasEnded = !process.isAlive;
      host.endProcess(process);
      if (signal?.aborted || wasEnded) return { status: "aborted", exitCode: null, durationMs };
      return { status: "exited", exitCode: 0, durationMs };
    },
    spawn: async () => ({ pid: 0, exited: Promise.resolve(0) }),
    async pipe() {},
    find: async (work) => host.matching(work).map(({ pid, work: found }) => ({ pid, work: found })),
    alive: () => true,
    async end(work) {
      for (const one of host.matching(work)) host.endProcess(one);
    },
  };
}

function createScratch(_host: Host): World["scratch"] {
  return {
    text: async () => "",
    remove: async () => {},
    size: async () => 0,
    cut: async () => {},
    clear: async () => {},
    lines: () => ({
      read: () => [],
      hasMore: () => false,
      rest: () => "",
      changed: async () => {},
      close() {},
    }),
    channel: () => ({ send() {}, forget() {}, note() {}, noted: () => false, close: async () => {} }),
    modifiedAt: async () => undefined,
    folderIn: async (root) => root,
    fileIn: async () => undefined,
    filesIn: async () => [],
  };
}

const change = { path: "src/cart.ts", status: "modified", added: 1, removed: 1 } as const;
const diff = "";

function createWorkspace(host: Host, store: Store): Partial<World["workspace"]> {
  const { worktrees } = host.disk;
  const standing = ({ bubble }: WorkspacePlace) => worktrees.get(bubble) ?? baseTree;
  const commitOf = (tree: string) => `commit-of-${tree}`;
  return {
    async prepare(place) {
      // What is pinned travels with the record; a worktree that stands is taken as it is.
      if (!worktrees.has(place.bubble)) worktrees.set(place.bubble, store.pins.get(place.bubble) ?? baseTree);
      return { tree: standing(place), base: baseTree, notes: [] };
    },
    present: async ({ bubble }) => worktrees.has(bubble),
    async snapshot(place, pin) {
      await host.time.sleep(host.dice.between(5, 120));
      await host.passGate();
      const tree = standing(place);
      store.pins.set(place.bubble, tree);
      const files = tree === baseTree ? [] : [change];
      return { tree, commit: commitOf(tree), ref: `refs/${pin}`, files, diff, change: diff, problems: [] };
    },
    treeId: async (place) => standing(place),
    changedBetween: async (_place, from, to) => (from === to ? [] : [change]),
    diff: async () => diff,
    async restore({ bubble }, tree) {
      const before = worktrees.get(bubble);
      worktrees.set(bubble, tree);
      return before === tree
        ? { patch: "", files: [] }
        : { patch: `${before} → ${tree}`, files: ["src/cart.ts"] };
    },
    filesAt: async () => [],
    hooks: async () => [],
    gitSettings: async () => ({ settings: {}, files: {} }),
    async keepGitSettings() {},
    async putBackGitSettings() {},
    branches: async () => ({}),
    folders: async () => ({}) as never,
    clean: {
      async make() {},
      include: async () => ({ included: [], notes: [] }),
      includable: async () => [],
      changed: async () => [],
      async putBack() {},
      stage: async () => "",
      async discard() {},
    },
  };
}
