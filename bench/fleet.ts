// One worker of the bench of throughput, a process of its own: the real driver and a real store, under agents, worktrees and gates that
// take no time (tests/simulation). Its share of the bubbles is open from the beginning; it drives so many of them at a time.
//   node fleet.mjs '{"kind":"file"|"server","url":…,"replicas":…,"root":…,"host":…,"bubbles":[…],"atOnce":…}'
// It says `ready` when all its bubbles have been started, begins when it is told to, and prints how long each handoff took.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { nodeChance, nodeClock, nodeHash } from "../src/adapters/clock/node.ts";
import { createRecordWorld } from "../src/app/record/world.ts";
import { openNatsStore } from "../src/app/store/nats-store.ts";
import { drive } from "../src/engine/drive/driver.ts";
import { handle } from "../src/engine/handle/command.ts";
import type { World } from "../src/engine/world/world.ts";
import type { EventLog } from "../src/ports/record/log.ts";
import { buildFirstWords } from "../tests/simulation/bubble.ts";
import { Host, makeDisk } from "../tests/simulation/host.ts";
import { Invariants } from "../tests/simulation/invariants.ts";
import { Store } from "../tests/simulation/store.ts";
import { Dice, VirtualTime } from "../tests/simulation/virtual-time.ts";
import { createSimulatedWorld } from "../tests/simulation/world.ts";

interface Share {
  readonly kind: "file" | "server";
  readonly url: string;
  readonly replicas: 1 | 3;
  readonly root: string;
  readonly host: string;
  readonly bubbles: readonly string[];
  readonly atOnce: number;
}

/** The time of this machine, in the form that simulated machines ask for it. */
class RealTime {
  readonly sleep = VirtualTime.prototype.sleep;
  get now() {
    return Date.now();
  }
  iso() {
    return new Date().toISOString();
  }
  after(ms: number, wake: () => void) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  }
}

/** Nobody is moody, and whatever may take a while takes the least of it. */
class NoDice extends Dice {
  override roll = () => 0.5;
  override between = (low: number) => Math.min(low, 5);
}

const operator = { kind: "operator", via: "cli" } as const;
const share = JSON.parse(process.argv[2] ?? "") as Share;
await work(share);

async function work({ bubbles, atOnce, ...place }: Share): Promise<void> {
  const { world, close } = await openWorld(place);
  for (const id of bubbles) await startBubble(world, id);
  console.log("ready");
  await once(createInterface({ input: process.stdin }), "line");
  const left = [...bubbles];
  const driveNext = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      const { lifecycle } = await drive(world, id, {
        signal: new AbortController().signal,
        leaveWhenWaiting: true,
      });
      if (lifecycle !== "READY_FOR_APPROVAL") throw new Error(`${id} was left as ${lifecycle}`);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: atOnce }, driveNext));
  const { user, system } = process.cpuUsage(before);
  const ended = Date.now();
  const handoffs: number[] = [];
  for (const id of bubbles) handoffs.push(...(await readHandoffs(world.log, id)));
  console.log(JSON.stringify({ ended, handoffs, cpuMs: (user + system) / 1000 }));
  await close();
  process.exit(0);
}

async function openWorld({ kind, url, replicas, root, host: id }: Omit<Share, "bubbles" | "atOnce">) {
  const time = new RealTime() as unknown as VirtualTime;
  const invariants = new Invariants();
  const simulated = new Store({ time, leaseMs: 30_000, invariants });
  const onSpin = () => {
    throw new Error(`${id} works without end`);
  };
  const host = new Host({ id, disk: makeDisk(), time, dice: new NoDice(1), outage: { until: 0 }, onSpin });
  const world = createSimulatedWorld(host, simulated);
  const real = { chance: nodeChance, clock: nodeClock, hash: nodeHash, pid: process.pid };
  if (kind === "file") {
    const { log, records, runtime } = createRecordWorld(root);
    return { world: Object.assign(world, real, { log, records, runtime }), close: async () => {} };
  }
  const store = await openNatsStore({
    ...{ url, project: "bench", root, host: id, replicas, leaseMs: 30_000 },
  });
  const { log, records, runtime } = store;
  return { world: Object.assign(world, real, { log, records, runtime }), close: () => store.close() };
}

async function startBubble(world: World, id: string): Promise<void> {
  const { create, start } = buildFirstWords(id);
  await world.records.create(id);
  for (const name of ["task.md", "workflow.json"]) await world.records.put(id, name, "{}");
  for (const words of [create, start]) {
    const { refusal } = await handle(world, id, { actor: operator, ...words } as never);
    if (refusal) throw new Error(`${id}: ${refusal.code} ${refusal.message}`);
  }
}

/** Milliseconds from an agent's last word to the next turn, or to the person who is asked. */
async function readHandoffs(log: EventLog, id: string): Promise<number[]> {
  const times: number[] = [];
  let passed: number | undefined;
  for await (const { envelopes } of log.read(id))
    for (const { type, ts } of envelopes) {
      if (type === "PASS") passed = Date.parse(ts);
      if (passed === undefined || !["TURN_STARTED", "APPROVAL_REQUEST"].includes(type)) continue;
      times.push(Date.parse(ts) - passed);
      passed = undefined;
    }
  return times;
}
