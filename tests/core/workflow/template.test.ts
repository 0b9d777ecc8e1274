// References in texts and payloads: how they are read, filled in and checked.
import { describe, expect, it } from "vitest";
import { buildCatalogue } from "../../../src/core/workflow/catalogue.ts";
import { interpolate } from "../../../src/core/workflow/interpolate.ts";
import { checkReferences, fillText, fillValue, listReferences } from "../../../src/core/workflow/template.ts";

const facts = {
  execution: { iteration: 3 },
  review: { decision: "GO" },
  gates: { passed: false },
  trigger: { payload: { slug: "cart", list: ["a", { b: 1 }], nothing: null, sly: "${review.decision}" } },
};

describe("reading", () => {
  it("finds each reference, its default and its place", () => {
    expect(listReferences("a ${x.y} b ${z:-3}${q:-}")).toEqual([
      { path: "x.y", at: 2, written: "${x.y}" },
      { path: "z", fallback: "3", at: 11, written: "${z:-3}" },
      { path: "q", fallback: "", at: 18, written: "${q:-}" },
    ]);
  });

  it("lets defaults have braces in pairs, and keeps a second :-", () => {
    expect(listReferences('${a:-{"b":{}}} and ${c:-http://a:-b}')).toMatchObject([
      { path: "a", fallback: '{"b":{}}' },
      { path: "c", fallback: "http://a:-b" },
    ]);
  });

  it.each(["no reference", "$x", "$ {x}", "{x}", "100 $", "", "}${"])("finds none in %j", (text) => {
    expect(listReferences(text)).toEqual([]);
  });
});

describe("filling in a text", () => {
  it.each([
    ["round ${execution.iteration}: ${review.decision}", "round 3: GO"],
    ["${ execution.iteration }", "3"],
    ["${gates.passed}", "false"],
    ["list ${trigger.payload.list}", 'list ["a",{"b":1}]'],
    ["null is ${trigger.payload.nothing}.", "null is ."],
    ["${trigger.payload.gone:-go}", "go"],
    ["${trigger.payload.gone:-}", ""],
    ["${review.decision:-no}", "GO"],
    ["once only: ${trigger.payload.sly}", "once only: ${review.decision}"],
    ["nothing", "nothing"],
  ])("%s", (text, filled) => {
    expect(fillText(text, facts)).toEqual({ text: filled, missing: [] });
  });

  it("leaves what is missing empty, and names it once", () => {
    expect(fillText("a ${human.message} b ${human.message} ${steps.x.error}c", facts)).toEqual({
      text: "a  b  c",
      missing: ["human.message", "steps.x.error"],
    });
  });

  it("does not reach into what values inherit", () => {
    expect(
      fillText("${review.decision.length}${trigger.payload.list.length}${review.constructor}", facts),
    ).toEqual({
      text: "",
      missing: ["review.decision.length", "trigger.payload.list.length", "review.constructor"],
    });
  });

  it("leaves what is badly written as it is", () => {
    expect(fillText("${review.decision} ${} ${review.decision}", facts).text).toBe(
      "GO ${} ${review.decision}",
    );
    expect(fillText("${review.decision} ${open", facts).text).toBe("GO ${open");
  });

  it("cuts what is too long", () => {
    const long = { human: { message: "x".repeat(150_000) } };
    const twice = fillText("${human.message}${human.message}${human.message}", long).text;
    expect(twice).toHaveLength(200_000);
    expect(twice.endsWith("x…")).toBe(true);
    const value = fillValue(["${human.message}"], { human: { message: "x".repeat(200_001) } }).value;
    expect((value as string[])[0]).toHaveLength(200_000);
  });
});

