// The whole pipeline on the real CLIs, without a terminal: a request becomes a user story with the human, a plan that the
// final gate refuses first, an implementation whose test fails first, and a signed commit.
import { describe, expect, test } from "vitest";
import { buildCriterion } from "../../src/core/paper/parts.ts";
import type { Asked, Said } from "../models/model.ts";
import { asksFor, handsIn } from "../models/papers.ts";
import { codexRuns, handoff } from "./bubble-rig.ts";
import {
  id,
  judges,
  needsClarification,
  type Parts,
  type PipelineRig,
  pipelineRig,
  saw,
  says,
} from "./pipeline-rig.ts";

const command = "sh tests/cart.sh";
const promise = "<promise>IMPLEMENTATION_COMPLETE</promise>";

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
  scope: { in_scope: ["src/cart.txt"], out_of_scope: [] },
  test_criteria: { commands: [command] },
};

const plan = (rationale: string) => ({
  title: "The right total",
  technical_approach: { pattern: "Change the number where it stands", rationale },
  steps: [
    { id: 1, phase: "tests", file: "tests/cart.sh", action: "create", description: "A test for AC1" },
    { id: 2, phase: "implementation", file: "src/cart.txt", action: "modify", description: "Say 2" },
  ],
  files_to_modify: ["src/cart.txt"],
  files_to_create: ["tests/cart.sh"],
  test_plan: { commands: [{ command }] },
});
const [vague, exact] = [plan("Totals are made somewhere"), plan("src/cart.txt:1 holds the total")];

const paper = ".pairflow/papers/plan-refined.json";
const noPlace = {
  ...{ id: "1", category: "architecture", severity: "high", title: "Names no place of the code" },
  ...{ recommendation: "Name it", file: paper, line: 6, end_line: null },
  ...{ quote: "Totals are made somewhere", why: null },
};
const mended = { prior_findings: [{ id: "F1", status: "fixed", reason: null }] };

const passesVague = judges("approved", "It fits the story", {
  checked: [saw(paper, 3, "the title is the one of the user story, and AC1 has its step")],
});
const passesExact = judges("approved", "It names its place now", {
  checked: [saw(paper, 6, "the place of the total is named, and the total is there")],
});
const passesCode = judges("approved", "It does what the plan says", {
  checked: [
    saw("src/cart.txt", 1, "the total is 2, as AC1 asks"),
    saw("tests/cart.sh", 1, "the test reads the total and fails without it"),
  ],
});

const testScript = 'grep -q "total: 2" src/cart.txt || { echo "the total is wrong"; exit 1; }\n';
const writesTest = ({ texts }: Asked): Said => {
  const worktree = /^Worktree: (\S+)$/m.exec(texts.join("\n"))?.[1];
  const input = { file_path: `${worktree}/tests/cart.sh`, content: testScript };
  return { calls: [{ tool: "Write", input }] };
};
const setsTotal = (total: number): Said => ({
  calls: [
    {
      tool: "Bash",
      input: { command: `printf 'total: ${total}\\n' > src/cart.txt`, description: "Sets the total" },
    },
  ],
});

const parts: Parts = {
  "claude-opus requirements-gatherer": [
    says("claude", asksFor("Is the total before or after tax?", ["before tax", "after tax"])),
    says("claude", handsIn("user-story", story, "One number, after tax")),
  ],
  "claude-opus planner": [
    says("claude", handsIn("plan-refined", vague, "A draft")),
    says("claude", handsIn("plan-refined", vague, "Refined")),
    says("claude", handsIn("plan-refined", exact, "F1 is fixed")),
  ],
  "sonnet plan-reviewer": [says("sonnet", passesVague), says("sonnet", { ...passesExact, ...mended })],
  "opus plan-reviewer": [
    says("opus", needsClarification("May a test be a shell script?")),
    says("opus", passesVague),
    says("opus", passesExact),
  ],
  "codex plan-reviewer": [
    codexRuns("touch planted"),
    says("codex", judges("needs_changes", "It names no place", { findings: [noPlace] })),
    says("codex", passesExact),
  ],
  "claude-sonnet implementer": [
    writesTest,
    setsTotal(3),
    says("claude", handoff(`The total is set. ${promise}`)),
    setsTotal(2),
    says("claude", handoff(`The test passes now. ${promise}`)),
  ],
  "sonnet code-reviewer": [says("sonnet", passesCode)],
  "opus code-reviewer": [says("opus", passesCode)],
  "codex code-reviewer": [says("codex", passesCode)],
};

