// Everybody is killed in the midst of a route. Whoever continues finds one successor, one amendment, and the same end.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventually, id, type Scene } from "../scenarios/scene.ts";
import {
  amendments,
  bothCriteria,
  bubbles,
  executes,
  holds,
  lines,
  patience,
  planFile,
  planned,
  refined,
  refinementPasses,
  reports,
  right,
  runsAlone,
  sentBack,
  signs,
  turnsOf,
  waits,
  wrong,
} from "./routes-scene.ts";
import { hands } from "./scene.ts";

/** Every process that works for this repository, agents and drivers alike. */
function killEverybody({ tool }: Scene): number {
  const listed = execFileSync("ps", ["axww", "-o", "pid=,command="], { encoding: "utf8" });
  const pids = listed.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(.*)$/.exec(line);
    return found?.[1] && found[2]?.includes(tool.repo) ? [Number(found[1])] : [];
  });
  const driving = [...pids, ...driversOf(tool)].filter((pid) => pid !== process.pid);
  for (const pid of new Set(driving)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // Gone meanwhile.
    }
  }
  return driving.length;
}

/** Drivers that a terminal runs name no repository; the record knows their pids. */
const driversOf = (tool: Scene["tool"]): number[] =>
  existsSync(tool.transcript(id)) ? lines(tool, id, "DRIVER_CLAIMED").map(({ payload }) => payload.pid) : [];

const story = (child: string) => {
  const refining = `${child}-plan-refinement`;
  const again = `${child}-plan-and-execute`;
  const scene = planned({
    planner: [hands(refined(), { bubble: refining })],
    critic: [refinementPasses(refining)],
    dev: [wrong(child), right(again)],
    rev: [sentBack(child, "misscoped"), holds(again), ...(child === id ? [] : [holds(id, bothCriteria)])],
  });
  return { scene, refining, again };
};

type Story = ReturnType<typeof story>;

const isOnRecord = ({ tool }: Scene, bubble: string, type: "TURN_STARTED" | "CHILD_REPORTED") =>
  existsSync(tool.transcript(bubble)) && lines(tool, bubble, type).length > 0;

const moments: [string, (told: Story) => boolean][] = [
  ["the refinement has just been made", ({ scene, refining }) => existsSync(scene.tool.transcript(refining))],
  ["the planner is at work", ({ scene, refining }) => isOnRecord(scene, refining, "TURN_STARTED")],
  ["the plan has just been amended", ({ scene }) => amendments(scene).length > 0],
  ["the task has just begun again", ({ scene, again }) => existsSync(scene.tool.transcript(again))],
  ["the developer is at work again", ({ scene, again }) => isOnRecord(scene, again, "TURN_STARTED")],
];

describe("everybody is killed when", { timeout: patience }, () => {
  it.each(moments)("%s, and the parent continues", async (_when, isThere) => {
    const child = `${id}-t1`;
    const told = story(child);
    const { scene, refining, again } = told;
    const before = planFile(scene, "plan.json");
    const running = executes(scene);
    await eventually("the moment comes", () => isThere(told));
    expect(killEverybody(scene)).toBeGreaterThan(0);
    expect((await running).code).not.toBe(0);
    await scene.tool.ok("bubble", "resume", "--id", id, "--headless");
    await waits(scene, id, "READY_FOR_APPROVAL");
    expect(await bubbles(scene)).toEqual([id, child, refining, again].sort());
    expect(amendments(scene)).toHaveLength(1);
    expect(planFile(scene, "plan.json")).toBe(before);
    expect(reports(scene, id)).toEqual([
      `t1 ${child} routed`,
      `t1 ${refining} routed`,
      `t1 ${again} completed`,
    ]);
    for (const bubble of [child, refining, again]) expect(turnsOf(scene, bubble)).toHaveLength(2);
    await signs(scene, id);
    expect(scene.committed("src/cart.txt")).toBe("total: 1.07\n");
  });

  it("a task by itself was sent back, and whoever continued is resumed by its name", async () => {
    const told = story(id);
    const { scene, refining, again } = told;
    const running = runsAlone(scene);
    await eventually("the refinement is made", () => isOnRecord(scene, refining, "TURN_STARTED"));
    killEverybody(scene);
    await running;
    if ((await scene.status()).state !== "CANCELLED")
      await scene.tool.ok("bubble", "resume", "--id", id, "--headless");
    await scene.tool.ok("bubble", "resume", "--id", refining, "--headless");
    await waits(scene, again, "READY_FOR_APPROVAL");
    expect(await bubbles(scene)).toEqual([id, refining, again].sort());
    expect(amendments(scene)).toHaveLength(1);
  });
});
