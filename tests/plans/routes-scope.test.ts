// The path constraints of a plan bind whoever continues with its tasks; a refinement narrows them and never widens them.
import { describe, expect, it } from "vitest";
import { id } from "../scenarios/scene.ts";
import {
  bothCriteria,
  executes,
  holds,
  lines,
  patience,
  planned,
  refined,
  refinementPasses,
  sentBack,
  wrong,
} from "./routes-scene.ts";
import { builds, hands } from "./scene.ts";

const child = `${id}-t1`;
const refining = `${child}-plan-refinement`;
const again = `${child}-plan-and-execute`;

describe("what a refinement says about scope", { timeout: patience }, () => {
  it.each([
    [
      "does not widen the plan's",
      { in: ["**"], out: [], do_not_touch: ["README.md", "no new dependencies"] },
      "docs/tax.md",
    ],
    ["narrows it", { in: ["src/cart.txt"], out: [], do_not_touch: [] }, "src/other.txt"],
    ["does not take back what must not be touched", { in: [], out: [], do_not_touch: [] }, "README.md"],
  ])("%s", async (_what, constraints, forbidden) => {
    const trespasses = builds({ [forbidden]: "not mine\n" }, { bubble: again }, "trespassed");
    const mended = builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: again });
    const undone = { run: `git checkout -q -- . && git clean -qfd -- docs src` };
    const scene = planned({
      planner: [hands(refined({ constraints }), { bubble: refining })],
      critic: [refinementPasses(refining)],
      dev: [wrong(child), trespasses, { ...mended, steps: [undone, ...mended.steps] }],
      rev: [sentBack(child, "misscoped"), holds(again), holds(id, bothCriteria)],
    });
    expect(await executes(scene)).toMatchObject({ code: 0 });
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
    const [refused, taken] = lines(scene.tool, again, "HANDOFF").filter(({ payload }) => payload.ref);
    expect(refused?.payload.problems.join()).toContain(forbidden);
    expect(taken?.payload.problems).toEqual([]);
  });
});
