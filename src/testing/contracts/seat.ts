// What every kind of seat must keep: the promises are the sentences of ports/agent/seat.ts. Real processes run here, because a seat
// that only remembers its calls proves nothing.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Seats, TurnSpec } from "../../ports/agent/seat.ts";
import type { Processes } from "../../ports/system/process.ts";
import { defineContract } from "./contract.ts";

export interface SeatRig {
  readonly seats: Seats;
  /** The seats as a restarted driver gets them: same place, no memory. */
  again(): Seats;
  readonly processes: Processes;
  /** A folder of this rig's own. */
  readonly folder: string;
  /** A variable the seats were made with. */
  readonly given: readonly [name: string, value: string];
  close(): Promise<void>;
}

const T1 = "T1 a turn is one process: starting the next turn in a seat ends what was there";
const T2 = "T2 a living turn is found again by its work marker after the driver died";
const T3 =
  "T3 deliver puts a short notice into a living turn and submits it; `gone` when there is nobody to read it";
const T4 = "T4 closing removes every pane and process of the bubble and nothing of any other";
const T5 =
  "T5 a turn has the seats' environment and its own on top, nothing of the caller's; what it prints is in its output file";

/** The cases for one kind of seat. */
export const buildSeatContract = defineContract<SeatRig>([
  [T1, "also one that ignores the loss of its terminal", startsEndWhatWasThere],
  [T2, "with the same pid, until it ends", checkFoundAgain],
  [T2, "also while it becomes another program, as wrappers do", checkFoundWhileBecoming],
  [T2, "an orphan it left behind is not the turn", checkOrphansDoNotCount],
  [T3, "the words arrive as one line, whatever stands in them", delivers],
  [T3, "nobody reads before and after a turn, or elsewhere", checkNobodyReads],
  [T4, "abc1 and abc12 do not disturb one another", closesExactly],
  [T4, "closing twice, or what never was open, is harmless", closesTwice],
  [T5, "values arrive unchanged", checkOwnEnvironment],
]);

/** A turn of `agent` that runs a shell script, with a marker and an output file of its own. */
export function buildTurnSpec(rig: SeatRig, script: string, more: Partial<TurnSpec> = {}): TurnSpec {
  const { bubble = "abc1", agent = "codex", turn = "t1", attempt = 1 } = more;
  const name = `${bubble}-${agent}-${turn}.${attempt}`;
  return {
    bubble,
    agent,
    turn,
    attempt,
    role: "implementer",
    argv: ["/bin/sh", "-c", script],
    cwd: rig.folder,
    env: {},
    output: join(rig.folder, `${name}.log`),
    work: `${rig.folder.split("/").at(-1)}-${name}`,
    ...more,
  };
}

/** Waits until something holds; fails with `what` after ten seconds. */
export async function waitUntil(what: string, holds: () => unknown): Promise<void> {
  for (let left = 500; left > 0; left -= 1) {
    if (await holds()) return;
    await pause(20);
  }
  assert.fail(`not within ten seconds: ${what}`);
}

/** The text of a file, empty as long as there is none. */
export function readTextOrEmpty(file: string): string {
  return tryOr(() => readFileSync(file, "utf8"), "");
}

const buildRoom = (rig: SeatRig) => ({ cwd: rig.folder, agents: ["codex", "claude"], title: "A task" });

async function startsEndWhatWasThere(rig: SeatRig): Promise<void> {
  await rig.seats.open("abc1", buildRoom(rig));
  const first = buildTurnSpec(rig, "trap '' HUP; echo here; sleep 300");
  const before = await rig.seats.start(first);
  const other = await rig.seats.start(buildTurnSpec(rig, "sleep 300", { agent: "claude" }));
  await waitUntil("the first turn speaks", () => readTextOrEmpty(first.output).includes("here"));
  const after = await rig.again().start(buildTurnSpec(rig, "sleep 300", { turn: "t2" }));
  assert.equal(await rig.seats.alive(before), false, "the turn before has ended");
  assert.deepEqual(await rig.processes.find(first.work), [], "nothing of it is left");
  assert.equal(await rig.seats.alive(after), true);
  assert.equal(await rig.seats.alive(other), true, "the other agent's turn continues");
}

async function checkFoundAgain(rig: SeatRig): Promise<void> {
  await rig.seats.open("abc1", buildRoom(rig));
  const spec = buildTurnSpec(rig, "sleep 300 & wait");
  const seated = await rig.seats.start(spec);
  assert.deepEqual(await rig.again().find(spec.work), seated);
  assert.equal(await rig.again().alive(seated), true);
  await rig.again().end(spec.work);
  assert.equal(await rig.seats.find(spec.work), undefined);
  assert.equal(await rig.seats.alive(seated), false);
}

/**
 * A wrapper between its first and its second program: a process that is becoming another one has no environment. On a loaded
 * machine that moment is long; here it lasts until the test has looked.
 */