describe("filling in a value", () => {
  it("keeps the type of a lone reference, and fills every text however deep", () => {
    const value = {
      iterations: "${execution.iteration}",
      passed: "${gates.passed}",
      list: ["${trigger.payload.list}", { text: "at ${execution.iteration}" }],
      nothing: "${trigger.payload.nothing}",
      number: 7,
      null: null,
    };
    expect(fillValue(value, facts)).toEqual({
      value: {
        iterations: 3,
        passed: false,
        list: [["a", { b: 1 }], { text: "at 3" }],
        nothing: null,
        number: 7,
        null: null,
      },
      missing: [],
    });
  });

  it.each([
    ["${trigger.payload.gone:-[]}", []],
    ["${trigger.payload.gone:-go}", "go"],
    ["${trigger.payload.gone:-3}", 3],
    ['${trigger.payload.gone:-"3"}', "3"],
    ['${trigger.payload.gone:-{"a":1}}', { a: 1 }],
    ["${trigger.payload.gone:-null}", null],
  ])("takes the default with its type: %s", (text, filled) => {
    expect(fillValue(text, facts)).toEqual({ value: filled, missing: [] });
  });

  it("leaves what is missing empty", () => {
    expect(fillValue({ a: "${human.message}", b: ["${human.message}"] }, facts)).toEqual({
      value: { a: "", b: [""] },
      missing: ["human.message"],
    });
  });

  it("keeps odd keys as keys", () => {
    const value = JSON.parse('{"__proto__": "${execution.iteration}"}');
    expect(JSON.stringify(fillValue(value, facts).value)).toBe('{"__proto__":3}');
  });
});

describe("checking references", () => {
  const catalogue = buildCatalogue({
    steps: [
      {
        kind: "turn",
        name: "reviewer",
        role: "reviewer",
        session: "fresh",
        answer: "findings",
        retries: 2,
        on: {},
      },
    ],
  });
  const check = (value: unknown) => checkReferences(value, catalogue);

  it("accepts what there is", () => {
    const text =
      "${steps.reviewer.output} ${steps.reviewer.error} ${trigger.payload.x:-[]} ${execution.iteration}";
    expect(check({ a: [text, 3, null] })).toEqual([]);
  });

  it("names what there is not, with its place and the nearest", () => {
    expect(
      check({ a: ["${executon.iteration}"], b: "${steps.reviewer.output.verdit:-x} ${steps.no.output}" }),
    ).toEqual([
      {
        path: ["a", 0],
        message: "${executon.iteration} is not known here; did you mean execution.iteration?",
      },
      {
        path: ["b"],
        message:
          "${steps.reviewer.output.verdit} is not known here; did you mean steps.reviewer.output.verdict?",
      },
      { path: ["b"], message: "${steps.no.output} is not known here; no step is called no" },
    ]);
  });

  it.each(["${}", "${:-x}", "${ }", "a ${open", "${a:-${b}}", "${a:-{}"])("refuses %s", (text) => {
    expect(check({ a: text })).toEqual([
      { path: ["a"], message: expect.stringMatching(/empty or not closed/) },
    ]);
  });
});

describe("filling in the bubble's settings at load", () => {
  const scope = { bubble: { max_rounds: 8, id: "cart", review: { dialect: "verdict" }, none: null } };
  const fill = (value: unknown) => interpolate(value, scope);

  it("leaves what only a run knows", () => {
    const text = "${bubble.id}: ${steps.x.output.y:-[]} in ${execution.iteration}";
    expect(fill([text, "${trigger.payload.a}", "${bubble.max_rounds}", "${bubble.none}"])).toEqual({
      ok: true,
      value: ["cart: ${steps.x.output.y:-[]} in ${execution.iteration}", "${trigger.payload.a}", 8, null],
    });
  });

  it.each([
    ["${nobody.knows}", "${nobody.knows} is not known here"],
    ["${nobody.knows:-3}", "${nobody.knows} is not known here"],
    ["${buble.id}", "${buble.id} is not known here; did you mean bubble?"],
    ["${bubble.max_round}", "${bubble.max_round} is not known here; did you mean max_rounds?"],
    ["${bubble.review.dialct}", "${bubble.review.dialct} is not known here; did you mean dialect?"],
    ["${constructor}", "${constructor} is not known here"],
    ["rounds: ${bubble.max_rounds", "has a reference that is empty or not closed"],
  ])("refuses %s", (text, message) => {
    expect(fill({ a: { b: text } })).toMatchObject({
      ok: false,
      problems: [{ path: ["a", "b"], message: expect.stringContaining(message) }],
    });
  });
});
