// For every field of every final answer, every dialect of reviews and every tool there is a reader: another value is another
// claim, another question or another refusal. What the claim becomes on the record is the other test's.
import { describe, expect, it } from "vitest";
import { type AnswerKind, answerForms, understand } from "../../src/core/answer/answer.ts";
import { dialects } from "../../src/core/model/review/verdict.ts";
import { dialectForms } from "../../src/core/review/dialect/read.ts";
import { tools } from "../../src/mcp/tools.ts";
import { honest } from "../core/dialect-honest.ts";
import { type Field, fieldsOf, type Node, nameOf, pairsFor, withValue } from "./fields.ts";

/** What workers say about themselves; the referee knows it better, and old answers that say it still count. */
const ownWords = ["worker_id", "phase", "agent_id", "timestamp"];

const exceptions: Readonly<Record<string, readonly string[]>> = {
  // A reviewer's own name for its review, itself and its model; the record has the turn's.
  // Questions and findings are numbered by the referee; its own id of a finding is read where a blocker names it.
  status: ["id", "reviewer", "model", "reviewed_at", "questions.[].id", "findings.[].id"],
  decision: ["coder_agent", "reviewer_agent", "task_id"],
  // The driver's words are its own to hand in.
  challenge: ["driver_output_summary"],
};

/** What the form of an answer makes of a value; two forms that cannot be read are the same. */
type Reads = (value: unknown) => unknown;

function unread(schema: Node, bases: readonly unknown[], reads: Reads): string[] {
  const isRead = (field: Field): boolean =>
    bases.some((base) =>
      pairsFor(field).some(([one, two]) => {
        const [a, b] = [one, two].map((value) =>
          JSON.stringify(reads(withValue(base, field.path, value, schema))),
        );
        return a !== b;
      }),
    );
  return fieldsOf(schema)
    .filter((field) => !isRead(field))
    .map(nameOf);
}

const asks = { status: "needs_input", questions: [{ question: "Which?" }] };
const basesOf: Readonly<Record<keyof typeof answerForms, readonly object[]>> = {
  handoff: [{ status: "completed", summary: "done" }, asks, { status: "error", message: "no disk" }],
  score: [
    { status: "completed", summary: "fine", score: 0.5 },
    asks,
    { status: "error", message: "no disk" },
  ],
  paper: [
    { status: "completed", summary: "written", paper: { title: "A plan" } },
    asks,
    { status: "error", message: "no disk" },
  ],
};

describe("every field of an answer has a reader", () => {
  it.each(Object.keys(answerForms) as (keyof typeof answerForms)[])("%s", (kind) => {
    const left = unread(answerForms[kind] as unknown as Node, basesOf[kind], (value) =>
      understand(kind as AnswerKind, value),
    );
    expect(left).toEqual(ownWords);
  });

  it.each(dialects)("a review in the dialect %s", (dialect) => {
    const own = honest.filter((sample) => sample.dialect === dialect);
    const said = own
      .filter((one, i) => own.findIndex(({ decision }) => decision === one.decision) === i)
      .map(({ text }) => JSON.parse(text) as object);
    const { critique: _critique, ...other } = said[0] as { critique?: string };
    const named = { ...other, challenger_critique: "The empty cart is left out" };
    const bases = [
      ...said,
      named,
      { status: "error", message: "no disk" },
      { ...said.at(-1), blockers: ["F7"] },
      { ...asks, status: dialect === "status" ? "needs_clarification" : "needs_input", summary: "Which?" },
    ];
    const left = unread(dialectForms[dialect] as unknown as Node, bases, (value) =>
      understand(dialect, value),
    );
    expect(left.sort()).toEqual([...ownWords, ...(exceptions[dialect] ?? [])].sort());
  });
});

describe("every argument of a tool has a reader", () => {
  const place = { file: "src/cart.ts", line: 3, why: "it is right" };
  const bases: Readonly<Record<string, readonly object[]>> = {
    pass: [{ summary: "done" }],
    submit_review: [{ summary: "fine", findings: [], checked: [place] }, { summary: "fine" }],
    converged: [{ summary: "done" }],
    ask_human: [{ question: "Which?" }],
  };
  it.each(tools.map(({ name }) => name))("%s", (name) => {
    const tool = tools.find((one) => one.name === name);
    if (!tool) throw new Error(name);
    const reads = (value: unknown) => {
      try {
        return tool.read(value);
      } catch (error) {
        return String(error);
      }
    };
    expect(unread(tool.schema as unknown as Node, bases[name] ?? [], reads)).toEqual([]);
  });
});
