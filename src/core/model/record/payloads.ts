// What each type of envelope says, one schema a type: a line counts only if the referee itself could have written it.
import * as v from "valibot";
import { BubbleConfig } from "../config.ts";
import { Door } from "../door.ts";
import { Gate, GateResult, Profile } from "../gate.ts";
import { Child, Program } from "../program.ts";
import { Answer, CheckedEvidence, Dispute, NewFinding } from "../review/finding.ts";
import { Opinion } from "../review/verdict.ts";
import { TurnOutcome } from "../turn-end.ts";
import { BaseRun, CleanCheckout } from "./checkout.ts";
import { GitPin } from "./git-settings.ts";
import { ProducerPackage } from "./package.ts";
import { Usage } from "./usage.ts";

const defineStr = (max = 16_000) => v.pipe(v.string(), v.maxLength(max));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const turnRef = { turn: defineStr(20), attempt: count };

/** Through which door a human's word came in; approvals and overrides show it. */
export const Via = v.picklist(["terminal", "operator-key", "page", "cli"]);
export type Via = v.InferOutput<typeof Via>;
const Through = { via: Via, door: v.optional(Door) };

/** The findings of one pass, with the ids the referee gave to the new ones. */
const NumberedFinding = v.strictObject({
  id: Answer.entries.id,
  ...NewFinding.entries,
  /** False: its place or quote does not stand in the tree. */
  proven: v.optional(v.boolean()),
});

export const ChangedFile = v.strictObject({
  path: defineStr(1000),
  /** Where a renamed file was before: scope rules look at both. */
  from: v.optional(defineStr(1000)),
  status: v.picklist(["added", "modified", "deleted", "renamed", "type-changed"]),
  added: v.nullable(count),
  removed: v.nullable(count),
});
export type ChangedFile = v.InferOutput<typeof ChangedFile>;

export const QuestionOption = v.strictObject({ key: defineStr(200), does: defineStr(300) });

const review = {
  answers: v.optional(v.array(Answer)),
  checked: v.optional(v.array(CheckedEvidence)),
  opinion: v.optional(Opinion),
  by_operator: v.optional(v.boolean()),
};

/** What applies to a tree: which SOPs its files call for, in the versions pinned from the base. */
export const TreeContext = v.strictObject({
  sops: v.array(v.strictObject({ id: defineStr(200), severity: v.picklist(["error", "warning", "info"]) })),
  /** Hash of everything a critic of this tree is told from the project's knowledge. */
  digest: defineStr(64),
  /** Why no reviewer can be asked: it does not fit, or could not be read. */
  problem: v.optional(defineStr(1000)),
});
export type TreeContext = v.InferOutput<typeof TreeContext>;

const ChildLock = v.strictObject({
  path: defineStr(1000),
  sha256: defineStr(64),
  decided_by: defineStr(200),
  task: v.optional(defineStr(80)),
});

/** What was found elsewhere and not answered yet: it is open here under its id. */
const CarriedFinding = v.strictObject({ ...NewFinding.entries, id: defineStr(20), by: defineStr(60) });
export type CarriedFinding = v.InferOutput<typeof CarriedFinding>;

/** Where a bubble comes from that was made of the good part of another: nothing of it is trusted but what is named here. */
const Salvaged = v.strictObject({
  bubble: defineStr(63),
  /** The newest line of the good part. */
  seq: count,
  hash: defineStr(64),
  /** The damaged file as it was then. */
  sha256: defineStr(64),
  /** The newest work of the good part: the worktree begins with it. */
  work: v.optional(v.strictObject({ commit: defineStr(64), tree: defineStr(64), round: count })),
  /** What was found and not answered yet. */
  findings: v.array(CarriedFinding),
});

/** The approved document that a bubble implements: whose it is, and its bytes as an artifact of this bubble. */
const ImplementedDocument = v.strictObject({
  bubble: defineStr(63),
  path: defineStr(1000),
  /** The tree that was approved. */
  tree: defineStr(64),
  artifact: defineStr(300),
  sha256: defineStr(64),
});
export type ImplementedDocument = v.InferOutput<typeof ImplementedDocument>;

