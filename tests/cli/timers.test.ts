// Time in a workflow: waits and limits come from the record, so that they outlive every process that waits for them.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { killProcess } from "../helpers/kill.ts";
import { eventually } from "../scenarios/scene.ts";
import { configure, linesOf, makes, run, walked } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

function repository(steps: readonly object[], turn: unknown, rest: object = {}): Rig {
  const tool = rig();
  rigs.push(tool);
  tool.write("flows/timed.json", JSON.stringify({ id: "timed", max_iterations: 2, ...rest, steps }));
  configure(tool, { dev: [turn] });
  return tool;
}

const developer = {
  name: "developer",
  action: { type: "publish_agent", subject: "agent.task.development", role: "developer", prompt: "Do it" },
};
const over = {
  name: "over",
  action: { type: "publish", subject: "workflow.events", payload: { event: "over" } },
};
const pause = (seconds: number) => ({ name: "pause", kind: "wait", seconds, on: { done: "over" } });
const writes = makes("a.txt", "a\n");
const flags = ["--id", "timed", "--task", "Do it", "--agent", "developer=dev"];

const timeOf = (tool: Rig, step: string, key: "from" | "to") =>
  Date.parse(
    linesOf(tool.log("timed"), "STEP_ADVANCED").find(({ payload }) => payload[key] === step)?.ts ?? "",
  );

/** Waits until it pauses, and ends its driver there; looked up in the record, which takes no time of the pause. */
async function killedInPause(tool: Rig): Promise<void> {
  await eventually("it pauses", () => timeOf(tool, "pause", "to") > 0);
  const pid = linesOf(tool.log("timed"), "DRIVER_CLAIMED").at(-1)?.payload.pid ?? 0;
  await killProcess(pid);
}

/** The same repository at another time: its commands begin with this clock. */
function atTime(tool: Rig, time: number): Rig {
  const shift = join(tool.folder, "clock-shift");
  writeFileSync(shift, String(time - Date.now()));
  return tool.with({ PAIRFLOW_CLOCK_SHIFT_FILE: shift });
}

describe.concurrent("a wait", () => {
  it("lasts as long as it says, and the run continues by itself", async () => {
    const tool = repository([{ ...developer, on_success: "pause" }, pause(1.5), over], writes);
    expect(await run(tool, "flows/timed.json", ...flags)).toMatchObject({ code: 0 });
    const lasted = timeOf(tool, "pause", "from") - timeOf(tool, "pause", "to");
    expect(lasted).toBeGreaterThanOrEqual(1500);
    expect(lasted).toBeLessThan(15_000);
    expect(walked(tool.log("timed"))).toContain("over done");
  });

  it("outlives a driver that was killed, and does not begin anew", async () => {
    const tool = repository([{ ...developer, on_success: "pause" }, pause(3600), over], writes);
    await run(tool, "flows/timed.json", ...flags, "--detach");
    await killedInPause(tool);
    expect(walked(tool.log("timed"))).toEqual(["developer success"]);
    const due = timeOf(tool, "pause", "to") + 3_600_000;
    // Nobody drove it for almost an hour.
    await atTime(tool, due - 1500).ok("bubble", "resume", "--id", "timed", "--headless");
    const ended = timeOf(tool, "pause", "from");
    expect(ended).toBeGreaterThanOrEqual(due);
    // Begun anew by the next driver, it would last another hour from there.
    const claimed = Date.parse(linesOf(tool.log("timed"), "DRIVER_CLAIMED").at(-1)?.ts ?? "");
    expect(ended - Math.max(due, claimed)).toBeLessThan(2900);
  });

  it("that came to its end while nothing ran is over at once", async () => {
    const tool = repository([{ ...developer, on_success: "pause" }, pause(3600), over], writes);
    await run(tool, "flows/timed.json", ...flags, "--detach");
    await killedInPause(tool);
    expect(walked(tool.log("timed"))).toEqual(["developer success"]);
    const later = atTime(tool, timeOf(tool, "pause", "to") + 3_600_500);
    await later.ok("bubble", "resume", "--id", "timed", "--headless");
    expect(walked(tool.log("timed")).slice(1, 3)).toEqual(["pause done", "over done"]);
  });
});

describe.concurrent("a limit", () => {
  it("of a step ends the turn that takes too long, as a failure of the step", async () => {
    const slow = { ...developer, timeout: "2s", on_success: "over", on_fail: "late" };
    const late = { name: "late", action: { type: "publish", subject: "workflow.events", payload: {} } };
    const tool = repository([slow, over, late], { steps: [{ hang: true }] });
    await run(tool, "flows/timed.json", ...flags);
    expect(walked(tool.log("timed"))[0]).toBe("developer fail");
    expect(walked(tool.log("timed"))[1]).toBe("late done");
    expect(timeOf(tool, "developer", "from") - timeOf(tool, "developer", "to")).toBeGreaterThanOrEqual(2000);
  });

  it("of the whole run asks a human", async () => {
    const tool = repository([{ ...developer, on_success: "pause" }, pause(3600), over], writes, {
      timeout: "4s",
    });
    await run(tool, "flows/timed.json", ...flags);
    expect(await tool.status("timed")).toMatchObject({ state: "WAITING_HUMAN" });
    expect(walked(tool.log("timed"))).not.toContain("pause done");
  });
});
