// What is owed now. After a crash there is nothing to repair: fold the log and ask again; the keys are the same.
import { isImmediate } from "../interpreter/immediate.ts";
import { isBaseRunDue } from "../judge/gate-runs/base.ts";
import { isFinalRunDue } from "../judge/gate-runs/final.ts";
import { getRunDeadline, getStepDeadline, getWaitDeadline } from "../limits/timers.ts";
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { isWorktreeElsewhere } from "../state/hosts.ts";
import { getCurrentStep, isCritic } from "../state/workflow-position.ts";
import { listChildEffects, listStops, listStopsAndPauses } from "./due/children.ts";
import type { Effect } from "./due/effect.ts";
import { isFinal } from "./lifecycle.ts";

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

/** Before the first agent is started, here or in a child, and before anything else where the base has moved, the gates run on it. */
function findBaseEffect(state: State): Effect[] | undefined {
  const isFirst =
    state.workspace?.isBaseMoved ||
    state.turn?.status === "due" ||
    getCurrentStep(state)?.kind === "children";
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