export const payloads = {
  BUBBLE_CREATED: v.strictObject({
    config: BubbleConfig,
    program: Program,
    profile: Profile,
    base_commit: defineStr(64),
    task: v.strictObject({
      title: defineStr(300),
      criteria: v.array(defineStr(2000)),
      artifact: defineStr(300),
      excerpt: defineStr(8000),
    }),
    workflow_artifact: defineStr(300),
    /** SOPs, constitution and conventions of the base commit, as one pinned artifact. */
    knowledge: v.optional(v.strictObject({ artifact: defineStr(300), sha256: defineStr(64), sops: count })),
    document: v.optional(ImplementedDocument),
    /** The bubble whose child this is; it reports there and is not committed by itself. */
    parent: v.optional(
      v.strictObject({
        bubble: defineStr(63),
        key: defineStr(80),
        depth: count,
        /** What the parent's tasks have locked is locked here too. */
        locks: v.optional(v.array(ChildLock)),
      }),
    ),
    /** The bubbles whose work continues here, oldest first: each was routed to the next. */
    lineage: v.optional(v.array(v.strictObject({ bubble: defineStr(63), workflow: defineStr(60) }))),
    /** The damaged record whose good part continues here. */
    salvaged: v.optional(Salvaged),
    /** The run that ended and continues here: the tree this one begins with, and what nobody has answered there. */
    continues: v.optional(
      v.strictObject({
        bubble: defineStr(63),
        tree: v.optional(defineStr(64)),
        findings: v.array(CarriedFinding),
      }),
    ),
  }),
  CONFIGURED: v.strictObject({
    config: BubbleConfig,
    changed: v.array(defineStr(60)),
    /** Each setting with its value before and after, as far as the line has room. */
    values: v.optional(
      v.array(v.strictObject({ setting: defineStr(200), from: defineStr(300), to: defineStr(300) })),
    ),
    /** The command that read bubble.toml; who edited the file is not known. */
    read_at: v.optional(defineStr(40)),
    /** The gates that `[commands]` means now, where it was changed. */
    gates: v.optional(v.array(Gate)),
  }),
  START_REQUESTED: v.strictObject({ seat: defineStr(20), ...Through }),
  WORKSPACE_READY: v.strictObject({
    path: defineStr(1000),
    branch: defineStr(300),
    tree: defineStr(64),
    notes: v.array(defineStr(500)),
    /** The tree of the base commit; the gates run on it before any agent is started. */
    base: v.optional(defineStr(64)),
    /** Why the setup command failed here; no agent is started before a human has answered. */
    problem: v.optional(defineStr(2000)),
    /** The repository's git settings as the bubble found them. */
    git: v.optional(GitPin),
    /** The host it is on; absent on records of earlier versions. */
    host: v.optional(defineStr(200)),
    /** What stood in it that was not in the recorded tree, as a patch: the bubble has moved to this host from another one. */
    put_back: v.optional(defineStr(300)),
  }),
  WORKSPACE_FAILED: v.strictObject({ code: defineStr(80), message: defineStr(4000), attempt: count }),
  DRIVER_CLAIMED: v.strictObject({
    driver: defineStr(60),
    pid: count,
    host: defineStr(200),
    seat: defineStr(20),
    attempt: count,
  }),
  STEP_ADVANCED: v.strictObject({
    from: v.nullable(defineStr(80)),
    outcome: defineStr(60),
    to: v.nullable(defineStr(80)),
    why: defineStr(2000),
    round: count,
    swap: v.optional(v.boolean()),
    /** The route that was held back by an exhausted budget, followed when a human grants more. */
    held: v.optional(v.strictObject({ to: defineStr(80), swap: v.boolean() })),
    /** The step that was entered is passed over: its condition does not hold. */
    unmet: v.optional(v.boolean()),
    /** The result of the step that was left, where later steps may refer to it. */
    output: v.optional(v.record(defineStr(60), v.unknown())),
    /** Why the step that was left failed. */
    error: v.optional(defineStr(2000)),
  }),
  /** A task of the workflow begins: who plays which role in it. */
  TASK_STARTED: v.strictObject({
    task: defineStr(80),
    roles: v.record(defineStr(80), defineStr(60)),
    why: defineStr(2000),
  }),
  TASK_ENDED: v.strictObject({
    task: defineStr(80),
    status: v.picklist(["completed", "accepted", "exceeded", "skipped"]),
    /** `max_iterations_exceeded` where nobody is asked. */
    flag: v.optional(defineStr(80)),
    iterations: count,
    why: defineStr(2000),
  }),
  /** The advisory score of what a producer handed over. It decides nothing by itself. */
  CONFIDENCE: v.strictObject({
    task: v.optional(defineStr(80)),
    tree: defineStr(64),
    score: v.number(),
    threshold: v.number(),
    met: v.boolean(),
    metrics: v.array(
      v.strictObject({
        name: defineStr(60),
        weight: v.number(),
        value: v.number(),
        evidence: defineStr(300),
      }),
    ),
  }),
  LOCKED: v.strictObject({
    task: v.optional(defineStr(80)),
    decided_by: defineStr(200),
    artifacts: v.array(v.strictObject({ path: defineStr(1000), sha256: defineStr(64) })),
  }),
  UNLOCKED: v.strictObject({ paths: v.array(defineStr(1000)), reason: defineStr(2000), ...Through }),
  EVENT: v.strictObject({ event: defineStr(200), payload: v.record(defineStr(200), v.unknown()) }),
  CONTEXT_ASSEMBLED: v.strictObject({ tree: defineStr(64), context: TreeContext }),
  /** Another workflow was started as a bubble of its own; a problem when that could not be done. */
  WORKFLOW_STARTED: v.strictObject({
    step: defineStr(80),
    workflow: defineStr(60),
    bubble: v.optional(defineStr(63)),
    problem: v.optional(defineStr(2000)),
  }),
  /** Children are wanted side by side, each from this commit. */
  CHILDREN_OPENED: v.strictObject({
    step: defineStr(80),
    from: defineStr(64),
    wait: v.picklist(["all", "any", "majority"]),
    max_concurrent: count,
    children: v.array(Child),
  }),
  CHILD_STARTED: v.strictObject({ key: defineStr(80), bubble: defineStr(63) }),
  CHILD_REPORTED: v.strictObject({
    key: defineStr(80),
    bubble: defineStr(63),
    status: v.picklist(["completed", "exceeded", "cancelled", "failed", "routed"]),
    tree: v.optional(defineStr(64)),
    commit: v.optional(defineStr(64)),
    why: defineStr(2000),
    spent: v.optional(Usage),
    minutes: v.optional(v.number()),
    /** What it locked continues being locked in the parent. */
    locks: v.optional(v.array(ChildLock)),
    /** What its producer says about its work, for the parent's package. */
    package: v.optional(ProducerPackage),
    /** What whoever signs its work should know of it, by code. */
    know: v.optional(v.array(v.strictObject({ code: defineStr(60), text: defineStr(500) }))),
    /** Routed: the bubble that continues with it, and reports in its place. */
    to: v.optional(defineStr(63)),
    /** The bubbles before it, whose place it has taken. */
    after: v.optional(v.array(defineStr(63))),
    /** What those have used: it counts once, whoever reports first. */
    before: v.optional(
      v.array(
        v.strictObject({ bubble: defineStr(63), spent: v.optional(Usage), minutes: v.optional(v.number()) }),
      ),
    ),
  }),
  /** A plan was kept with the project, or why it could not be. */
  PLAN_KEPT: v.strictObject({
    step: defineStr(80),
    act: v.picklist(["save", "commit", "propose", "tasks", "amend"]),
    slug: defineStr(60),
    problem: v.optional(defineStr(2000)),
  }),
  /** Test commands of papers are gates of this run from now on. */
  GATES_ADOPTED: v.strictObject({ gates: v.array(Gate), from: v.array(defineStr(60)) }),
  /** The children's trees as one, merged in task order. */
  JOINED: v.strictObject({
    tree: defineStr(64),
    commit: defineStr(64),
    ref: defineStr(300),
    files: v.array(ChangedFile),
    files_total: count,
    added: count,
    removed: count,
    touched: v.array(v.strictObject({ path: defineStr(1000), ranges: v.array(v.tuple([count, count])) })),
    diff: v.optional(defineStr(300)),
    secrets: v.optional(v.array(defineStr(1100))),
    context: v.optional(TreeContext),
    children: v.array(defineStr(80)),
    /** Files with conflict markers in them. */
    conflicts: v.array(defineStr(1000)),
  }),
  /** A person wants the newest commit of the base branch in the work: what was judged without it counts no more. */
  BASE_UPDATE_WANTED: v.strictObject({ branch: defineStr(300), to: defineStr(64), ...Through }),
  /** The work stands on another commit of the base branch: both were merged. */
  BASE_UPDATED: v.strictObject({
    from: defineStr(64),
    to: defineStr(64),
    tree: defineStr(64),
    commit: defineStr(64),
    ref: defineStr(300),
    files: v.array(ChangedFile),
    files_total: count,
    added: count,
    removed: count,
    touched: v.array(v.strictObject({ path: defineStr(1000), ranges: v.array(v.tuple([count, count])) })),
    diff: v.optional(defineStr(300)),
    secrets: v.optional(v.array(defineStr(1100))),
    context: v.optional(TreeContext),
    /** Files with conflict markers in them. */
    conflicts: v.array(defineStr(1000)),
    /** Rounds granted with it when the budget is spent. */
    rounds: v.optional(count),
  }),
  /** The view of a pair session was written: its hash, so that a change behind our back is seen. */
  PAIR_SESSION: v.strictObject({
    task: defineStr(80),
    artifact: defineStr(300),
    sha256: defineStr(64),
    iteration: count,
  }),
  /** A human takes back a step and everything that rests on it. */
  STEP_REDONE: v.strictObject({
    step: defineStr(80),
    tasks: v.array(defineStr(80)),
    reason: defineStr(2000),
    via: Via,
  }),
  /** The result of the run; never success by itself. */
  RUN_RESULT: v.strictObject({
    result: v.picklist(["approved", "accepted", "rejected", "routed", "completed", "exceeded"]),
    why: defineStr(2000),
    /** The sibling that continues, when it is routed. */
    to: v.optional(defineStr(63)),
  }),
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
    tree: defineStr(64),
    commit: defineStr(64),
    ref: defineStr(300),
    files: v.array(ChangedFile),
    files_total: count,
    added: count,
    removed: count,
    problems: v.array(defineStr(1000)),
    /** Lines the last change touched, compared with the tree before this turn. */
    touched: v.array(v.strictObject({ path: defineStr(1000), ranges: v.array(v.tuple([count, count])) })),
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
  HUMAN_QUESTION: v.strictObject({
    question: defineStr(),
    kind: defineStr(40),
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
