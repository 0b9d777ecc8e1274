// Knowledge as a pinned file, and conventions as lines of one.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { parseConventions } from "../../../src/core/knowledge/conventions.ts";
import {
  createEmptyKnowledge,
  type Knowledge,
  openKnowledge,
  parseKnowledge,
  serializeKnowledge,
} from "../../../src/core/knowledge/knowledge.ts";

const line = {
  name: "Timeouts",
  pattern: "Handlers use a timeout",
  applies_to: "handlers/*.go",
  accepted_by: "Ada",
  accepted_at: "2026-03-01T10:00:00Z",
  evidence: ["cart, round 2"],
};
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const messages = (source: string) =>
  parseConventions(source).problems.map((problem) => `${problem.line}: ${problem.message}`);

const inputs = process.env.PAIRFLOW_SOAK === "1" ? 1_000_000 : 20_000;

describe("conventions", () => {
  it("are one JSON object a line; empty lines say nothing", () => {
    const { accepted, problems } = parseConventions(
      `\uFEFF${lines(line)}\r\n\r\n${lines({ ...line, name: "B", applies_to: ["*.go"] })}\n`,
    );
    expect(problems).toEqual([]);
    expect(accepted.map(({ name, applies_to }) => [name, applies_to])).toEqual([
      ["Timeouts", ["handlers/*.go"]],
      ["B", ["*.go"]],
    ]);
  });

  it("without a human's consent wait, and are told to nobody", () => {
    const { accepted_by: _who, accepted_at: _when, ...open } = line;
    expect(parseConventions(lines(open))).toEqual({ accepted: [], waiting: ["Timeouts"], problems: [] });
  });

  it.each([
    ["{", "1: is not one JSON object"],
    ["[]", "1: is not one JSON object"],
    ['"x"', "1: is not one JSON object"],
    [lines(line, "x"), "2: is not one JSON object"],
    [lines({ ...line, name: "" }), "1: name must not be empty"],
    [lines({ ...line, pattern: undefined }), "1: pattern is missing"],
    [lines({ ...line, applies_to: undefined }), "1: applies_to is missing"],
    [lines({ ...line, applies_to: 4 }), "1: applies_to must be a list, not 4"],
    [lines({ ...line, applies_to: "/x" }), '1: applies_to: "/x" is no path'],
    [lines({ ...line, accepted_at: "yesterday" }), "1: accepted_at must be a date such as 2026-03-01"],
    [lines({ ...line, accepted_at: undefined }), "1: accepted_by and accepted_at belong together"],
    [lines({ ...line, accepted_by: undefined }), "1: accepted_by and accepted_at belong together"],
    [lines({ ...line, evidence: "x" }), '1: evidence must be a list, not "x"'],
    [lines({ ...line, acepted_by: "x" }), "1: there is no key acepted_by; did you mean accepted_by?"],
    [lines(line, line), '2: "Timeouts" stands on line 1 already'],
  ])("a bad line is a problem with its number: %s", (source, wanted) => {
    expect(messages(source).join("\n")).toContain(wanted);
  });

  it(`rubbish is a problem, never an exception: ${inputs} inputs`, { timeout: 600_000 }, () => {
    let seed = 7;
    const next = (n: number) => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed % n;
    };
    const parts = [
      '{"name":',
      '"x"',
      "}",
      "[",
      ",",
      '"applies_to":',
      '"*"',
      "null",
      "1e999",
      "\\u0000",
      "\n",
      "{",
      '"accepted_by":"a"',
      "\uD800",
    ];
    for (let i = 0; i < inputs; i++) {
      const source = Array.from({ length: next(9) }, () => parts[next(parts.length)]).join("");
      const { accepted, waiting, problems } = parseConventions(source);
      const said = accepted.length + waiting.length + problems.length;
      if (accepted.length > 0 || (said === 0 && source.trim() !== ""))
        throw new Error(JSON.stringify(source));
    }
  });
});

describe("the pinned file", () => {
  const knowledge: Knowledge = {
    ...createEmptyKnowledge("c0ffee"),
    sops: [
      {
        id: "source.doc.sops.a",
        file: "a",
        title: "a",
        severity: "info",
        applies_to: [],
        requirements: ["x"],
        body: "y",
      },
    ],
    constitution: [
      { file: ".pairflow/constitution.md", folder: "", sections: [{ name: "Rules", text: "r" }] },
    ],
    conventions: [{ ...line, applies_to: ["*"] }],
    hidden: ["a"],
  };
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const text = serializeKnowledge(knowledge);
  const pinned = { artifact: "knowledge.json", sha256: hash(text) };

  it("comes back as it was", () => {
    expect(parseKnowledge(text)).toEqual({ ok: true, knowledge });
    expect(openKnowledge(text, pinned, hash)).toEqual({ ok: true, knowledge });
  });

  it.each([
    ["gone", undefined],
    ["changed by one space", `${text} `],
    ["empty", ""],
  ])("that is %s is refused: nobody is told less than was pinned", (_how, found) => {
    expect(openKnowledge(found, pinned, hash)).toMatchObject({
      ok: false,
      refusal: { code: "knowledge.damaged" },
    });
  });

  it.each([
    ["no JSON", "{"],
    ["another version", text.replace('"v":1', '"v":2')],
    ["a key too many", text.replace('"v":1', '"v":1,"x":1')],
    ["a key too few", text.replace('"hidden":["a"]', '"hide":["a"]')],
    ["another severity", text.replace('"info"', '"none"')],
  ])("with %s is refused", (_how, found) => {
    expect(parseKnowledge(found)).toMatchObject({ ok: false, refusal: { code: "knowledge.damaged" } });
  });
});
