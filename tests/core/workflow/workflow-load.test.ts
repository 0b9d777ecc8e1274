// A workflow is checked when it is loaded: a bubble never finds out at run time that its program makes no sense.
import { describe, expect, it } from "vitest";
import { suggestWord } from "../../../src/core/text/nearest.ts";
import { interpolate } from "../../../src/core/workflow/interpolate.ts";
import { loadWorkflow } from "../../../src/core/workflow/load.ts";
import { configOf, pairDocument } from "../pair.ts";

interface Document {
  start: string;
  loop: Record<string, unknown>;
  steps: { name: string; on: Record<string, unknown>; [key: string]: unknown }[];
  [key: string]: unknown;
}

/** The pair workflow with one thing changed; the problems that are found. */
function problemsOf(change: (document: Document) => void): string[] {
  const document = structuredClone(pairDocument) as Document;
  change(document);
  const loaded = loadWorkflow(document, configOf());
  return loaded.ok ? [] : loaded.problems.map((problem) => `${problem.path.join(".")}: ${problem.message}`);
}

const step = (document: Document, name: string) =>
  document.steps.find((candidate) => candidate.name === name)!;
const at = (name: string) =>
  (pairDocument as Document).steps.findIndex((candidate) => candidate.name === name);

describe("pair.yaml", () => {
  it("loads, with the bubble's own limit as a number", () => {
    const loaded = loadWorkflow(pairDocument, configOf({ max_rounds: 5 }));
    expect(loaded).toMatchObject({
      ok: true,
      program: {
        id: "pair",
        start: "implement",
        loop: { max_rounds: 5, clean_passes: 2, role_switch: "before_convergence" },
      },
    });
  });

  it("may write a route as a bare name", () => {
    const loaded = loadWorkflow(pairDocument, configOf());
    expect(loaded.ok && loaded.program.steps[0]?.on.success).toEqual({
      to: "gates",
      round: "same",
      roles: "keep",
    });
  });
});