async function checkFoundWhileBecoming(rig: SeatRig): Promise<void> {
  await rig.seats.open("abc1", buildRoom(rig));
  const [wrapper, go, bare, on] = ["wrapper.sh", "go", "bare", "on"].map((name) => join(rig.folder, name));
  const until = (file = "") => `while [ ! -e '${file}' ]; do /bin/sleep 0.02; done`;
  const second = `: > '${bare}'; ${until(on)}; . '${bare}.env'; exec sleep 300`;
  const lines = [until(go), `export -p > '${bare}.env'`, 'exec /usr/bin/env -i /bin/sh -c "$1"'];
  writeFileSync(wrapper ?? "", `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o700 });
  const spec = buildTurnSpec(rig, "", { argv: [wrapper ?? "", second] });
  const seated = await rig.seats.start(spec);
  writeFileSync(go ?? "", "");
  await waitUntil("it has no environment", () => existsSync(bare ?? ""));
  const isAlive = rig.again().alive(seated);
  await pause(200);
  writeFileSync(on ?? "", "");
  assert.equal(await isAlive, true, "it is waited for");
  assert.deepEqual(await rig.again().find(spec.work), seated);
  await rig.seats.end(spec.work);
}

async function checkOrphansDoNotCount(rig: SeatRig): Promise<void> {
  await rig.seats.open("abc1", buildRoom(rig));
  const spec = buildTurnSpec(rig, "setsid sleep 300 > /dev/null 2>&1 & sleep 0.2; exit 3");
  const seated = await rig.seats.start(spec);
  await waitUntil("the turn ends", async () => !(await rig.seats.alive(seated)));
  assert.equal((await rig.processes.find(spec.work)).length, 1, "it left an orphan");
  assert.equal(await rig.again().find(spec.work), undefined, "which is not taken for the turn");
  await rig.seats.end(spec.work);
  assert.deepEqual(await rig.processes.find(spec.work), []);
}

async function delivers(rig: SeatRig): Promise<void> {
  const notice = "Reply: it's #{1} of 2; see `messages/7.md` $HOME";
  await rig.seats.open("abc1", buildRoom(rig));
  const heard = join(rig.folder, "heard");
  await rig.seats.start(buildTurnSpec(rig, `IFS= read -r line; printf '%s' "$line" > "${heard}"; sleep 300`));
  assert.equal(await rig.again().deliver("abc1", "codex", notice), "sent");
  await waitUntil("the notice is read", () => readTextOrEmpty(heard) === notice);
}

async function checkNobodyReads(rig: SeatRig): Promise<void> {
  const deliver = (bubble: string, agent: string) => rig.seats.deliver(bubble, agent, "Reply: yes");
  await rig.seats.open("abc1", buildRoom(rig));
  assert.equal(await deliver("abc1", "codex"), "gone", "before the first turn");
  const spec = buildTurnSpec(rig, "sleep 300");
  await rig.seats.start(spec);
  assert.equal(await deliver("abc1", "claude"), "gone", "an agent without a turn");
  assert.equal(await deliver("abc", "codex"), "gone", "a bubble that is not there");
  await rig.seats.end(spec.work);
  assert.equal(await deliver("abc1", "codex"), "gone", "after the turn");
}

async function closesExactly(rig: SeatRig): Promise<void> {
  const short = buildTurnSpec(rig, "trap '' HUP; sleep 300");
  const long = buildTurnSpec(rig, "sleep 300", { bubble: "abc12" });
  await rig.seats.open("abc1", buildRoom(rig));
  await rig.seats.open("abc12", buildRoom(rig));
  await rig.seats.start(short);
  const kept = await rig.seats.start(long);
  await rig.again().close("abc1");
  assert.deepEqual(await rig.processes.find(short.work), []);
  assert.equal(await rig.seats.isOpen("abc1"), false);
  assert.equal(await rig.seats.isOpen("abc12"), true);
  assert.deepEqual(await rig.seats.find(long.work), kept);
}

async function closesTwice(rig: SeatRig): Promise<void> {
  await rig.seats.close("abc1");
  await rig.seats.open("abc1", buildRoom(rig));
  assert.equal(await rig.again().isOpen("abc1"), true);
  await rig.seats.close("abc1");
  await rig.seats.close("abc1");
  assert.equal(await rig.again().isOpen("abc1"), false);
  await rig.seats.open("abc1", buildRoom(rig));
  assert.equal(await rig.again().isOpen("abc1"), true);
}

async function checkOwnEnvironment(rig: SeatRig): Promise<void> {
  process.env.PAIRFLOW_CONTRACT_SECRET = "of the caller";
  const value = "a 'b' \"c\" ; #{d} $HOME %H \\n ~\n  second line";
  await rig.seats.open("abc1", buildRoom(rig));
  const spec = buildTurnSpec(rig, 'env; printf "[%s]" "$OWN"; echo; echo done', { env: { OWN: value } });
  await rig.seats.start(spec);
  delete process.env.PAIRFLOW_CONTRACT_SECRET;
  await waitUntil("the output is kept", () => readTextOrEmpty(spec.output).includes("done"));
  const output = readTextOrEmpty(spec.output).replaceAll("\r\n", "\n");
  assert.ok(output.includes(`[${value}]`), "its own variables arrive unchanged");
  assert.ok(output.includes(`\n${rig.given.join("=")}\n`), "the seats' variables too");
  assert.ok(output.includes(`PAIRFLOW_WORK=${spec.work}\n`), "and the marker");
  assert.ok(!output.includes("PAIRFLOW_CONTRACT_SECRET"), "and nothing of the caller's");
}
