// The pipeline in mode `simple` on the real CLIs: the final gate says that the work is too big, its parts are done in bubbles
// of their own, and the gate judges the whole in the session it has judged in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { buildCriterion } from "../../src/core/paper/parts.ts";
import { handsIn } from "../models/papers.ts";
import { handoff } from "./bubble-rig.ts";
import { judges } from "./pipeline-rig.ts";
import { answers, does, piece, type StoryRig, seen, storyRig, verdict } from "./story-rig.ts";

const id = "pipeline";
const command = "grep -q total src/cart.txt";

const story = {
  title: "The right total",
  requirements: { functional: ["The cart says a total of 2"], non_functional: [], constraints: [] },
  acceptance_criteria: [
    {
      id: "AC1",
      scenario: "The cart is read",
      ...buildCriterion("the cart", "it is read", "its total is 2"),
    },
  ],
  scope: { in_scope: ["src/**"], out_of_scope: [] },
  test_criteria: { commands: [command] },
};
const plan = {
  title: "The right total",
  technical_approach: { pattern: "Change the number", rationale: "src/cart.txt:1 holds it" },
  steps: [{ id: 1, phase: "implementation", file: "src/cart.txt", action: "modify", description: "Say 2" }],
  files_to_modify: ["src/cart.txt"],
  files_to_create: [],
  test_plan: { commands: [{ command }] },
  implementation: { mode: "simple" },
};
const parts = {
  diagnosis: "The change does rate and bill at once",
  change: "The rate first, then the bill",
  tasks: [
    { id: "rate", ...piece("Write the rate down in src/rate.txt", "src/rate.txt"), depends_on: [] },
    { id: "bill", ...piece("Tell the total in src/bill.txt", "src/bill.txt"), depends_on: ["rate"] },
  ],
};

const passesPlan = judges("approved", "It fits", { checked: seen(".pairflow/papers/plan-refined.json") });
const passes = (files: readonly string[], ...fixed: readonly object[]) =>
  judges("approved", "It holds", { checked: seen(...files), prior_findings: fixed });
const [cart, rate, bill] = ["src/cart.txt", "src/rate.txt", "src/bill.txt"];
const whole = [cart, rate, bill];
const tooBig = {
  rejection_type: "too_big",
  findings: [
    {
      ...{ id: "1", category: "quality", severity: "high", title: "Rate and bill are two things more" },
      ...{ recommendation: "Split it", file: cart, line: 1, end_line: null, quote: "total: 2", why: null },
    },
  ],
};
/** Nothing changed where it was found: the parts lie elsewhere. */
const isSplit = { id: "F1", status: "fixed", reason: "src/rate.txt:1 and src/bill.txt:1 are there now" };

const lines = {
  [`${id} requirements-gatherer`]: [answers(handsIn("user-story", story, "One number"))],
  [`${id} planner`]: [
    answers(handsIn("plan-refined", plan, "A draft")),
    answers(handsIn("plan-refined", plan, "Refined")),
  ],
  [`${id} plan-reviewer`]: [answers(passesPlan), answers(passesPlan), answers(passesPlan)],
  [`${id} implementer`]: [does("echo 'total: 2' > src/cart.txt"), answers(handoff("The total is set"))],
  [`${id} sonnet code-reviewer`]: [answers(passes([cart])), answers(passes(whole, isSplit))],
  [`${id} opus code-reviewer`]: [answers(passes([cart])), answers(passes(whole))],
  [`${id} codex code-reviewer`]: [
    answers(judges("needs_changes", "Split it", tooBig)),
    answers(passes(whole)),
  ],
  [`${id}-parts planner`]: [answers(handsIn("decomposition", parts, "Two parts"))],
  [`${id}-parts plan-reviewer`]: [
    answers(judges("approved", "Two parts", { checked: seen(".pairflow/papers/decomposition.json") })),
  ],
  [`${id}-parts-rate developer`]: [does("echo 'rate: 7' > src/rate.txt"), answers(handoff("The rate"))],
  [`${id}-parts-rate reviewer`]: [answers(verdict(null, rate))],
  [`${id}-parts-bill developer`]: [does("echo 'bill: 2' > src/bill.txt"), answers(handoff("The bill"))],
  [`${id}-parts-bill reviewer`]: [answers(verdict(null, bill))],
  [`${id}-parts reviewer`]: [answers(verdict(null, rate, bill))],
};

describe("the pipeline in mode simple on the real CLIs", { timeout: 600_000 }, () => {
  test("splits what is too big, and its gate continues where it has judged", async () => {
    await using rig = await storyRig(lines);
    const { tool } = rig;
    const noTests = ["--no-tests", "--reason", "the plan names them"];
    await tool.run("pipeline", "Make the total right", "--id", id, ...noTests);
    await rig.rests(id);
    await tool.ok("bubble", "reply", "--id", id, "--choose", "approve", "--operator-key", tool.key);
    const told = () => tool.ok("log", "--id", id, "--all");
    expect((await rig.rests(id)).state, await told()).toBe("READY_FOR_APPROVAL");
    expect(rig.cast(id).slice(6)).toEqual([
      "claude-sonnet implementer fresh",
      ...["sonnet code-reviewer fresh", "opus code-reviewer fresh", "codex code-reviewer fresh"],
      ...["sonnet code-reviewer fresh", "opus code-reviewer fresh", "codex code-reviewer resumed"],
    ]);
    const results = rig.all(`${id}-parts`, "RUN_RESULT");
    expect(results).toMatchObject([{ result: "approved" }]);
    expectGate(rig);
    await rig.signs(id);
    expect(tool.git("diff", "--name-only", "main", `bubble/${id}`).trim().split("\n")).toEqual(whole.sort());
  });
});

/** By the id that was recorded when it judged first, with what has changed since; the plan's gate has another one. */
function expectGate(rig: StoryRig): void {
  const [, first, again] = rig.all(id, "TURN_STARTED").filter(({ agent }) => agent === "codex");
  const sessions = rig.all(id, "TURN_SESSION");
  expect(sessions.map(({ turn }) => turn)).toContain(first?.turn);
  expect(again?.session).toBe(sessions.find(({ turn }) => turn === first?.turn)?.session);
  const folder = join(rig.tool.repo, ".pairflow", "bubbles", id, "artifacts");
  const prompts = [first, again].map((turn) => readFileSync(join(folder, turn?.prompt ?? ""), "utf8"));
  expect(prompts[1]).toMatch(/## What changed since your last review[\s\S]*^\+bill: 2$[\s\S]*^\+rate: 7$/m);
  const known = rig.asked(`${id} codex code-reviewer`).at(-1)?.texts ?? [];
  expect(known.filter((text) => /^# \S+ · round/.test(text))).toEqual(prompts);
}
