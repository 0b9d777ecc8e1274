// What drivers and people say about tasks and steps of workflows, for random histories: locks, clocks, context,
// children, views, and steps that are taken back.
import type { Effect, EffectOf } from "../../src/core/bubble/due/effect.ts";
import { listCompletedChildren } from "../../src/core/interpreter/children.ts";
import type { Actor, Command } from "../../src/core/model/command.ts";
import type { PayloadOf } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { driver } from "../../src/testing/scenario-actors.ts";

interface Roll {
  readonly a: number;
  readonly b: number;
}

/** Lines that only workflows with tasks or with more kinds of steps write. */
export const linesOfWorkflows = [
  "TASK_STARTED",
  "TASK_ENDED",
  "CONFIDENCE",
  "LOCKED",
  "UNLOCKED",
  "EVENT",
  "CONTEXT_ASSEMBLED",
  "WORKFLOW_STARTED",
  "CHILDREN_OPENED",
  "CHILD_STARTED",
  "CHILD_REPORTED",
  "JOINED",
  "PAIR_SESSION",
  "STEP_REDONE",
  "RUN_RESULT",
  "PLAN_KEPT",
  "GATES_ADOPTED",
] as const;

const pick = <T>(items: readonly T[], n: number): T => items[n % items.length] as T;
const trees = ["T1", "T2", "T3"];

/** How locked artifacts stand in a tree: mostly as they were, sometimes changed, gone, or not looked up. */
export function lockedAs({ locks = [] }: Pick<State, "locks">, n: number) {
  if (locks.length === 0 || n % 13 === 0) return {};
  const found = (sha256: string) => (n % 7 === 0 ? "other" : n % 11 === 0 ? null : sha256);
  return { locked: Object.fromEntries(locks.map(({ path, sha256 }) => [path, found(sha256)])) };
}

/** What a driver reports about something a step owes; undefined for effects that are not a step's. */
export function stepOutcome(state: State, effect: Effect, { a, b }: Roll): Command | undefined {
  const actor = driver;
  switch (effect.kind) {
    case "go-on":
      return { type: "go-on", actor, entered: effect.entered };
    case "clock":
      return { type: "time-up", actor, what: effect.what, entered: effect.entered };
    case "lock":
      return { type: "lock", actor, tree: effect.tree, artifacts: artifacts(state, effect.tree) };
    case "context":
      return contextOf(effect.tree, a);
    case "start-workflow":
      return {
        type: "workflow-started",
        actor,
        step: effect.step.name,
        workflow: effect.step.workflow,
        ...(a % 3 === 0 ? { problem: "there is no such workflow" } : { bubble: `cart-${b}` }),
      };
    case "keep-plan":
      return {
        type: "plan-kept",
        actor,
        step: effect.step.name,
        act: effect.step.act,
        slug: "totals",
        ...(a % 4 === 0 ? { problem: "the plan is committed" } : {}),
      };
    case "child":
      return childSays(state, effect, { a, b });
    case "update-base":
      return updatesBase(effect.to, { a, b });
    case "stop-child":
      return {
        type: "child-reported",
        actor,
        key: effect.child.key,
        bubble: effect.bubble,
        status: "cancelled",
        why: "stopped",
      };
    case "join":
      return joins(state, { a, b });
    case "pair-session":
      return viewOf(state, effect.task, b);
    default:
      return undefined;
  }
}

const artifacts = (state: State, tree: string) => [
  { path: `docs/${state.position.step?.split("/")[0]}.md`, sha256: `sha-${tree}` },
];

const contextOf = (tree: string, a: number): Command => ({
  type: "context-assembled",
  actor: driver,
  tree,
  context: { sops: [], digest: "d", ...(a % 4 === 0 ? { problem: "the SOPs cannot be read" } : {}) },
});