describe("a workflow is refused", () => {
  it.each<[string, (document: Document) => void, RegExp]>([
    [
      "when a route leads to no step, with the nearest name",
      (d) => {
        step(d, "implement").on.success = "gate";
      },
      new RegExp(
        `^steps\\.${at("implement")}\\.on\\.success: no step is called gate; did you mean gates\\?$`,
      ),
    ],
    [
      "when it starts nowhere",
      (d) => {
        d.start = "implment";
      },
      /^start: no step is called implment; did you mean implement\?$/,
    ],
    [
      "when its budget leads nowhere",
      (d) => {
        d.loop.exhausted = "exhaustion";
      },
      /^loop\.exhausted: no step is called exhaustion/,
    ],
    [
      "when an outcome has no route",
      (d) => {
        delete step(d, "gates").on.fail;
      },
      new RegExp(`^steps\\.${at("gates")}\\.on: step gates has no route for fail$`),
    ],
    [
      "when a step has an outcome it never has",
      (d) => {
        step(d, "gates").on.sucess = "judge";
      },
      /step gates never ends with sucess; did you mean success\?/,
    ],
    [
      "when a step can never be reached",
      (d) => {
        d.steps.push({ ...step(d, "review"), name: "second_review" });
      },
      /step second_review can never be reached/,
    ],
    [
      "when two steps have one name",
      (d) => {
        d.steps.push({ ...step(d, "review") });
      },
      /two steps are called review/,
    ],
    [
      "when it asks an unknown question",
      (d) => {
        step(d, "tie_break").ask = "tiebreak";
      },
      /there is no question tiebreak; did you mean tie-break\?/,
    ],
    [
      "when it makes an unknown check",
      (d) => {
        step(d, "judge").check = "convergance";
      },
      /there is no check convergance; did you mean convergence\?/,
    ],
    [
      "when a reserved word is used outside a question",
      (d) => {
        step(d, "gates").on.fail = "$cancel";
      },
      /\$cancel is only for questions to a human/,
    ],
    [
      "when a step has an unknown kind",
      (d) => {
        step(d, "gates").kind = "gate";
      },
      /^steps\.1\.kind: /,
    ],
    [
      "when a step has an unknown key",
      (d) => {
        step(d, "gates").timeout = 3;
      },
      /^steps\.1\.timeout: /,
    ],
    [
      "when the loop has no limit",
      (d) => {
        delete d.loop.max_rounds;
      },
      /^loop\.max_rounds: /,
    ],
    [
      "when the limit is not a number",
      (d) => {
        d.loop.max_rounds = "many";
      },
      /^loop\.max_rounds: /,
    ],
    [
      "when a reference is unknown",
      (d) => {
        d.loop.max_rounds = "${bubble.max_round}";
      },
      /^loop\.max_rounds: \$\{bubble\.max_round\} is not known here; did you mean max_rounds\?$/,
    ],
    [
      "when a reference is not closed",
      (d) => {
        d.name = "up to ${bubble.max_rounds rounds";
      },
      /^name: .* has a reference that is empty or not closed$/,
    ],
  ])("%s", (_when, change, problem) => {
    expect(
      problemsOf(change).some((found) => problem.test(found)),
      problemsOf(change).join("\n"),
    ).toBe(true);
  });

  it.each<[string, (document: Document) => void, RegExp]>([
    [
      "when reaching the limit is no question",
      (d) => {
        d.loop.exhausted = "implement";
      },
      /^loop\.exhausted: implement is no question/,
    ],
    [
      "when a route enters the budget's question by itself",
      (d) => {
        step(d, "judge").on.stuck = "exhausted";
      },
      /on\.stuck: exhausted is entered only when the rounds are used up/,
    ],
    [
      "when nothing was held back that could be resumed",
      (d) => {
        step(d, "stuck").on.continue = "$resume";
      },
      /on\.continue: \$resume is only for exhausted/,
    ],
    [
      "when the loop's producer has no turn",
      (d) => {
        d.loop.producer = "driver";
      },
      /^loop\.producer: no turn is the driver's$/,
    ],
    [
      "when the critic's turn hands in a tree",
      (d) => {
        step(d, "review").answer = "handoff";
      },
      /answer: the critic's turn answers with findings/,
    ],
    [
      "when a check leads to itself",
      (d) => {
        step(d, "judge").on.review = "judge";
      },
      /step judge leads back to itself with nobody in between/,
    ],
    [
      "when red gates lead back to the check that sent them",
      (d) => {
        step(d, "gates").on.fail = "judge";
      },
      /step judge leads back to itself with nobody in between/,
    ],
  ])("%s", (_when, change, problem) => {
    expect(
      problemsOf(change).some((found) => problem.test(found)),
      problemsOf(change).join("\n"),
    ).toBe(true);
  });

  it.each([undefined, null, 3, "text", [], {}, { steps: 1 }, { steps: [null] }])(
    "when it is no workflow at all: %j",
    (document) => {
      expect(loadWorkflow(document, configOf()).ok).toBe(false);
    },
  );
});

describe("interpolation", () => {
  const scope = { bubble: { max_rounds: 8, id: "cart", flag: false } };
  const fill = (value: unknown) => interpolate(value, scope);

  it("keeps the type of a lone reference", () => {
    expect(fill({ a: "${bubble.max_rounds}", b: ["${bubble.flag}"] })).toEqual({
      ok: true,
      value: { a: 8, b: [false] },
    });
  });

  it("writes references inside a text as text", () => {
    expect(fill("bubble ${bubble.id}, ${bubble.max_rounds} rounds")).toEqual({
      ok: true,
      value: "bubble cart, 8 rounds",
    });
  });

  it("takes the default of what is missing, with its type", () => {
    expect(fill("${bubble.other:-3}")).toEqual({ ok: true, value: 3 });
    expect(fill("${bubble.other:-http://a:-b}")).toEqual({ ok: true, value: "http://a:-b" });
    expect(fill("${bubble.id:-x}")).toEqual({ ok: true, value: "cart" });
  });

  it("does not reach into what values inherit", () => {
    expect(fill("${bubble.constructor.name}").ok).toBe(false);
    expect(fill("${bubble.id.length}").ok).toBe(false);
  });

  it("names every unknown reference with its path", () => {
    const filled = fill({ a: "${x}", b: { c: "see ${y.z}" } });
    expect(filled).toMatchObject({ ok: false, problems: [{ path: ["a"] }, { path: ["b", "c"] }] });
  });
});

describe("the nearest word", () => {
  it("is offered when it is near enough, else the known ones", () => {
    expect(suggestWord("reviw", ["review", "judge"])).toBe("; did you mean review?");
    expect(suggestWord("xyzzy", ["review", "judge"])).toBe("; known: review, judge");
    expect(suggestWord("xyzzy", [])).toBe("");
  });
});
