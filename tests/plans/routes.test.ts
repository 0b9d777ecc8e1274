// Routes through `auto`: a task that is sent back is cut or designed anew, done again from where it began, and completes
// the key its parent waits for.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readTree } from "../../src/app/execute/read-tree.ts";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { id } from "../scenarios/scene.ts";
import {
  amendments,
  bothCriteria,
  changedIn,
  executes,
  first,
  holds,
  lines,
  partBuilt,
  partFiles,
  partHolds,
  partKeys,
  parts,
  patience,
  planFile,
  planned,
  refined,
  refinementObjected,
  refinementPasses,
  reports,
  right,
  sentBack,
  signs,
  splitPasses,
  taskIdOf,
  turnsOf,
  wholeHolds,
  wrong,
} from "./routes-scene.ts";
import { hands } from "./scene.ts";

const child = `${id}-t2`;
/** The plan has one task, and it is not called like the first one. */
const second = { ...first, id: "t2" };

describe.each([
  ["misscoped", "plan-refinement", "planner"],
  ["architectural", "design-refinement", "architect"],
])("a task that is %s", { timeout: patience }, (type, workflow, author) => {
  it(`is given anew by the ${author}, done from where it began, and completes its parent's key`, async () => {
    const refining = `${child}-${workflow}`;
    const again = `${child}-plan-and-execute`;
    const scene = planned({
      [author]: [
        hands(refined({ change: "The rate is somewhere" }), { bubble: refining }),
        hands(refined(), { bubble: refining }),
      ],
      critic: [
        refinementObjected(refining),
        refinementPasses(refining, [{ id: "F1", status: "fixed", reason: "it says now where the rate is" }]),
      ],
      dev: [wrong(child), right(again)],
      rev: [sentBack(child, type), holds(again), holds(id, bothCriteria)],
    });
    const before = planFile(scene, "plan.json");
    const done = await executes(scene, [second]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
    const tree = await readTree(createRecordWorld(scene.tool.repo), id);
    // Who has handed the task on has not failed.
    expect(tree.children.find(({ key }) => key === "t2")?.children).toMatchObject([
      { key: workflow, state: "done" },
      { key: "plan-and-execute", state: "done" },
    ]);
    expect(turnsOf(scene, refining)).toEqual([
      `${author} ${author}`,
      "plan-reviewer critic",
      `${author} ${author}`,
      "plan-reviewer critic",
    ]);
    expect(amendments(scene)).toEqual([
      {
        bubble: refining,
        at: expect.any(String),
        by: workflow,
        task: "totals.t2",
        diagnosis: refined().diagnosis,
        change: refined().change,
      },
    ]);
    expect(planFile(scene, "plan.json")).toBe(before);
    expect(changedIn(scene, again)).toEqual(["src/cart.txt"]);
    expect(taskIdOf(scene, again)).toBe("totals.t2");
    expect(reports(scene, id)).toEqual([
      `t2 ${child} routed`,
      `t2 ${refining} routed`,
      `t2 ${again} completed`,
    ]);
    await signs(scene, id);
    expect(scene.committed("src/cart.txt")).toBe("total: 1.07\n");
    expect(() => scene.committed("src/left-over.txt")).toThrow();
  });
});

describe("a task that is too big", { timeout: patience }, () => {
  it("is split; its parts run by their order, are judged as one, and complete its parent's key", async () => {
    const split = `${child}-task-decomposition`;
    const scene = planned({
      planner: [hands(parts, { bubble: split })],
      critic: [splitPasses(split)],
      dev: [wrong(child), ...partKeys.map((key) => partBuilt(key, `${split}-${key}`))],
      rev: [
        sentBack(child, "too_big"),
        ...partKeys.map((key) => partHolds(key, `${split}-${key}`)),
        wholeHolds(split),
        wholeHolds(id, bothCriteria),
      ],
    });
    const before = planFile(scene, "plan.json");
    const done = await executes(scene, [second]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
    expect(reports(scene, id)).toEqual([`t2 ${child} routed`, `t2 ${split} completed`]);
    // The task names what was rejected; a prompt says where that is on this machine.
    const text = async (name: string) =>
      new TextDecoder().decode(await createRecordWorld(scene.tool.repo).records.get(split, name));
    expect(await text("task.md")).toContain(`artifact://${child}/round-`);
    const [shown] = /\/\S+\.diff/.exec(await text("prompts/t1.1-planner.md")) ?? [];
    expect(readFileSync(shown ?? "", "utf8")).toContain("+++ b/src/");
    expect(turnsOf(scene, split)).toEqual(["planner planner", "plan-reviewer critic", "reviewer rev"]);
    const [together, last] = lines(scene.tool, split, "CHILDREN_OPENED").map(({ payload }) =>
      payload.children.map(({ key }) => key),
    );
    expect([together, last]).toEqual([["rate", "receipt"], ["total"]]);
    expect(amendments(scene)).toMatchObject([{ bubble: split, by: "task-decomposition", task: "totals.t2" }]);
    expect(partKeys.map((key) => taskIdOf(scene, `${split}-${key}`))).toEqual(
      partKeys.map((key) => `totals.t2.${key}`),
    );
    expect(planFile(scene, "plan.json")).toBe(before);
    await signs(scene, id);
    for (const key of partKeys) expect(scene.committed(partFiles[key].file)).toBe(partFiles[key].text);
    expect(() => scene.committed("src/left-over.txt")).toThrow();
  });
});