function viewOf(state: State, task: string, b: number): Command {
  const artifact = `pair-sessions/${task}.json`;
  return b % 25 === 0
    ? { type: "pair-corrupt", actor: driver, task, problem: "its hash is another one", artifact }
    : { type: "pair-session", actor: driver, task, artifact, sha256: "s", iteration: state.round };
}

const endings = ["completed", "completed", "completed", "exceeded", "failed", "cancelled"] as const;

function childSays(state: State, { child: { key } }: EffectOf<"child">, { a, b }: Roll): Command {
  const known = state.children?.each.find(({ child }) => child.key === key);
  const bubble = known?.bubble ?? `cart-${key}`;
  if (!known?.bubble && a % 5 > 0) return { type: "child-started", actor: driver, key, bubble };
  const tree = pick(trees, b);
  const isRouted = a % 7 === 3;
  const report: PayloadOf<"CHILD_REPORTED"> = {
    key,
    bubble,
    status: isRouted ? "routed" : pick(endings, a),
    ...(isRouted ? { to: `${bubble}-2` } : {}),
    tree,
    commit: `commit-${tree}`,
    why: "it is over",
    spent: { input: a, output: b },
    minutes: 1,
    locks: b % 2 ? [{ path: `docs/${key}.md`, sha256: `sha-${tree}`, decided_by: "bob" }] : [],
  };
  return { type: "child-reported", actor: driver, ...report };
}

function joins(state: State, { a, b }: Roll): Command {
  const tree = pick(trees, a);
  return {
    type: "joined",
    actor: driver,
    tree,
    commit: `commit-${tree}`,
    ref: "r",
    files: [{ path: "src/cart.ts", status: "modified", added: a, removed: b }],
    touched: [],
    children: state.children ? listCompletedChildren(state.children).map(({ child }) => child.key) : [],
    conflicts: b % 3 === 0 ? ["src/cart.ts"] : [],
  };
}

function updatesBase(to: string, { a, b }: Roll): Command {
  const tree = pick(trees, a);
  return {
    type: "base-updated",
    actor: driver,
    ...{ to, tree, commit: `commit-${tree}`, ref: "r" },
    ...(a % 2 === 0 ? { base: `base of ${to}` } : {}),
    touched: [],
    files: [{ path: "src/cart.ts", status: "modified", added: a, removed: b }],
    conflicts: b % 3 === 0 ? ["src/cart.ts"] : [],
  };
}

/** The same by anybody, fitting or not. */
export function wildSteps(state: State, actor: Actor, { a, b }: Roll): Command[] {
  const step = pick(state.program.steps, a + b).name;
  const reached = Object.keys(state.steps ?? {});
  const entered = b % 2 ? state.position.seq : a;
  const key = pick([...(state.children?.each.map(({ child }) => child.key) ?? []), "nobody"], a);
  const task = pick([...(state.program.tasks?.map((one) => one.key) ?? []), "nothing"], a);
  const lock = state.locks?.[0]?.path ?? "docs/none.md";
  const operator: Actor = { kind: "operator", via: "terminal" };
  return [
    { type: "go-on", actor, entered },
    { type: "time-up", actor, what: pick(["wait", "step", "run"] as const, a), entered },
    { type: "lock", actor, tree: state.tree?.id ?? "T0", artifacts: artifacts(state, "T9") },
    { type: "unlock", actor: operator, paths: [pick([lock, "docs/none.md"], b)], reason: a % 3 ? "r" : "" },
    { ...contextOf(state.tree?.id ?? "T0", b), actor },
    { type: "workflow-started", actor, step, workflow: "other", bubble: "cart-x" },
    { type: "child-started", actor, key, bubble: `cart-${key}` },
    { type: "child-reported", actor, key, bubble: `cart-${b % 3}`, status: pick(endings, b), why: "w" },
    { ...joins(state, { a, b }), actor },
    { ...viewOf(state, task, b), actor },
    { type: "redo", actor: operator, step, reason: b % 4 ? "again" : " " },
    { type: "redo", actor: operator, step: pick([...reached, step], a), reason: "again" },
  ];
}
