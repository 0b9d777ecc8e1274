// What each type of envelope says, one schema a type: a line counts only if the referee itself could have written it.
import * as v from "valibot";
import { BubbleConfig } from "./config.ts";
import { Answer, Checked, Dispute, NewFinding } from "./finding.ts";
import { GateResult, Profile } from "./gate.ts";
import { Outcome } from "./outcome.ts";
import { ProducerPackage } from "./package.ts";
import { Program } from "./program.ts";
import { Usage } from "./usage.ts";
import { Opinion } from "./verdict.ts";

const str = (max = 16_000) => v.pipe(v.string(), v.maxLength(max));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const turnRef = { turn: str(20), attempt: count };

/** Through which door a human's word came in; approvals and overrides show it. */
export const Via = v.picklist(["terminal", "operator-key", "page", "cli"]);
export type Via = v.InferOutput<typeof Via>;

/** The findings of one pass, with the ids the referee gave to the new ones. */
const NumberedFinding = v.strictObject({
  id: Answer.entries.id,
  ...NewFinding.entries,
  /** False: its place or quote does not stand in the tree. */
  proven: v.optional(v.boolean()),
});

export const ChangedFile = v.strictObject({
  path: str(1000),
  /** Where a renamed file was before: scope rules look at both. */
  from: v.optional(str(1000)),
  status: v.picklist(["added", "modified", "deleted", "renamed", "type-changed"]),
  added: v.nullable(count),
  removed: v.nullable(count),
});
export type ChangedFile = v.InferOutput<typeof ChangedFile>;

export const QuestionOption = v.strictObject({ key: str(200), does: str(300) });

const review = {
  answers: v.optional(v.array(Answer)),
  checked: v.optional(v.array(Checked)),
  opinion: v.optional(Opinion),
  by_operator: v.optional(v.boolean()),
};

/** What applies to a tree: which SOPs its files call for, in the versions pinned from the base. */
export const TreeContext = v.strictObject({
  sops: v.array(v.strictObject({ id: str(200), severity: v.picklist(["error", "warning", "info"]) })),
  /** Hash of everything a critic of this tree is told from the project's knowledge. */
  digest: str(64),
  /** Why no critic can be asked: it does not fit, or could not be read. */
  problem: v.optional(str(1000)),
});
export type TreeContext = v.InferOutput<typeof TreeContext>;

