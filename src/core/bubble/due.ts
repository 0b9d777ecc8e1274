// What is owed now. After a crash there is nothing to repair: fold the log and ask again; the keys are the same.

import {
  findUnsettledFailure,
  hasEnoughChildren,
  isAtWork,
  joinIsDue,
  mayRunNow,
} from "../interpreter/children.ts";
import { isImmediate } from "../interpreter/immediate.ts";
import { isBaseRunDue } from "../judge/gate-runs/base.ts";
import { isFinalRunDue } from "../judge/gate-runs/final.ts";
import { getRunDeadline, getStepDeadline, getWaitDeadline } from "../limits/timers.ts";
import type { Child, StepOf } from "../model/program.ts";
import type { Delivery, State, Turn } from "../model/state.ts";
import { isWorktreeElsewhere } from "../state/hosts.ts";
import { getCurrentStep, isCritic } from "../state/workflow-position.ts";
import { isFinal } from "./lifecycle.ts";

export type Effect =
  | { readonly kind: "prepare"; readonly key: string }
  | { readonly kind: "start-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "watch-turn"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "snapshot"; readonly key: string; readonly turn: Turn }
  | { readonly kind: "gates"; readonly key: string; readonly tree: string }
  /** The gates on a clean checkout of the base, before any agent is started. */
  | { readonly kind: "base-gates"; readonly key: string; readonly tree: string }
  /** The gates on a clean checkout of the tree that is to be signed. */
  | { readonly kind: "final-gates"; readonly key: string; readonly tree: string }
  | { readonly kind: "package"; readonly key: string; readonly tree: string }
  | { readonly kind: "deliver"; readonly key: string; readonly delivery: Delivery }
  | {
      readonly kind: "notify";
      readonly key: string;
      readonly event: "waiting-human" | "converged" | "failed";
      readonly text: string;
    }
  /** The artifacts of the current task are hashed. */
  | { readonly kind: "lock"; readonly key: string; readonly tree: string }
  | { readonly kind: "context"; readonly key: string; readonly tree: string }
  | { readonly kind: "start-workflow"; readonly key: string; readonly step: StepOf<"start"> }
  /** A plan, its tasks or an amendment go to the project's plans. */
  | { readonly kind: "keep-plan"; readonly key: string; readonly step: StepOf<"plan"> }
  /** A child bubble is made and set going, or kept going. */
  | { readonly kind: "child"; readonly key: string; readonly child: Child }
  /** A child that is not needed any more is stopped. */
  | { readonly kind: "stop-child"; readonly key: string; readonly child: Child; readonly bubble: string }
  /** A child is paused with its parent. */
  | { readonly kind: "pause-child"; readonly key: string; readonly bubble: string }
  | { readonly kind: "join"; readonly key: string }
  /** The base branch has moved, and a person wants its newest commit in the work. */
  | { readonly kind: "update-base"; readonly key: string; readonly to: string }
  /** Steps that need nobody continue. */
  | { readonly kind: "go-on"; readonly key: string; readonly entered: number }
  /** Something is to happen at a moment, if nothing else happens before. */
  | {
      readonly kind: "clock";
      readonly key: string;
      readonly what: "wait" | "step" | "run";
      readonly at: number;
      readonly entered: number;
    }
  | { readonly kind: "pair-session"; readonly key: string; readonly task: string }
  /** A child tells its parent its result; owed until the parent's log has it. */
  | { readonly kind: "report"; readonly key: string }
  /** What its reviewers noticed is counted; nothing of this bubble's record shows whether it was. */
  | { readonly kind: "learn"; readonly key: string }
  | { readonly kind: "close"; readonly key: string };

export type EffectOf<K extends Effect["kind"]> = Extract<Effect, { kind: K }>;

/** Starting an attempt and watching it share a key: it is watched only once it has been started. */
const getAttemptKey = (turn: Turn, attempt: number) => `turn:${turn.id}.${attempt}`;

/** Every effect the bubble owes, each with a key that is the same after any replay. */
export function listDueEffects(state: State): Effect[] {
  return state.pause ? listEffectsDuringPause(state) : listOwedEffects(state);
}

/** A turn that runs is seen to its end, and what it hands over is looked at; nothing new is begun. */
function listEffectsDuringPause(state: State): Effect[] {
  const { turn } = state;
  const settles: readonly Effect["kind"][] = turn?.status === "due" ? [] : ["watch-turn", "snapshot"];
  return [
    ...listNotices(state),
    ...listTurnEffects(state).filter(({ kind }) => settles.includes(kind)),
    ...listPairSessions(state),
    ...listStopsAndPauses(state),
  ];
}

/** A child that nobody waits for is stopped as ever; the others are paused. */
function listStopsAndPauses(state: State): Effect[] {
  const { children, pause, position } = state;
  if (!children || !pause) return [];
  if (children.joined || children.step !== position.step) return listStops(state);
  return children.each.filter(isAtWork).map(
    ({ child, bubble = "" }): Effect => ({
      kind: "pause-child",
      key: `pause-child:${pause.seq}.${child.key}.${bubble}`,
      bubble,
    }),
  );
}

/** What a pause lets finish that was begun before it: gates and other work of the referee. Not with `--now`. */
const finishable: readonly Effect["kind"][] = [
  "prepare",
  "gates",
  "base-gates",
  "final-gates",
  "package",
  "lock",
  "context",
  "start-workflow",
  "keep-plan",
  "join",
  "update-base",
];

/** Effects that may continue although they may not be begun now. */
export function mayFinish({ pause, ...rest }: State): Effect[] {
  return pause && !pause.now ? listOwedEffects(rest).filter(({ kind }) => finishable.includes(kind)) : [];
}

function listOwedEffects(state: State): Effect[] {
  if (isFinal(state.lifecycle))
    return [
      ...listFailureNotice(state),
      ...listStops(state),
      ...listReports(state),
      ...listLearningEffects(state),
      { kind: "close", key: "close" },
    ];
  if (state.lifecycle === "PREPARING_WORKSPACE")
    return [{ kind: "prepare", key: `prepare.${state.workspaceFailures}` }];
  if (state.lifecycle === "RUNNING" && isWorktreeElsewhere(state))
    return [
      ...listNotices(state),
      { kind: "prepare", key: `prepare.moved.${state.driver?.attempt ?? 0}` },
      ...listClocks(state),
    ];
  if (state.baseUpdate && state.lifecycle === "RUNNING") {
    const { to, seq } = state.baseUpdate;
    return [...listNotices(state), { kind: "update-base", key: `update-base:${to}.${seq}`, to }];
  }
  return [
    ...listNotices(state),
    ...(findBaseEffect(state) ?? [
      ...listTurnEffects(state),
      ...listStepEffects(state),
      ...listChildEffects(state),
      ...listClocks(state),
    ]),
    ...listPairSessions(state),
  ];
}

/** A child's report is owed until its parent's log has it; told twice it counts once. It tells what its own children used. */
function listReports(state: State): Effect[] {
  return state.parent && listStops(state).length === 0 ? [{ kind: "report", key: "report" }] : [];
}

/** Only successful work is learned from; counted twice it counts once. */
function listLearningEffects({ lifecycle }: State): Effect[] {
  return lifecycle === "DONE" ? [{ kind: "learn", key: "learn" }] : [];
}

function listFailureNotice(state: State): Effect[] {
  return state.lifecycle === "FAILED"
    ? [{ kind: "notify", key: "notify:failed", event: "failed", text: state.end?.message ?? "failed" }]
    : [];
}

function listNotices(state: State): Effect[] {
  const questions = state.questions.map(
    (question): Effect => ({
      kind: "notify",
      key: `notify:${question.id}`,
      event: "waiting-human",
      text: question.text,
    }),
  );
  if (state.lifecycle !== "READY_FOR_APPROVAL" || !state.approval)
    return [...questions, ...listDialog(state)];
  return [
    ...questions,
    {
      kind: "notify",
      key: `notify:a${state.approval.seq}`,
      event: "converged",
      text: `${state.bubbleId} asks for approval`,
    },
  ];
}

/** A dialog in a pane is nothing the referee can answer: a person must look. */
function listDialog({ turn }: State): Effect[] {
  if (!turn?.waitsFor) return [];
  const { what, at } = turn.waitsFor;
  const text = `${turn.agent} asks in its pane: ${what}`;
  return [{ kind: "notify", key: `notify:${turn.id}.${turn.attempt}@${at}`, event: "waiting-human", text }];
}

/** Before the first agent is started, here or in a child, the gates run on the base. */
function findBaseEffect(state: State): Effect[] | undefined {
  const isFirst = state.turn?.status === "due" || getCurrentStep(state)?.kind === "children";
  if (state.lifecycle !== "RUNNING" || !isFirst || !isBaseRunDue(state)) return undefined;
  const tree = state.workspace?.base ?? "";
  return [{ kind: "base-gates", key: `base-gates:${tree}@${state.activeSince}`, tree }];
}

/** While a human is asked nothing is done for a turn; what its process does meanwhile shows when the bubble runs again. */
function listTurnEffects(state: State): Effect[] {
  const turn = state.turn;
  if (!turn) return [];
  if (state.lifecycle !== "RUNNING") return [];
  if (turn.status === "due") {
    const context = findContextFirst(state, turn);
    return context ? [context] : [{ kind: "start-turn", key: getAttemptKey(turn, turn.attempt + 1), turn }];
  }
  if (turn.status === "claimed")
    return [{ kind: "snapshot", key: `snapshot:${turn.id}.${turn.claim?.seq}`, turn }];
  const deliveries = state.deliveries.filter((delivery) => delivery.turn === turn.id);
  return [
    { kind: "watch-turn", key: getAttemptKey(turn, turn.attempt), turn },
    ...deliveries.map(
      (delivery): Effect => ({
        kind: "deliver",
        key: `deliver:${delivery.message}.${delivery.status}.${delivery.tries}`,
        delivery,
      }),
    ),
  ];
}

/** A document's package is written once more when somebody has understood it. */
const getComprehensionKey = ({ comprehension }: State) => (comprehension ? `.${comprehension.seq}` : "");

function listStepEffects(state: State): Effect[] {
  const step = getCurrentStep(state);
  if (state.lifecycle !== "RUNNING" || !step) return [];
  const entered = state.position.seq;
  if (isImmediate(step)) return [{ kind: "go-on", key: `go-on:${entered}`, entered }];
  if (step.kind === "plan") return [{ kind: "keep-plan", key: `plan:${entered}`, step }];
  if (step.kind === "start") return [{ kind: "start-workflow", key: `start:${entered}`, step }];
  const tree = state.tree?.id;
  if (!tree) return [];
  if (step.kind === "approval")
    return isFinalRunDue(state)
      ? [{ kind: "final-gates", key: `final-gates:${tree}.${entered}.${state.gates?.seq ?? 0}`, tree }]
      : [{ kind: "package", key: `package:${tree}.${entered}${getComprehensionKey(state)}`, tree }];
  if (step.kind === "lock") return [{ kind: "lock", key: `lock:${tree}.${entered}`, tree }];
  if (step.kind === "context") return [{ kind: "context", key: `context:${tree}.${entered}`, tree }];
  return step.kind === "gates" ? listGatesEffect(state, tree) : [];
}

function listGatesEffect(state: State, tree: string): Effect[] {
  const isNew = state.gates?.tree === tree && state.gates.seq > state.position.seq;
  const known = isNew && !state.gates?.void && !state.gates?.again;
  return known
    ? []
    : [{ kind: "gates", key: `gates:${tree}.${state.position.seq}.${state.gates?.seq ?? 0}`, tree }];
}

/** No critic's turn starts without the context of its tree: it is put together once more, then a human is asked. */
function findContextFirst(state: State, turn: Turn): Effect | undefined {
  const { tree, activeSince } = state;
  if (!tree?.context?.problem || !isCritic(state, turn.role)) return undefined;
  return { kind: "context", key: `context:${tree.id}.${turn.id}.${activeSince}`, tree: tree.id };
}

function listChildEffects(state: State): Effect[] {
  const { children } = state;
  if (!children) return [];
  if (children.joined || children.step !== state.position.step) return listStops(state);
  if (state.lifecycle !== "RUNNING") return [];
  if (!hasEnoughChildren(children))
    return mayRunNow(children).map(({ child }) => ({
      kind: "child",
      key: `child:${children.seq}.${child.key}`,
      child,
    }));
  if (findUnsettledFailure(children))
    return [{ kind: "go-on", key: `go-on:${state.position.seq}.${state.seq}`, entered: state.position.seq }];
  return joinIsDue(state) ? [{ kind: "join", key: `join:${children.seq}` }] : listStops(state);
}

/** Children nobody waits for any more: enough are back, the step was left, or the parent has ended. */
function listStops({ children }: State): Effect[] {
  if (!children) return [];
  return children.each.filter(isAtWork).map(
    ({ child, bubble = "" }): Effect => ({
      kind: "stop-child",
      key: `stop-child:${children.seq}.${child.key}.${bubble}`,
      child,
      bubble,
    }),
  );
}

/** Moments that come by themselves, from the record: the same after any restart. */
function listClocks(state: State): Effect[] {
  if (state.lifecycle !== "RUNNING") return [];
  const entered = state.position.seq;
  const moments = { wait: getWaitDeadline(state), step: getStepDeadline(state), run: getRunDeadline(state) };
  return (["wait", "step", "run"] as const).flatMap((what): Effect[] => {
    const at = moments[what];
    return at === undefined
      ? []
      : [{ kind: "clock", key: `clock:${what}.${what === "run" ? "" : entered}@${at}`, what, at, entered }];
  });
}

/** The view of a pair is written after each change of what it shows. */
function listPairSessions({ program, tasks = {} }: State): Effect[] {
  return (program.tasks ?? []).flatMap(({ key, overlay }): Effect[] => {
    const known = tasks[key];
    if (overlay !== "paired_workflow" || !known || (known.view?.seq ?? 0) > known.changed) return [];
    return [{ kind: "pair-session", key: `pair-session:${key}.${known.changed}`, task: key }];
  });
}