describe("the pipeline on the real CLIs", { timeout: 300_000 }, () => {
  test("goes from a request to a signed commit", async () => {
    await using rig = await pipelineRig(parts);
    await untilStoryIsApproved(rig);
    const clarifies = await rig.rests("the plan's review");
    expect(clarifies.questions, await rig.story()).toMatchObject([
      { kind: "agent", from: "opus", text: expect.stringContaining("a shell script?") },
    ]);
    await rig.reply("--message", "It may");
    const ready = await rig.rests("the approval");
    expect(ready.state, await rig.story()).toBe("READY_FOR_APPROVAL");
    const status = JSON.parse(await rig.tool.ok("pipeline", "status", "--json"));
    expect(status).toMatchObject({ bubble: id, state: "complete", questions: [] });
    expectCast(rig);
    expectModels(rig);
    expectOneGatherer(rig);
    expectOnePlanner(rig);
    expectGate(rig);
    expectReadOnly(rig);
    expectTests(rig);
    await expectSigned(rig, ready.approval?.digest ?? "");
  });
});

/** The requirements: a question with options, its answer, the story, its approval. */
async function untilStoryIsApproved(rig: PipelineRig): Promise<void> {
  const { tool } = rig;
  const noTests = ["--no-tests", "--reason", "the plan names them"];
  await tool.run("pipeline", "Make the total right", "--id", id, ...noTests);
  const asks = await rig.rests("the gatherer's question");
  expect(asks.questions, await rig.story()).toMatchObject([
    { kind: "agent", text: "Is the total before or after tax?", options: [{}, { key: "after tax" }] },
  ]);
  await rig.reply("--choose", "after tax");
  const shown = await rig.rests("the story's approval");
  expect(shown.questions, await rig.story()).toMatchObject([
    { kind: "sign-off", text: expect.stringContaining(command) },
  ]);
  await rig.reply("--choose", "approve", "--operator-key", tool.key);
}

/** Workers continue in their sessions, critics begin anew, and so does the gate of another phase. */
function expectCast(rig: PipelineRig): void {
  expect(rig.cast()).toEqual([
    ...["claude-opus requirements-gatherer fresh", "claude-opus requirements-gatherer resumed"],
    ...["claude-opus planner fresh", "claude-opus planner resumed"],
    ...["sonnet plan-reviewer fresh", "opus plan-reviewer fresh"],
    // It has asked, and continues with the answer.
    ...["opus plan-reviewer resumed", "codex plan-reviewer fresh"],
    "claude-opus planner resumed",
    ...["sonnet plan-reviewer fresh", "opus plan-reviewer fresh", "codex plan-reviewer resumed"],
    ...["claude-sonnet implementer fresh", "claude-sonnet implementer resumed"],
    ...["sonnet code-reviewer fresh", "opus code-reviewer fresh", "codex code-reviewer fresh"],
  ]);
  const fresh = rig.all("TURN_STARTED").filter((turn) => turn.fresh);
  expect(new Set(fresh.map(({ session }) => session)).size).toBe(fresh.length);
}

/** Which model each role was answered by. */
function expectModels(rig: PipelineRig): void {
  const known = { opus: /^claude-opus/, sonnet: /^claude-sonnet/, codex: /^gpt/ };
  const wanted: Record<string, keyof typeof known> = {
    "claude-opus requirements-gatherer": "opus",
    "claude-opus planner": "opus",
    "claude-sonnet implementer": "sonnet",
    "sonnet plan-reviewer": "sonnet",
    "sonnet code-reviewer": "sonnet",
    "opus plan-reviewer": "opus",
    "opus code-reviewer": "opus",
    "codex plan-reviewer": "codex",
    "codex code-reviewer": "codex",
  };
  expect(Object.keys(wanted).sort()).toEqual(Object.keys(parts).sort());
  for (const [part, model] of Object.entries(wanted)) {
    const models = rig.asked(part).map((asked) => asked.model);
    expect(models, part).toEqual((parts[part] ?? []).map(() => expect.stringMatching(known[model])));
  }
}