export const payloads = {
  BUBBLE_CREATED: v.strictObject({
    config: BubbleConfig,
    program: Program,
    profile: Profile,
    base_commit: str(64),
    task: v.strictObject({
      title: str(300),
      criteria: v.array(str(2000)),
      artifact: str(300),
      excerpt: str(8000),
    }),
    workflow_artifact: str(300),
    /** SOPs, constitution and conventions of the base commit, as one pinned artifact. */
    knowledge: v.optional(v.strictObject({ artifact: str(300), sha256: str(64), sops: count })),
  }),
  CONFIGURED: v.strictObject({ config: BubbleConfig, changed: v.array(str(60)) }),
  START_REQUESTED: v.strictObject({ seat: str(20), via: Via }),
  WORKSPACE_READY: v.strictObject({
    path: str(1000),
    branch: str(300),
    tree: str(64),
    notes: v.array(str(500)),
  }),
  WORKSPACE_FAILED: v.strictObject({ code: str(80), message: str(4000), attempt: count }),
  DRIVER_CLAIMED: v.strictObject({
    driver: str(60),
    pid: count,
    host: str(200),
    seat: str(20),
    attempt: count,
  }),
  STEP_ADVANCED: v.strictObject({
    from: v.nullable(str(60)),
    outcome: str(60),
    to: v.nullable(str(60)),
    why: str(2000),
    round: count,
    swap: v.optional(v.boolean()),
    /** The route that was held back by an exhausted budget, followed when a human grants more. */
    held: v.optional(v.strictObject({ to: str(60), swap: v.boolean() })),
  }),
  TURN_STARTED: v.strictObject({
    ...turnRef,
    step: str(60),
    role: str(60),
    agent: str(60),
    capability: str(64),
    session: str(100),
    fresh: v.boolean(),
    tree: str(64),
    prompt: str(300),
    output: str(1000),
    seat: str(20),
    sandboxed: v.boolean(),
  }),
  TURN_SPAWNED: v.strictObject({ ...turnRef, pid: count, tty: v.optional(str(100)) }),
  TURN_ENDED: v.strictObject({
    ...turnRef,
    outcome: Outcome,
    detail: str(4000),
    /** From when on another try makes sense, where the agent's CLI says so. */
    until: v.optional(str(40)),
    /** What the referee does about it; absent when a human is asked. */
    next: v.optional(
      v.strictObject({
        session: v.picklist(["same", "fresh"]),
        not_before: v.optional(str(40)),
        /** Another agent takes the turn over. */
        agent: v.optional(str(60)),
      }),
    ),
  }),
  /** The id under which the agent's CLI keeps this session, where it chooses one itself. */
  TURN_SESSION: v.strictObject({ ...turnRef, session: str(100) }),
  /** A dialog of the agent's own waits in its pane; null: it waits no more. */
  TURN_WAITING: v.strictObject({ ...turnRef, what: v.nullable(str(1000)) }),
  TURN_USAGE: v.strictObject({ ...turnRef, agent: str(60), role: str(60), usage: Usage }),
  HANDOFF: v.strictObject({
    ...turnRef,
    tree: str(64),
    commit: str(64),
    ref: str(300),
    files: v.array(ChangedFile),
    files_total: count,
    added: count,
    removed: count,
    problems: v.array(str(1000)),
    /** Lines the last change touched, compared with the tree before this turn. */
    touched: v.array(v.strictObject({ path: str(1000), ranges: v.array(v.tuple([count, count])) })),
    /** Artifact with the diff against the base; absent for a critic's turn. */
    diff: v.optional(str(300)),
    put_back: v.optional(str(300)),
    /** Places of the tree that look like a secret, as file:line (kind). */
    secrets: v.optional(v.array(str(1100))),
    /** What the critic of this tree must answer for. */
    context: v.optional(TreeContext),
  }),
  GATES_RESULT: v.strictObject({
    tree: str(64),
    attempt: count,
    results: v.array(GateResult),
    /** Files the gates themselves changed: the evidence is void. */
    changed: v.array(str(1000)),
    /** New files the gates left behind; they were put back and kept as a patch. */
    put_back: v.array(str(1000)),
    /** Artifact with the whole output. */
    output: str(300),
    /** The commit message a commit-msg hook judged; absent when the repository has no such hook. */
    commit_message: v.optional(str(4000)),
  }),
  TASK: v.strictObject({
    title: str(300),
    text: str(),
    criteria: v.array(str(2000)),
    gates: v.array(str(200)),
  }),
  PASS: v.strictObject({
    ...turnRef,
    ...review,
    role: str(60),
    summary: str(),
    pass_intent: v.picklist(["task", "review", "fix_request"]),
    findings: v.optional(v.array(NumberedFinding)),
    disputes: v.optional(v.array(Dispute)),
    no_change: v.optional(str(4000)),
    package: v.optional(ProducerPackage),
    claim: str(64),
  }),
  CONVERGENCE: v.strictObject({
    ...turnRef,
    ...review,
    summary: str(),
    claim: str(64),
    evidence: v.strictObject({
      tree: str(64),
      clean_passes: v.array(v.strictObject({ agent: str(60), round: count, seq: count })),
      gates: v.array(v.strictObject({ name: str(60), status: str(20) })),
      reviewers: v.array(str(60)),
      weak_alternation: v.optional(v.boolean()),
    }),
  }),
  HUMAN_QUESTION: v.strictObject({
    question: str(),
    kind: str(40),
    turn: v.optional(str(20)),
    options: v.optional(v.array(QuestionOption)),
    findings: v.optional(v.array(str(20))),
    claim: v.optional(str(64)),
    /** The process waits for the answer: which of its requests this is, and which question of it. */
    waiting: v.optional(v.strictObject({ request: str(100), question: str(100) })),
  }),
  QUESTION_WITHDRAWN: v.strictObject({ question: str(20), why: str(500) }),
  HUMAN_REPLY: v.strictObject({
    question: str(20),
    message: str(),
    choice: v.optional(str(200)),
    rounds: v.optional(count),
    /** Budgets granted once more. */
    budgets: v.optional(count),
    waived: v.optional(v.array(str(20))),
    waived_gates: v.optional(v.array(str(60))),
    via: Via,
  }),
  RESUMED: v.strictObject({ how: str(40), message: str(), via: Via }),
  DELIVERY: v.strictObject({
    message: count,
    turn: str(20),
    status: v.picklist(["sent", "acknowledged", "undelivered"]),
    detail: v.optional(str(500)),
  }),
  WARNING: v.strictObject({
    code: str(80),
    message: str(4000),
    agent: v.optional(str(60)),
    turn: v.optional(str(20)),
    details: v.optional(v.array(str(1000))),
  }),
  GATES_WAIVED: v.strictObject({ gates: v.array(str(60)), reason: str(2000), via: Via }),
  SCOPE_OVERRIDDEN: v.strictObject({ paths: v.array(str(1000)), reason: str(2000), via: Via }),
  TREE_CHANGED: v.strictObject({ expected: str(64), found: str(64), files: v.array(str(1000)) }),
  TREE_RESTORED: v.strictObject({ tree: str(64), patch: str(300), via: Via }),
  DONE_PACKAGE: v.strictObject({
    package: ProducerPackage,
    tree: str(64),
    artifact: str(300),
    sha256: str(64),
    weak: v.array(str(500)),
  }),
  APPROVAL_REQUEST: v.strictObject({ digest: str(64), tree: str(64) }),
  APPROVAL_DECISION: v.strictObject({
    decision: v.picklist(["approve", "revise", "reject"]),
    digest: str(64),
    message: str(),
    /** Rounds granted with a rework request when the budget is spent. */
    rounds: v.optional(count),
    via: Via,
  }),
  COMMITTED: v.strictObject({ commit: str(64), tree: str(64), branch: str(300), via: Via }),
  FINISHED: v.strictObject({}),
  FAILED: v.strictObject({ code: str(80), message: str(4000) }),
  CANCELLED: v.strictObject({ reason: str(2000), via: Via }),
} as const;
