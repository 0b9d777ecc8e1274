// A pipeline in a person's terminal: questions are asked right there, by number, by name or in words, and it continues at once.
import { afterEach, describe, expect, it, test } from "vitest";
import { readTypedAnswer } from "../../src/cli/answer/typed-answer.ts";
import { linesOf } from "../cli/workflow-scene.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";
import { codePassed, firstAsks, hands, id, Pipeline, planPassed, request, smooth, story } from "./scene.ts";

const open: Terminal[] = [];
afterEach(() => {
  for (const screen of open.splice(0)) screen.close();
});

const mayChange = {
  question: "May the rate change at run time?",
  options: ["no, it is fixed by law", "yes, read it at start", "yes, at every request"],
  context: "src/cart.txt:1 has the rate as a constant; reading it costs one look at a file.",
};

test("questions are answered where they are asked, and the run continues", async () => {
  const scene = new Pipeline({
    ...smooth,
    gatherer: [
      {
        steps: [
          { ask: { question: "Which rate?", options: ["7 %", "19 %"] } },
          { ask: "What is it for?" },
          { paper: story({ title: "Too short" }) },
        ],
      },
      hands(story()),
    ],
    sonnet: [planPassed(), firstAsks(mayChange, codePassed())],
  });
  const words = ["pipeline", request, "--test", "grep -q total src/cart.txt"];
  const screen = openTerminal(scene.tool, words, { columns: 80 });
  open.push(screen);
  await screen.sees("gatherer in tell-the-total-with-tax asks: Which rate?");
  await screen.sees("Your answer (1–2, or words):");
  screen.types("2");
  // What is typed before a question is asked answers nothing.
  screen.types("too early");
  await screen.sees(/asks: What is it for\?\s+Your answer: *\n*$/);
  screen.types("for the customers");
  await screen.sees("Are these the requirements?");
  screen.types("maybe");
  await screen.sees("(reply.needs-choice)");
  screen.types("rework say it at length");
  await screen.sees(/functional: .*\n(.*\n)*.*Are these|The total is told with tax/);
  await screen.sees(/Your answer \(1–3, or words\): *\n*$/);
  await scene.tool.ok("bubble", "reply", "--id", id, "--choose", "approve", "--operator-key", scene.tool.key);
  // The terminal does not wait for an answer that somebody gave through another door.
  await screen.sees("was answered elsewhere");
  await screen.sees("implementing_loop");
  await screen.sees(/asks: May the rate change[\s\S]*Your answer \(1–3, or words\): *\n*$/);
  expectShown("docs/pipeline.md", "sonnet in tell-the-total-with-tax asks", screen.screen());
  expectShown("docs/pipeline.md", "tell-the-total-with-tax   question", await scene.tool.ok("inbox"));
  const fixedByLaw = ["--choose", "no, it is fixed by law", "--message", ""];
  await scene.tool.ok("bubble", "reply", "--id", id, ...fixedByLaw);
  await screen.sees(`Next: pairflow bubble approve --id ${id}`);
  const ended = await screen.ends();
  expect(ended).toMatchObject({ code: 0 });
  expectShown("docs/pipeline.md", "Your answer (1–3, or words):", ended.screen);

  const replies = linesOf(scene.tool.log(id), "HUMAN_REPLY").map(({ payload }) => payload);
  expect(replies).toMatchObject([
    { choice: "19 %", message: "", via: "terminal" },
    { message: "for the customers", via: "terminal" },
    { choice: "rework", message: "say it at length", via: "terminal" },
    { choice: "approve", via: "operator-key" },
    { choice: "no, it is fixed by law", via: "cli" },
  ]);
});

test("whoever leaves at a question finds it in the inbox", async () => {
  const scene = new Pipeline();
  const screen = openTerminal(scene.tool, ["pipeline", request, "--test", "true"]);
  open.push(screen);
  await screen.sees("Your answer (1–3, or words):");
  screen.presses("C-d");
  const { code, screen: text } = await screen.ends();
  expect(code).toBe(0);
  expect(text).toContain(`Next: pairflow bubble reply --id ${id} --choose approve|rework|reject`);
  expect(await scene.shows()).toMatchObject({ step: "story_approval", driven: false });
});

describe("what is typed", () => {
  const keys = ["approve", "rework", "7 %"];
  it.each([
    ["1", { choice: "approve", message: "" }],
    ["2 make it small", { choice: "rework", message: "make it small" }],
    ["2: make it small", { choice: "rework", message: "make it small" }],
    ["Rework, make it small", { choice: "rework", message: "make it small" }],
    ["7 %", { choice: "7 %", message: "" }],
    ["approved by all", { message: "approved by all" }],
    ["9", { message: "9" }],
    ["19 is right", { message: "19 is right" }],
  ])("%s", (line, said) => expect(readTypedAnswer(line, keys)).toEqual(said));
});
