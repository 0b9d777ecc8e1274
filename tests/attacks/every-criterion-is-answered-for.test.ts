// The acceptance criteria of a user story and of a plan were once text in a paper: critics answered for none of them, and
// evidence for a criterion that does not exist was taken.
import { describe, expect, it } from "vitest";
import { buildPrompt } from "../../src/core/briefing/prompt.ts";
import type { Opinion } from "../../src/core/model/review/verdict.ts";
import { buildPackageView, renderPackageMarkdown } from "../../src/core/signing/package.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { proveAllPlaces } from "../../src/testing/scenario-actors.ts";
import { built, fourAgents, handsPlan, planning } from "./pipeline-in-memory.ts";

const strict = { review: { require_evidence: true } };
const judgedPlan = () => handsPlan(handsPlan(planning(fourAgents, strict))).atWork();
const wanted = "AC1 A code is entered: given a cart worth 100.00 and the code SAVE10";

const plan = {
  file: ".pairflow/papers/plan-refined.json",
  line: 3,
  why: "its first step takes the code off",
};
const code = { file: "src/cart.ts", line: 41, why: "the code is taken off before the tax is added" };

/** An approval in the pipeline's dialect, with evidence for these. */
function approval(scene: Scenario, looked: typeof plan, subjects: string[]) {
  const { tree = "" } = scene.turn;
  const opinion: Opinion = { dialect: "status", decision: "approve", sop_review: [], patterns: [], tree };
  const claim = { checked: [{ ...looked, for: subjects }], opinion };
  return scene.pass({ noFindings: true, ...claim, facts: proveAllPlaces(claim, tree) });
}

/** Everybody who is asked about it approves it. */
function approved(scene: Scenario, looked: typeof plan, role: string): Scenario {
  let at = scene;
  while (at.state.turn?.role === role) {
    const ready = at.atWork();
    at = ready.does(approval(ready, looked, ["C1"])).handsOver();
  }
  return at;
}

const told = (scene: Scenario) =>
  buildPrompt(scene.state, scene.turn, {
    ...{ roleText: "", task: "Codes", worktree: "/work", out: "/out", artifact: (name) => name },
    ...{ summary: "", voice: "verbs", resumed: false },
  });

describe("the criteria of a pipeline's user story", () => {
  it("stand in TASK, status and prompts, and are what critics of plan and code must prove", () => {
    const judging = judgedPlan();
    expect(judging.last("TASK").payload.criteria).toEqual([expect.stringContaining(wanted)]);
    const { criteria } = buildStatusView(judging.state, { now: judging.state.lastAt });
    expect(criteria).toMatchObject([{ id: "C1", text: expect.stringContaining(wanted) }]);
    expect(told(judging)).toContain(`**C1** ${wanted}`);
    judging
      .tries(
        judging.pass({
          noFindings: true,
          checked: [plan],
          facts: proveAllPlaces({ checked: [plan] }, judging.turn.tree),
        }),
      )
      .refuses("review.evidence", { details: /^C1 \(AC1 A code is entered.*no evidence$/m });
    judging.tries(approval(judging, plan, ["C1"])).accepted();

    const coded = built(approved(judging, plan, "plan-reviewer")).atWork();
    expect(coded.turn.role).toBe("code-reviewer");
    expect(told(coded)).toContain(`**C1** ${wanted}`);
    coded
      .tries(coded.pass({ noFindings: true, checked: [code] }))
      .refuses("review.evidence", { details: /C1/ });
  });

  it("are in the package, with who gave evidence for them on exactly this tree", () => {
    const done = approved(built(approved(judgedPlan(), plan, "plan-reviewer")), code, "code-reviewer");
    expect(done.state.position.step).toBe("approval");
    const text = renderPackageMarkdown(buildPackageView(done.state));
    expect(text).toMatch(/- C1 AC1 A code is entered: .* \(evidence by cleo, dan\)/);
  });
});

describe("evidence for a criterion that does not exist", () => {
  it.each([[["C2"]], [["C1", "C7"]], [["source.doc.sops.money"]]])("is refused by name: %j", (subjects) => {
    const judging = judgedPlan();
    judging.tries(approval(judging, plan, subjects)).refuses("review.unknown-subject", {
      message: new RegExp(subjects.at(-1)?.replaceAll(".", "\\.") ?? ""),
      hint: /C1/,
    });
  });
});