/** The answer reaches the session that asked. */
function expectOneGatherer(rig: PipelineRig): void {
  const [first, second] = rig.turns("claude-opus requirements-gatherer");
  expect(second?.session).toBe(first?.session);
  expect(rig.words(first)).toContain("--session-id");
  expect(rig.words(second).join(" ")).toContain(`--resume ${first?.session} `);
  expect(rig.words(second).join(" ")).not.toContain("--continue");
  const told = rig.asked("claude-opus requirements-gatherer").at(-1)?.texts.join("\n") ?? "";
  expect(told).toContain("Gather the requirements of this request: Make the total right");
  expect(told).toContain(`Answer to your question "Is the total before or after tax?": after tax`);
}

/** Draft, refinement and mending are one session, which was told what the gate found. */
function expectOnePlanner(rig: PipelineRig): void {
  const turns = rig.turns("claude-opus planner");
  expect(new Set(turns.map(({ session }) => session)).size).toBe(1);
  const told = rig.asked("claude-opus planner").at(-1)?.texts.join("\n") ?? "";
  expect(told).toContain("Draft the implementation plan");
  expect(told).toMatch(/\*\*F1\*\* P1 Names no place of the code/);
}

/** The gate continues in the thread it has judged in, by its id, and learns what has changed since. */
function expectGate(rig: PipelineRig): void {
  const [first, again] = rig.turns("codex plan-reviewer");
  const thread = rig.all("TURN_SESSION").find(({ turn }) => turn === first?.turn)?.session;
  expect(thread).toBeTruthy();
  expect(again?.session).toBe(thread);
  expect(rig.prompt(again)).toContain("## What changed since your last review");
  expect(rig.prompt(again)).toMatch(/^-.*Totals are made somewhere.*\n\+.*src\/cart\.txt:1 holds the total/m);
  const told = rig.asked("codex plan-reviewer").at(-1)?.texts ?? [];
  expect(told.filter((text) => /^# \S+ · round/.test(text))).toEqual([rig.prompt(first), rig.prompt(again)]);
  expect(rig.turns("codex code-reviewer")[0]?.session).not.toBe(thread);
}

/** Whoever writes a paper or judges has no means to change a file. */
function expectReadOnly(rig: PipelineRig): void {
  const readers = [
    "claude-opus requirements-gatherer",
    "claude-opus planner",
    "sonnet plan-reviewer",
    "opus code-reviewer",
  ];
  for (const part of readers) {
    for (const turn of rig.turns(part)) expect(rig.words(turn).join(" "), part).toMatch(readOnlyWords);
    const tools = rig.asked(part).flatMap((asked) => asked.tools);
    expect(tools, part).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(Write|Edit)$/)]));
  }
  const [writer] = rig.turns("claude-sonnet implementer");
  expect(rig.words(writer).join(" ")).toContain("--permission-mode acceptEdits ");
  expect(rig.asked("claude-sonnet implementer")[0]?.tools).toEqual(expect.arrayContaining(["Write", "Edit"]));
  const tried = rig.asked("codex plan-reviewer")[1]?.results.at(-1);
  expect(tried).toMatchObject({ tool: "exec_command", failed: true });
  expect(tried?.text).toMatch(/read-only file system/i);
  const behindPapers = rig.all("HANDOFF").flatMap((handed) => handed.paper?.code ?? []);
  expect(behindPapers).toEqual(
    Array.from({ length: 4 }, () => rig.tool.git("rev-parse", "main^{tree}").trim()),
  );
}

const readOnlyWords = /--permission-mode default .*--disallowedTools \S*\bEdit,Write\b/s;

/** The promise alone is nothing: the referee ran the plan's command, twice, and asked no critic in between. */
function expectTests(rig: PipelineRig): void {
  const ran = rig
    .all("GATES_RESULT")
    .filter(({ clean }) => clean === undefined)
    .map(({ results }) => results.map((one) => [one.command, one.status]));
  expect(ran).toEqual([[[command, "failed"]], [[command, "passed"]]]);
  const told = rig.asked("claude-sonnet implementer").at(-1)?.texts.join("\n") ?? "";
  expect(told).toContain("the total is wrong");
}

async function expectSigned({ tool }: PipelineRig, digest: string): Promise<void> {
  const key = ["--operator-key", tool.key];
  await tool.ok("bubble", "approve", "--id", id, "--digest", digest, ...key);
  await tool.ok("bubble", "commit", "--id", id, ...key);
  expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
  expect(tool.git("show", `bubble/${id}:tests/cart.sh`)).toBe(testScript);
  const changed = tool.git("diff", "--name-only", "main", `bubble/${id}`).trim().split("\n");
  expect(changed).toEqual(["src/cart.txt", "tests/cart.sh"]);
  await tool.ok("verify", "--id", id);
}
