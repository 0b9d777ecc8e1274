// A bubble in the middle of a turn on one machine while another one waits for work: what faults happen to, and what must have come of
// it in the end.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { createNatsLog } from "../../src/adapters/log/nats/log.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { readAll } from "../../src/testing/messages.ts";
import { fullPackage, type Rig, shortest } from "../acceptance/rig.ts";
import { type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { type Fleet, type FleetOptions, openFleet, type Worker } from "./fleet.ts";

export const id = "fix-cart";
export const leaseSeconds = 2;
/** Within a lease and two seconds, beside what loading a program takes on a busy machine. */
export const pickUpMs = leaseSeconds * 1000 + 2000;

export interface Trouble {
  readonly fleet: Fleet;
  /** Where a person sits, where the first attempt is made, and where the next one is. */
  readonly person: Rig;
  readonly first: Rig;
  readonly second: Rig;
  readonly worker: Worker;
  log(): Promise<readonly Envelope[]>;
  /** Waits for a line; returns when it was written. */
  hears(wanted: (line: Envelope) => boolean, limitMs?: number): Promise<number>;
}

/** A turn of an implementer that hands over at once. */
export const work = [
  { write: { path: "src/cart.txt", text: "total: 2\n" } },
  { pass: { summary: "done", ...fullPackage } },
];

/** A step of a script that takes a while on the first machine, and no time elsewhere. A sandbox shows another home. */
export const lingersFor = (seconds: number) => ({
  run: `if [ -e ../${lingers} ]; then sleep ${seconds}; fi`,
});
const lingers = "lingers";

/** The implementer's first turn is these steps, wherever it is tried. */
export async function openTrouble(
  steps: readonly unknown[],
  options: Omit<Partial<FleetOptions>, "server"> & {
    readonly server?: NonNullable<FleetOptions["server"]> & Pick<RunningServer, "connection" | "js" | "jsm">;
    /** What `create` is told about gates; nothing where the settings say it. */
    readonly gateFlags?: readonly string[];
    readonly workerFlags?: (fleet: Fleet) => Promise<readonly string[]>;
  } = {},
): Promise<Trouble> {
  const { workerFlags = async () => [], gateFlags = ["--test", "true"], ...more } = options;
  const [, ...turns] = shortest.implementer;
  const agents = { codex: [{ role: "implementer", steps }, ...turns], claude: shortest.reviewer };
  const server = more.server ?? (await startNatsServer());
  const fleet = await openFleet({ agents, hosts: 3, leaseSeconds, ...more, server });
  const [person, first, second] = fleet.hosts as [Rig, Rig, Rig];
  const worktrees = dirname(first.worktree(id));
  mkdirSync(worktrees, { recursive: true });
  writeFileSync(join(worktrees, lingers), "");
  await person.ok("bubble", "create", "--id", id, "--task", "Fix the total", ...gateFlags, "--yes");
  await person.ok("bubble", "start", "--id", id, "--headless", "--detach", "--yes");
  const worker = fleet.worker(first, ...(await workerFlags(fleet)));
  const { connection, js, jsm, url } = server;
  const patiently = createPatience({ server: url });
  const log = createNatsLog({ connection, js, jsm, project: "shop", patiently });
  const read = async () => (await readAll(log, id)).envelopes;
  return {
    ...{ fleet, person, first, second, worker },
    log: read,
    async hears(wanted, limitMs = 30_000) {
      for (const end = Date.now() + limitMs; ; await sleep(40)) {
        const lines = await read();
        const line = lines.find(wanted);
        if (line) return Date.parse(line.ts);
        if (Date.now() > end)
          throw new Error(
            `never heard:\n${lines.map(({ type, ts }) => `${ts} ${type}`).join("\n")}\n${worker.said()}`,
          );
      }
    },
  };
}

export const isStarted = (line: Envelope): boolean => line.type === "TURN_SPAWNED";
export const isPassed = (line: Envelope): boolean => line.type === "PASS";
export const isReady = (line: Envelope): boolean => line.type === "APPROVAL_REQUEST";
export const isClaimedAgain = (line: Envelope): boolean =>
  line.type === "DRIVER_CLAIMED" && line.payload.attempt === 2;

/** The attempts in their order, each with the machine that made it: 0 for the one that drove first. */
export function listTurnsByHost(lines: readonly Envelope[]): string[] {
  const hosts: string[] = [];
  const turns: string[] = [];
  for (const { type, payload } of lines) {
    if (type === "DRIVER_CLAIMED") hosts.push(payload.host);
    if (type !== "TURN_STARTED") continue;
    const at = [...new Set(hosts)].indexOf(hosts.at(-1) ?? "");
    turns.push(`${payload.turn}.${payload.attempt} on ${at}`);
  }
  return turns;
}

/** A driver came only where no turn was open: before the first, or after the last one's handoff. */
export function expectMovesAtSeams(lines: readonly Envelope[]): void {
  let open: string | undefined;
  for (const { type, payload } of lines) {
    if (type === "TURN_STARTED") open = payload.turn;
    if (type === "HANDOFF" || type === "TURN_ENDED") open = undefined;
    if (type === "DRIVER_CLAIMED") expect(open, `a driver came in ${open}`).toBeUndefined();
  }
}

/** Nothing is lost and nothing counts twice: one dense order, one handoff a turn, one handover at the end. */
export async function expectWhole({ log, person }: Trouble): Promise<void> {
  const lines = await log();
  expect(lines.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  const handed = pick(lines, "HANDOFF").map(({ payload }) => payload.turn);
  expect(handed).toEqual(["t1", "t2", "t3"]);
  const started = pick(lines, "TURN_STARTED").map(({ payload }) => `${payload.turn}.${payload.attempt}`);
  expect(new Set(started).size).toBe(started.length);
  expect(pick(lines, "APPROVAL_REQUEST")).toHaveLength(1);
  await person.ok("verify", "--id", id);
}

export function pick<T extends Envelope["type"]>(
  lines: readonly Envelope[],
  type: T,
): Extract<Envelope, { type: T }>[] {
  return lines.filter((line): line is Extract<Envelope, { type: T }> => line.type === type);
}
