// Turns of agents: how they start and end, what they hand over, and what gates say about it.
import * as v from "valibot";
import { GateResult } from "../../gate.ts";
import { Answer, CheckedEvidence, Dispute } from "../../review/finding.ts";
import { Opinion } from "../../review/verdict.ts";
import { TurnOutcome } from "../../turn-end.ts";
import { BaseRun, CleanCheckout } from "../checkout.ts";
import { ProducerPackage } from "../package.ts";
import { Usage } from "../usage.ts";
import {
  count,
  defineStr,
  ImplementedDocument,
  NumberedFinding,
  TreeContext,
  touched,
  treeWithFiles,
  turnRef,
} from "./parts.ts";

const review = {
  answers: v.optional(v.array(Answer)),
  checked: v.optional(v.array(CheckedEvidence)),
  opinion: v.optional(Opinion),
  by_operator: v.optional(v.boolean()),
};

export const turnPayloads = {
  TURN_STARTED: v.strictObject({
    ...turnRef,
    step: defineStr(80),
    role: defineStr(80),
    agent: defineStr(60),
    capability: defineStr(64),
    session: defineStr(100),
    fresh: v.boolean(),
    tree: defineStr(64),
    prompt: defineStr(300),
    output: defineStr(1000),
    seat: defineStr(20),
    sandboxed: v.boolean(),
  }),
  TURN_SPAWNED: v.strictObject({ ...turnRef, pid: count, tty: v.optional(defineStr(100)) }),
  TURN_ENDED: v.strictObject({
    ...turnRef,
    outcome: TurnOutcome,
    detail: defineStr(4000),
    /** From when on another try makes sense, where the agent's CLI says so. */
    until: v.optional(defineStr(40)),
    /** Its CLI, which tells of its sessions, never told of this new one: there is nothing to continue in. */
    sessionless: v.optional(v.boolean()),
    /** What the referee does about it; absent when a human is asked. */
    next: v.optional(
      v.strictObject({
        session: v.picklist(["same", "fresh"]),
        not_before: v.optional(defineStr(40)),
        /** Another agent takes the turn over. */
        agent: v.optional(defineStr(60)),
      }),
    ),
  }),
  /** The id under which the agent's CLI keeps this session, where it chooses one itself. */
  TURN_SESSION: v.strictObject({ ...turnRef, session: defineStr(100) }),
  /** A dialog of the agent's own waits in its pane; null: it waits no more. */
  TURN_WAITING: v.strictObject({ ...turnRef, what: v.nullable(defineStr(1000)) }),
  TURN_USAGE: v.strictObject({ ...turnRef, agent: defineStr(60), role: defineStr(60), usage: Usage }),
  HANDOFF: v.strictObject({
    ...turnRef,
    ...treeWithFiles,
    problems: v.array(defineStr(1000)),
    /** Lines the last change touched, compared with the tree before this turn. */
    touched: touched,
    /** Artifact with the diff against the base; absent for a critic's turn. */
    diff: v.optional(defineStr(300)),
    put_back: v.optional(defineStr(300)),
    /** What was put back, where it is not what `files` says. */
    put_back_files: v.optional(v.array(defineStr(1000))),
    /** Places of the tree that look like a secret, as file:line (kind). */
    secrets: v.optional(v.array(defineStr(1100))),
    /** What the critic of this tree must answer for. */
    context: v.optional(TreeContext),
    /** The tree is that of the worktree (`code`) with this paper in it. */
    paper: v.optional(v.strictObject({ kind: defineStr(60), code: defineStr(64) })),
  }),
  GATES_RESULT: v.strictObject({
    tree: defineStr(64),
    attempt: count,
    results: v.array(GateResult),
    /** Files the gates themselves changed: the evidence is void. */
    changed: v.array(defineStr(1000)),
    /** New files the gates left behind; they were put back and kept as a patch. */
    put_back: v.array(defineStr(1000)),
    /** Artifact with the whole output. */
    output: defineStr(300),
    /** The commit message a commit-msg hook judged; absent when the repository has no such hook. */
    commit_message: v.optional(defineStr(4000)),
    /** Gates that were killed and are run once more before anybody is told. */
    again: v.optional(v.array(defineStr(60))),
    /** On a clean checkout of the tree, made ready like this: the final run, or the one on the base. */
    clean: v.optional(CleanCheckout),
    /** The run on the untouched base, before any agent was started. */
    base: v.optional(BaseRun),
  }),
  TASK: v.strictObject({
    title: defineStr(300),
    text: defineStr(),
    criteria: v.array(defineStr(2000)),
    gates: v.array(defineStr(200)),
    document: v.optional(ImplementedDocument),
  }),
  PASS: v.strictObject({
    ...turnRef,
    ...review,
    role: defineStr(60),
    summary: defineStr(),
    pass_intent: v.picklist(["task", "review", "fix_request"]),
    findings: v.optional(v.array(NumberedFinding)),
    disputes: v.optional(v.array(Dispute)),
    no_change: v.optional(defineStr(4000)),
    package: v.optional(ProducerPackage),
    /** A producer says that a checkpoint is reached. */
    checkpoint: v.optional(defineStr(200)),
    /** A judge's score of the tree. */
    score: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
    /** The paper that is handed in, whole. */
    paper: v.optional(v.record(defineStr(60), v.unknown())),
    /** A review that cannot count and is handed on to the step that validates it. */
    invalid: v.optional(v.array(defineStr(1000))),
    /** It could not even be read. */
    unread: v.optional(v.boolean()),
    claim: defineStr(64),
  }),
  CONVERGENCE: v.strictObject({
    ...turnRef,
    ...review,
    summary: defineStr(),
    claim: defineStr(64),
    evidence: v.strictObject({
      tree: defineStr(64),
      clean_passes: v.array(v.strictObject({ agent: defineStr(60), round: count, seq: count })),
      gates: v.array(v.strictObject({ name: defineStr(60), status: defineStr(20) })),
      reviewers: v.array(defineStr(60)),
      weak_alternation: v.optional(v.boolean()),
    }),
  }),
} as const;
