// Moments that a workflow names come when they were due, whoever drives; and what people decide while nobody drives is
// honoured by whoever drives next.
import { afterAll, describe, expect, it } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { configure, linesOf, makes } from "../cli/workflow-scene.ts";
import { killProcess } from "../helpers/kill.ts";
import { eventually } from "../scenarios/scene.ts";

const id = "b1";
const toleranceMs = 500;
const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

/** A started run of this workflow, driven in the background. */
async function started(
  workflow: string,
  codex: readonly unknown[],
  claude: readonly unknown[] = [makes("x", "x")],
) {
  const tool = rig();
  rigs.push(tool);
  tool.write("flows/work.yaml", workflow);
  configure(tool, { codex, claude });
  await tool.ok(
    ...["bubble", "create", "--id", id, "--task", "Write it", "--test", "true"],
    ...["--workflow", "flows/work.yaml"],
  );
  await tool.ok("bubble", "start", "--id", id, "--headless", "--detach");
  return tool;
}

const entered = (tool: Rig, step: string) =>
  linesOf(tool.log(id), "STEP_ADVANCED").find(({ payload }) => payload.to === step);
const left = (tool: Rig, step: string) =>
  linesOf(tool.log(id), "STEP_ADVANCED").find(({ payload }) => payload.from === step);
const at = (line: Envelope | undefined) => Date.parse(line?.ts ?? "");

/**
 * The moment it was due, `ms` after the step was entered; or when the newest driver took over, where that was later, as on
 * a busy machine: a moment that is over is acted upon at once.
 */
function dueAt(tool: Rig, step: string, ms: number): number {
  return Math.max(at(entered(tool, step)) + ms, at(linesOf(tool.log(id), "DRIVER_CLAIMED").at(-1)));
}

async function enters(tool: Rig, step: string): Promise<void> {
  await eventually(`it is at ${step}`, () => entered(tool, step) !== undefined);
}

/** The newest driver is killed, and nobody drives any more. */
async function killDriver(tool: Rig): Promise<void> {
  const claims = () => linesOf(tool.log(id), "DRIVER_CLAIMED");
  await eventually("somebody drives", () => claims().length > 0);
  const pid = claims().at(-1)?.payload.pid;
  if (!pid) throw new Error("no driver has claimed this run");
  await killProcess(pid);
  await tool.until(id, ({ driver }) => !driver.alive, "nobody drives");
}

const resting = `
id: resting
start: rest
steps:
  - { name: rest, kind: wait, seconds: 6, on: { done: work } }
  - { name: work, kind: turn, role: implementer, session: resumed, answer: handoff, on: { success: sign, refused: work } }
  - { name: sign, kind: approval, on: {} }
`;

const hurried = `
id: hurried
start: work
steps:
  - { name: work, kind: turn, role: implementer, session: resumed, answer: handoff, timeout_s: 8, on: { success: sign, refused: work, fail: sorry } }
  - { name: sorry, kind: question, ask: stuck, on: { accept: sign, continue: work, reject: $cancel } }
  - { name: sign, kind: approval, on: {} }
`;

const signed = `
tasks:
  design:
    agent: implementer
    outputs: [design.md]
    overlays:
      hil: { enabled: true, requires_human: true }
  build: { agent: implementer, depends_on: [design] }
`;

