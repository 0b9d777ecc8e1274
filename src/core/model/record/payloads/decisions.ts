// Questions to people and what they decide, messages, warnings, and how a bubble ends.
import * as v from "valibot";
import { GitPin } from "../git-settings.ts";
import { ProducerPackage } from "../package.ts";
import type { QuestionKind } from "../question-kind.ts";
import { count, defineStr, NumberedFinding, QuestionOption, Through, Via } from "./parts.ts";

export const decisionPayloads = {
  HUMAN_QUESTION: v.strictObject({
    question: defineStr(),
    kind: defineStr(40) as v.GenericSchema<string, QuestionKind>,
    turn: v.optional(defineStr(20)),
    options: v.optional(v.array(QuestionOption)),
    findings: v.optional(v.array(defineStr(20))),
    /** The gates it is about. */
    gates: v.optional(v.array(defineStr(60))),
    claim: v.optional(defineStr(64)),
    /** The process waits for the answer: which of its requests this is, and which question of it. */
    waiting: v.optional(v.strictObject({ request: defineStr(100), question: defineStr(100) })),
    /** The git settings it is about, as they are now. */
    git: v.optional(GitPin),
  }),
  QUESTION_WITHDRAWN: v.strictObject({ question: defineStr(20), why: defineStr(500) }),
  HUMAN_REPLY: v.strictObject({
    question: defineStr(20),
    message: defineStr(),
    choice: v.optional(defineStr(200)),
    rounds: v.optional(count),
    /** Budgets granted once more. */
    budgets: v.optional(count),
    /** The agent that takes the turn over. */
    agent: v.optional(defineStr(60)),
    waived: v.optional(v.array(defineStr(20))),
    waived_gates: v.optional(v.array(defineStr(60))),
    ...Through,
  }),
  RESUMED: v.strictObject({ how: defineStr(40), message: defineStr(), via: Via }),
  /** Nothing new is begun until the pause ends. */
  PAUSED: v.strictObject({
    message: defineStr(2000),
    /** What is under way is ended too. */
    now: v.boolean(),
    /** The bubble above that was paused, and this one with it. */
    parent: v.optional(defineStr(63)),
    ...Through,
  }),
  PAUSE_ENDED: v.strictObject({ message: defineStr(), parent: v.optional(defineStr(63)), ...Through }),
  DELIVERY: v.strictObject({
    message: count,
    turn: defineStr(20),
    status: v.picklist(["sent", "acknowledged", "undelivered"]),
    detail: v.optional(defineStr(500)),
  }),
  WARNING: v.strictObject({
    code: defineStr(80),
    message: defineStr(4000),
    agent: v.optional(defineStr(60)),
    turn: v.optional(defineStr(20)),
    details: v.optional(v.array(defineStr(1000))),
  }),
  GATES_WAIVED: v.strictObject({ gates: v.array(defineStr(60)), reason: defineStr(2000), ...Through }),
  SCOPE_OVERRIDDEN: v.strictObject({ paths: v.array(defineStr(1000)), reason: defineStr(2000), ...Through }),
  TREE_CHANGED: v.strictObject({
    expected: defineStr(64),
    found: defineStr(64),
    files: v.array(defineStr(1000)),
  }),
  TREE_RESTORED: v.strictObject({ tree: defineStr(64), patch: defineStr(300), via: Via }),
  DONE_PACKAGE: v.strictObject({
    package: ProducerPackage,
    tree: defineStr(64),
    artifact: defineStr(300),
    sha256: defineStr(64),
    weak: v.array(defineStr(500)),
  }),
  APPROVAL_REQUEST: v.strictObject({ digest: defineStr(64), tree: defineStr(64) }),
  APPROVAL_DECISION: v.strictObject({
    decision: v.picklist(["approve", "revise", "reject"]),
    digest: defineStr(64),
    message: defineStr(),
    /** Rounds granted with a rework request when the budget is spent. */
    rounds: v.optional(count),
    /** What a human found in the tree, with the ids that the referee gave. */
    findings: v.optional(v.array(NumberedFinding)),
    ...Through,
  }),
  COMMITTED: v.strictObject({
    commit: defineStr(64),
    tree: defineStr(64),
    branch: defineStr(300),
    ...Through,
  }),
  /** A child ends without a commit of its own: what it made is in its report. */
  FINISHED: v.strictObject({ outcome: v.optional(defineStr(60)) }),
  FAILED: v.strictObject({ code: defineStr(80), message: defineStr(4000) }),
  CANCELLED: v.strictObject({ reason: defineStr(2000), via: Via, code: v.optional(defineStr(40)) }),
} as const;
