// Ending processes for good: asked once, given two seconds, then killed, until the table shows none.
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../ports/failure.ts";
import { isAlive, isWorkingFor, listProcesses, listWorkers, type ProcessEntry } from "./table.ts";

/** How often it is looked whether those that were asked are gone; and how often for others, who came meanwhile. */
const goneMs = 2;
const lookMs = 50;
const graceMs = 2_000;
const limitMs = 5_000;

/** What is to end: all carriers of a marker and, where known, one process group. */
export interface WorkToEnd {
  readonly work: string;
  readonly group?: number;
}

/** Returns when nothing of it is left. Throws Failure `process.unkillable` after five seconds. */
export async function endAll(doomed: WorkToEnd): Promise<void> {
  const startedAt = performance.now();
  const asked = new Set<number>();
  for (;;) {
    const workers = listWorkers(doomed.work);
    // Usually it has ended by itself and left nobody behind.
    if (doomed.group === undefined && workers.length === 0) return;
    const table = listProcesses(workers);
    const targets = select(table, doomed);
    if (targets.length === 0) return;
    const passedMs = performance.now() - startedAt;
    if (passedMs > limitMs) throw toUnkillable(targets, doomed.work);
    for (const id of listAddresses(targets, table)) ask(id, passedMs > graceMs, asked);
    await waitForEnd(targets);
  }
}

/** Once in words; a process that has not gone by the end of the grace is not asked any more. */
function ask(id: number, isLate: boolean, asked: Set<number>): void {
  if (isLate) sendSignal(id, "SIGKILL");
  else if (!asked.has(id)) sendSignal(id, "SIGTERM");
  asked.add(id);
}

/** A moment for those that were asked, and not longer than they need. */
async function waitForEnd(targets: readonly ProcessEntry[]): Promise<void> {
  for (let waited = 0; waited < lookMs && targets.some(({ pid }) => isAlive(pid)); waited += goneMs)
    await sleep(goneMs);
}

/** The marked processes, and everybody in their groups: a child may have cleared its environment. */
function select(table: readonly ProcessEntry[], { work, group }: WorkToEnd): ProcessEntry[] {
  const marked = table.filter((one) => isWorkingFor(work, one));
  const groups = new Set(marked.map((one) => one.group).filter((id) => isOurs(id, table, work)));
  if (group !== undefined) groups.add(group);
  const self = table.find((one) => one.pid === process.pid);
  if (self) groups.delete(self.group);
  return table.filter((one) => one !== self && (isWorkingFor(work, one) || groups.has(one.group)));
}

/** A group is ours when its leader carries the marker or is gone; a living stranger leads a group of its own. */
function isOurs(group: number, table: readonly ProcessEntry[], work: string): boolean {
  const leader = table.find((one) => one.pid === group);
  return leader === undefined || isWorkingFor(work, leader);
}

/** A group that is doomed as a whole is signalled at once, so that no member can start another in between. */
function listAddresses(targets: readonly ProcessEntry[], table: readonly ProcessEntry[]): Set<number> {
  const spared = new Set(table.filter((one) => !targets.includes(one)).map((one) => one.group));
  return new Set(targets.map((one) => (spared.has(one.group) ? one.pid : -one.group)));
}

/** A process that is gone or not ours to signal is no error here: the next look at the table decides. */
function sendSignal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ESRCH" && code !== "EPERM") throw error;
  }
}

function toUnkillable(left: readonly ProcessEntry[], work: string): Failure {
  const pids = left.map((one) => one.pid).join(" ");
  return new Failure("process.unkillable", `processes of ${work} do not end: ${pids}`, {
    hint: `kill -9 ${pids}`,
    retryable: true,
  });
}