describe.concurrent("a moment that a workflow names", () => {
  it("is the end of a wait, also for the driver after a killed one", { timeout: 60_000 }, async () => {
    const tool = await started(resting, [makes("design.md", "done\n")]);
    await enters(tool, "rest");
    await killDriver(tool);
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect(await tool.status(id)).toMatchObject({ state: "READY_FOR_APPROVAL" });
    const late = at(left(tool, "rest")) - dueAt(tool, "rest", 6000);
    expect(Math.abs(late), `it came ${late} ms late`).toBeLessThanOrEqual(toleranceMs);
    expect(linesOf(tool.log(id), "DRIVER_CLAIMED").length).toBe(2);
  });

  it("is the end of a wait that was over while nobody drove", { timeout: 60_000 }, async () => {
    const tool = await started(resting.replace("seconds: 6", "seconds: 2"), [makes("design.md", "done\n")]);
    await enters(tool, "rest");
    await killDriver(tool);
    await eventually("the wait is over", () => Date.now() - at(entered(tool, "rest")) > 3000);
    expect(left(tool, "rest"), "nobody drives").toBeUndefined();
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    const claimed = at(linesOf(tool.log(id), "DRIVER_CLAIMED").at(-1));
    expect(at(left(tool, "rest")) - claimed, "it ends as soon as somebody drives").toBeLessThan(toleranceMs);
  });

  it("is the end of a step's time, also for the driver after a killed one", { timeout: 60_000 }, async () => {
    const tool = await started(hurried, [{ steps: [{ hang: true }] }]);
    await eventually("the agent's process runs", () => linesOf(tool.log(id), "TURN_SPAWNED").length > 0);
    await killDriver(tool);
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    expect(await tool.status(id)).toMatchObject({ state: "WAITING_HUMAN", questions: [{ kind: "stuck" }] });
    expect(linesOf(tool.log(id), "TURN_STARTED"), "the living turn was adopted").toHaveLength(1);
    const [end] = linesOf(tool.log(id), "TURN_ENDED");
    expect(end?.payload).toMatchObject({ outcome: "timed-out" });
    const late = at(end) - dueAt(tool, "work", 8000);
    expect(Math.abs(late), `it came ${late} ms late`).toBeLessThanOrEqual(toleranceMs);
  });
});

describe.concurrent("a decision given while nobody drives", () => {
  const turns = ["one", "two", "three"].map((text) => makes("design.md", `${text}\n`));
  const builds = makes("build.md", "built\n");
  const key = (tool: Rig) => ["--operator-key", tool.key];

  it("is a reply, a step taken back and an unlocked artifact: each counts for the next driver", {
    timeout: 120_000,
  }, async () => {
    const tool = await started(signed, [
      turns[0],
      // Changes what is locked: refused until a human unlocks it.
      { steps: [{ write: { path: "design.md", text: "other\n" } }, ...builds.steps] },
      {
        steps: [
          { write: { path: "design.md", text: "other\n" } },
          { pass: { summary: "again", ...fullPackage } },
        ],
      },
      turns[2],
      builds,
    ]);
    const waits = ({ state, driver }: { state: string; driver: { alive: boolean } }) =>
      state === "WAITING_HUMAN" && !driver.alive;
    await tool.until(id, waits, "a signature is asked for, and nobody drives");
    await tool.ok("bubble", "reply", "--id", id, "--choose", "approve", "--message", "seen", ...key(tool));
    await eventually("a handoff has problems", () =>
      linesOf(tool.log(id), "HANDOFF").some(({ payload }) => payload.problems.length > 0),
    );
    await killDriver(tool);
    await tool.ok(
      "bubble",
      "unlock",
      "--id",
      id,
      "--path",
      "design.md",
      "--reason",
      "found a gap",
      ...key(tool),
    );
    await tool.ok("bubble", "resume", "--id", id, "--headless");
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for");
    expect(linesOf(tool.log(id), "HANDOFF").at(-1)?.payload.problems).toEqual([]);

    await tool.ok("workflow", "redo", "--id", id, "--step", "design", "--reason", "another interface");
    await tool.until(id, waits, "the new design asks for a signature");
    expect(linesOf(tool.log(id), "TASK_STARTED").map(({ payload }) => payload.task)).toEqual([
      "design",
      "build",
    ]);
    await tool.ok("bubble", "reply", "--id", id, "--choose", "approve", "--message", "seen", ...key(tool));
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for again");
    const ended = linesOf(tool.log(id), "TASK_ENDED").map(
      ({ payload }) => `${payload.task} ${payload.status}`,
    );
    expect(ended).toEqual(["design completed", "build completed", "design completed", "build completed"]);
  });
});
