// From a request to a commit, with everything on the way that the specification knows: questions with options, a plan refused before
// the gate and at it, a failing test, a missing promise, a reviewer that must ask first, work that is too big, and one signature.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectShown } from "../helpers/shown.ts";
import { passes, task, verdict } from "../plans/scene.ts";
import {
  builds,
  check,
  codePassed,
  firstAsks,
  hands,
  id,
  isFine,
  makes,
  Pipeline,
  plan,
  planPassed,
  planRefused,
  promise,
  request,
  story,
  tooBig,
} from "./scene.ts";

const because = (rationale: string) =>
  hands(plan({ technical_approach: { pattern: "One line", rationale } }));

const split = {
  diagnosis: "The change does rate and bill at once",
  change: "The rate first, then the bill",
  tasks: [
    task("rate", "Write the rate down in src/rate.txt", ["src/rate.txt"]),
    task("bill", "Tell the total on the bill, in src/bill.txt", ["src/bill.txt"], { depends_on: ["rate"] }),
  ],
};
const rate = { file: "src/rate.txt", quote: "rate: 7" };
const bill = { file: "src/bill.txt", quote: "bill: 1.07" };
const cart = { file: "src/cart.txt", quote: "total: 1.07" };
const seen = (...places: readonly { file: string; quote: string }[]) => ({
  checked: places.map((place) => ({
    for: ["C1"],
    line: 1,
    why: `the line ${place.quote} is what the plan asks for`,
    ...place,
  })),
});
const both = seen(rate, bill);
/** Of the whole, with the parts in it. */
const allPassed = (...fixed: string[]) =>
  passes({
    ...cart,
    prior: fixed.map((one) => ({ id: one, status: "fixed", reason: "src/rate.txt:1 and src/bill.txt:1" })),
    over: seen(cart, rate, bill),
  });

const eventful = {
  gatherer: [{ steps: [{ ask: { question: "Which rate?", options: ["7 %", "19 %"] } }, { paper: story() }] }],
  planner: [
    because("a draft"),
    because("refined"),
    because("mended F1"),
    because("mended F2"),
    because("mended F3"),
    hands(split, { bubble: "*-parts" }),
  ],
  builder: [
    makes("total: 1\n# tax\n", "a first try"),
    makes("total: 1.07\n", "the tax is in it"),
    makes("total: 1.07\n# with tax\n", `all is done ${promise}`),
    builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-parts-rate" }),
    builds({ "src/bill.txt": "bill: 1.07\n" }, { bubble: "*-parts-bill" }),
  ],
  sonnet: [
    planPassed(),
    planRefused("The steps name no test", "mended F2", "F2"),
    planPassed(),
    firstAsks(
      { question: "May the rate change?", options: ["yes", "no"], context: "It is stored with the cart" },
      codePassed(),
    ),
    allPassed("F4"),
    passes(
      { file: ".pairflow/papers/decomposition.json", line: 2, quote: "rate and bill at once" },
      { bubble: "*-parts" },
    ),
    verdict({ ...rate, over: both }, { bubble: "*-parts" }),
    verdict(rate, { bubble: "*-parts-rate" }),
    verdict(bill, { bubble: "*-parts-bill" }),
  ],
  opus: [
    planRefused("No word about rounding", "refined"),
    planPassed("F3"),
    tooBig("Rate and bill are two things more"),
    allPassed(),
  ],
  codex: [planRefused("The rate is not written down", "mended F1", "F1"), planPassed(), allPassed()],
};

