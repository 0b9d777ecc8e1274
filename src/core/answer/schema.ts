// The JSON Schema that is sent to models for the final answer. In the strict form that every vendor takes: each
// property is required, unused ones are null, nothing else is allowed.
import { severities } from "../model/finding.ts";
import { packageParts } from "../model/package.ts";
import { type AnswerKind, signals } from "./answer.ts";

type Schema = Readonly<Record<string, unknown>>;

const text = (description: string): Schema => ({ type: "string", description });
const maybe = (description: string): Schema => ({ type: ["string", "null"], description });
const line: Schema = { type: ["integer", "null"], description: "line number, from 1" };
const list = (items: Schema, description: string): Schema => ({ type: "array", items, description });

function object(properties: Readonly<Record<string, Schema>>, nullable = false): Schema {
  return {
    type: nullable ? ["object", "null"] : "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const signal = {
  status: {
    type: "string",
    enum: [...signals],
    description:
      "completed: you hand over; needs_input: only a human can decide the questions; error; in_progress: not ready",
  },
  summary: maybe("what you did or found, and why; needed when completed"),
  questions: list(
    object({
      id: text("q1, q2 …"),
      question: text("one question that blocks you"),
      options: list({ type: "string" }, "answers you propose; may be empty"),
      context: maybe("why it matters"),
    }),
    "empty unless needs_input",
  ),
  message: maybe("with error: what went wrong; with in_progress: what is left"),
};

const handoff = object({
  ...signal,
  package: object(
    Object.fromEntries(packageParts.map((part) => [part, maybe(part.replace("_", " "))])),
    true,
  ),
  disputes: list(
    object({ id: text("a finding's id"), reason: text("a reason that can be checked") }),
    "findings you hold to be wrong; usually empty",
  ),
  no_change: maybe("why nothing needs to change, with evidence; null when you changed files"),
});

const findings = object({
  ...signal,
  findings: list(
    object({
      severity: { type: "string", enum: [...severities], description: "P0 worst" },
      title: text("the defect in one line"),
      area: maybe("such as security, core-logic"),
      file: maybe("path in the worktree"),
      line,
      evidence: maybe("quoted text or output that proves it"),
    }),
    "new defects; empty when nothing new was found",
  ),
  answers: list(
    object({
      id: text("an open finding's id, such as F1"),
      status: { type: "string", enum: ["fixed", "open", "withdrawn"] },
      reason: maybe("needed for withdrawn"),
    }),
    "one for every open finding",
  ),
  checked: list(
    object({ file: text("path in the worktree"), line, why: text("why it is right") }),
    "what you looked at",
  ),
  converged: { type: "boolean", description: "true: no finding is open and nothing is missing any more" },
});

export const answerSchemas: Readonly<Record<AnswerKind, Schema>> = { handoff, findings };
