// Routes of a task that is nobody's child: whoever continues last asks for an approval of its own.
import { describe, expect, it } from "vitest";
import { id } from "../scenarios/scene.ts";
import {
  amendments,
  bubbles,
  changedIn,
  holds,
  partBuilt,
  partFiles,
  partHolds,
  partKeys,
  parts,
  patience,
  planFile,
  planned,
  refined,
  refinementPasses,
  right,
  runsAlone,
  sentBack,
  signs,
  splitPasses,
  turnsOf,
  waits,
  wholeHolds,
  wrong,
} from "./routes-scene.ts";
import { hands, stage } from "./scene.ts";

describe.each([
  ["misscoped", "plan-refinement", "planner"],
  ["architectural", "design-refinement", "architect"],
])("a task by itself that is %s", { timeout: patience }, (type, workflow, author) => {
  it(`goes through ${workflow}, and the last bubble is signed`, async () => {
    const refining = `${id}-${workflow}`;
    const again = `${id}-plan-and-execute`;
    const scene = planned({
      [author]: [hands(refined(), { bubble: refining })],
      critic: [refinementPasses(refining)],
      dev: [wrong(id), right(again)],
      rev: [sentBack(id, type), holds(again)],
    });
    const before = planFile(scene, "plan.json");
    expect(await runsAlone(scene)).toMatchObject({ code: 0 });
    await waits(scene, again, "READY_FOR_APPROVAL");
    for (const one of [id, refining])
      expect(await scene.tool.status(one)).toMatchObject({ state: "CANCELLED", end: { code: "routed" } });
    expect(changedIn(scene, again)).toEqual(["src/cart.txt"]);
    expect(amendments(scene)).toMatchObject([{ bubble: refining, by: workflow, task: id }]);
    expect(planFile(scene, "plan.json")).toBe(before);
    await signs(scene, again);
    expect(scene.tool.git("show", `bubble/${again}:src/cart.txt`)).toBe("total: 1.07\n");
    expect((await bubbles(scene)).toSorted()).toEqual([id, again, refining].toSorted());
    const listed = await scene.tool.ok("bubble", "list", "--all");
    expect(listed).toContain(`routed → ${refining}`);
    expect(listed).toContain(`routed → ${again}`);
    expect(listed).not.toContain("CANCELLED");
  });
});

describe("a task by itself that is too big", { timeout: patience }, () => {
  it("is split, and what its parts made is signed as one", async () => {
    const split = `${id}-task-decomposition`;
    const scene = planned({
      planner: [hands(parts, { bubble: split })],
      critic: [splitPasses(split)],
      dev: [wrong(id), ...partKeys.map((key) => partBuilt(key, `${split}-${key}`))],
      rev: [
        sentBack(id, "too_big"),
        ...partKeys.map((key) => partHolds(key, `${split}-${key}`)),
        wholeHolds(split),
      ],
    });
    expect(await runsAlone(scene)).toMatchObject({ code: 0 });
    await waits(scene, split, "READY_FOR_APPROVAL");
    await signs(scene, split);
    for (const key of partKeys)
      expect(scene.tool.git("show", `bubble/${split}:${partFiles[key].file}`)).toBe(partFiles[key].text);
  });

  it("and has no plan: its own record tells what changed", async () => {
    const refining = `${id}-plan-refinement`;
    const again = `${id}-plan-and-execute`;
    const scene = planned({
      planner: [hands(refined(), { bubble: refining })],
      critic: [refinementPasses(refining)],
      dev: [wrong(id), right(again)],
      rev: [sentBack(id, "misscoped"), holds(again)],
    });
    const words = ["--task", "Tell the total", "--criterion", "it is told with tax", "--test", "true"];
    await scene.tool.ok("workflow", "run", "plan-and-execute", "--id", id, "--headless", ...words);
    await waits(scene, again, "READY_FOR_APPROVAL");
    expect(amendments(scene)).toEqual([]);
  });
});

describe("a project with two agents and nothing else", { timeout: patience }, () => {
  it("has its developer refine and its reviewer judge that", async () => {
    const refining = `${id}-plan-refinement`;
    const again = `${id}-plan-and-execute`;
    const scene = stage(
      {
        dev: [wrong(id), hands(refined(), { bubble: refining }), right(again)],
        rev: [sentBack(id, "misscoped"), refinementPasses(refining), holds(again)],
      },
      { developer: "dev", reviewer: "rev" },
    );
    expect(await runsAlone(scene)).toMatchObject({ code: 0 });
    await waits(scene, again, "READY_FOR_APPROVAL");
    expect(turnsOf(scene, refining)).toEqual(["planner dev", "plan-reviewer rev"]);
    expect(turnsOf(scene, again)).toEqual(["developer dev", "reviewer rev"]);
  });
});