test("a request becomes a commit, and the human is asked only where only a human can say", {
  timeout: 240_000,
}, async () => {
  const scene = new Pipeline(eventful);
  const started = await scene.starts();
  isFine(started);
  expectShown(
    "docs/pipeline.md",
    '$ pairflow pipeline "Tell the total with tax"',
    `${started.stderr}${started.stdout}`,
  );

  const asked = await scene.shows();
  expect(asked).toMatchObject({ bubble: id, state: "requirements_gathering", interactive: true, request });
  expect(asked.questions).toMatchObject([{ from: "gatherer", text: "Which rate?" }]);
  expect(asked.questions[0]?.options.map(({ key }) => key)).toEqual(["7 %", "19 %"]);
  const signal = scene.document("worker-signal.json");
  expect(signal).toMatchObject({
    worker_id: `requirements-gatherer-${signal.agent_id}`,
    phase: "requirements",
    status: "needs_input",
    questions: [{ question: "Which rate?", options: ["7 %", "19 %"], context: "" }],
  });

  const signing = await scene.says(["--choose", "7 %", "--message", ""]);
  expect(signing).toMatchObject({ state: "requirements_gathering", step: "story_approval" });
  expect(scene.document("user-story.json")).not.toHaveProperty("approved_at");
  expect(scene.turnsOf()).toEqual(["requirements-gatherer gatherer"]);

  const unclear = await scene.approvesStory();
  expect(unclear, scene.told()).toMatchObject({
    state: "needs_user_input",
    phase: "implementing_loop",
    interactive: true,
  });
  const clarified = {
    from: "sonnet",
    text: "May the rate change?\n\nIt is stored with the cart",
    options: [{ key: "yes" }, { key: "no" }],
    command: expect.stringContaining("--choose yes|no"),
  };
  expect(unclear.questions).toMatchObject([{ bubble: id, ...clarified }]);
  expect(JSON.parse(await scene.tool.ok("inbox", "--json"))).toMatchObject({ items: [clarified] });
  expect((await scene.tool.status(id)).questions).toMatchObject([{ options: clarified.options }]);
  const shown = await scene.tool.ok("bubble", "status", "--id", id);
  expect(shown).toMatch(/answers +yes\n +no/);
  expect(scene.document("user-story.json")).toMatchObject({ approved_by: "user" });
  expect(unclear.phases.find(({ phase }) => phase === "plan")).toMatchObject({
    restarts: { now: 1, limit: 10 },
  });
  expect(
    unclear.reviews.filter(({ phase }) => phase === "plan").map(({ name, status }) => `${name} ${status}`),
  ).toEqual([
    "sonnet approved",
    "opus needs_changes",
    "codex needs_changes",
    "sonnet needs_changes",
    "opus approved",
    "codex approved",
    "sonnet approved",
  ]);
  expect(scene.document("review-sonnet.json")).toMatchObject({
    reviewer: "code-reviewer",
    status: "needs_clarification",
  });
  expect(scene.document("review-codex.json")).toBeNull();
  expect(scene.document("impl-result.json")).toMatchObject({
    status: "partial",
    files_modified: ["src/cart.txt"],
    tests: { passing: 2, failing: 0 },
  });
  expect(scene.document("loop-state.json")).toMatchObject({
    active: true,
    max_iterations: 10,
    completion_promise: promise,
  });

  // Views are for people: without them it continues as before, and the next change writes them again.
  rmSync(join(scene.tool.repo, ".pairflow/bubbles", id, "artifacts/loop-state.json"));
  const done = await scene.says(["--message", "No, it is fixed by law"]);
  expect(done, scene.told()).toMatchObject({ state: "complete", lifecycle: "READY_FOR_APPROVAL" });
  expect(scene.document("loop-state.json")).toMatchObject({ active: false });
  expect(scene.document("state.json")).toEqual({ state: "complete", since: done.since });
  expect(scene.turnsOf().slice(-8)).toEqual([
    "implementer builder",
    "implementer builder",
    "implementer builder",
    "code-reviewer sonnet",
    "code-reviewer opus",
    // Opus has sent it away as too big: it comes back in parts, and all begin again.
    "code-reviewer sonnet",
    "code-reviewer opus",
    "code-reviewer codex",
  ]);
  expect(scene.turnsOf(`${id}-parts`)).toEqual([
    "planner planner",
    "plan-reviewer sonnet",
    "reviewer sonnet",
  ]);
  expect(scene.turnsOf(`${id}-parts-bill`)).toEqual(["developer builder", "reviewer sonnet"]);

  const report = await scene.tool.ok("pipeline", "report");
  expect(report).toContain("on the final tree: sonnet ✓  opus ✓  codex ✓");
  expectShown("docs/pipeline.md", "$ pairflow log", await scene.tool.ok("log", "--id", id));
  expectShown("docs/pipeline.md", "$ pairflow pipeline report", report);
  await scene.signs();
  expect(scene.tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 1.07\n# with tax\n");
  expect(scene.tool.git("show", `bubble/${id}:src/bill.txt`)).toBe("bill: 1.07\n");
  expect(await scene.shows()).toMatchObject({ state: "complete", lifecycle: "DONE" });
});

test("each review is kept under its phase, its round and its tree", async () => {
  const scene = new Pipeline();
  isFine(await scene.starts());
  const { reviews } = await scene.approvesStory();
  expect(reviews).toHaveLength(6);
  for (const { phase, round, name, tree, model } of reviews) {
    expect(scene.document(`reviews/${phase}-r${round}-${name}-${tree?.slice(0, 8)}.json`)).toMatchObject({
      id: expect.stringMatching(/^review-\d{8}-\d{6}(-\d+)?$/),
      reviewer: phase === "plan" ? "plan-reviewer" : "code-reviewer",
      model,
      status: "approved",
      scores: { security: 8, quality: 9, overall: 8 },
      findings: [],
      blockers: [],
    });
  }
  expect(new Set(reviews.map(({ tree }) => tree)).size).toBe(2);
});

test("a project without test commands has those that its user story names", async () => {
  const scene = new Pipeline();
  isFine(await scene.tool.run("pipeline", request));
  const done = await scene.approvesStory();
  expect(done, scene.told()).toMatchObject({ state: "complete" });
  const [ran] = scene.tool.log(id).filter((line) => line.type === "GATES_RESULT");
  expect(ran?.payload.results).toMatchObject([{ command: check, required: true, status: "passed" }]);
});
