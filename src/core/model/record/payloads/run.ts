// A bubble and its run: how it was made, its workspace, the steps and tasks of its workflow, children, and its result.
import * as v from "valibot";
import { BubbleConfig } from "../../config.ts";
import { Gate, Profile } from "../../gate.ts";
import { Child, Program } from "../../program.ts";
import { GitPin } from "../git-settings.ts";
import { ProducerPackage } from "../package.ts";
import { Usage } from "../usage.ts";
import {
  CarriedFinding,
  count,
  defineStr,
  ImplementedDocument,
  Through,
  TreeContext,
  touched,
  treeWithFiles,
  Via,
} from "./parts.ts";

const ChildLock = v.strictObject({
  path: defineStr(1000),
  sha256: defineStr(64),
  decided_by: defineStr(200),
  task: v.optional(defineStr(80)),
});

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

const mergedTree = {
  ...treeWithFiles,
  touched,
  diff: v.optional(defineStr(300)),
  secrets: v.optional(v.array(defineStr(1100))),
  context: v.optional(TreeContext),
};

export const runPayloads = {
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
    /** What the person who signs its work should know of it, by code. */
    know: v.optional(v.array(v.strictObject({ code: defineStr(60), text: defineStr(500) }))),
    /** Routed: the bubble that continues with it, and reports in its place. */
    to: v.optional(defineStr(63)),
    /** The bubbles before it, whose place it has taken. */
    after: v.optional(v.array(defineStr(63))),
    /** What those have used: it counts once, in whichever order they report. */
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
    ...mergedTree,
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
    /** The tree of `to`, which the gates judge before anybody works on it. */
    base: v.optional(defineStr(64)),
    ...mergedTree,
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
} as const;
