// Tasks of a workflow: when they begin and end, what their rounds have come to, and children that work on them.
import type { EnvelopeOf } from "../../model/envelope.ts";
import type { ProducerPackage } from "../../model/package.ts";
import type { Step } from "../../model/program.ts";
import { clip } from "../../model/sizes.ts";
import type { Iteration, State, TaskProgress, Turn } from "../../model/state.ts";
import { sum } from "../../policy/budget.ts";
import { cleanPasses } from "../../policy/convergence.ts";
import { currentTask, iterationOf, loopOf, progressOf, stepNamed, taskNamed } from "../../policy/place.ts";

const keptIterations = 100;
const keptWords = 4_000;

/** A task begins, or a human has sent it back: then it goes on counting where it was, with one round at least. */
export function taskStarted(state: State, { payload, seq }: EnvelopeOf<"TASK_STARTED">): State {
  const { task: key, roles } = payload;
  const { convergence: _claimed, ...rest } = state;
  const before = state.tasks?.[key];
  const isAgain = before !== undefined && !taskNamed(state, key)?.joins;
  const next = state.round + 1;
  const max = taskNamed(state, key)?.loop.max_rounds ?? 1;
  return {
    ...rest,
    tasks: {
      ...state.tasks,
      [key]: isAgain ? { ...withoutEnd(before), status: "running", changed: seq } : fresh(state, seq, next),
    },
    roles: { ...state.config.agents, ...roles },
    extraRounds: isAgain ? Math.max(0, next - before.firstRound + 1 - max) : 0,
    reviews: [],
    progress: { key: "", repeats: 0 },
    locks: (state.locks ?? []).filter((lock) => lock.task !== key),
  };
}

function fresh(state: State, seq: number, round: number): TaskProgress {
  return {
    status: "running",
    seq,
    firstRound: round,
    ...(state.tree ? { fromTree: state.tree.id } : {}),
    subtask: 0,
    switches: 0,
    changed: seq,
    history: [],
  };
}

function withoutEnd({
  flag: _flag,
  iterations: _iterations,
  accepted: _accepted,
  ...rest
}: TaskProgress): TaskProgress {
  return rest;
}

export function taskEnded(state: State, { payload, seq }: EnvelopeOf<"TASK_ENDED">): State {
  const { task: key, status, flag, iterations } = payload;
  const known = state.tasks?.[key] ?? fresh(state, seq, state.round + 1);
  const ended = { ...known, status, iterations, changed: seq, ...(flag ? { flag } : {}) };
  return { ...state, tasks: { ...state.tasks, [key]: ended } };
}

/** A step was entered: a new round, another subtask, switched roles, a human's acceptance. */
export function onTheWay(
  state: State,
  { payload, seq }: EnvelopeOf<"STEP_ADVANCED">,
  key: string | undefined,
  newRound: boolean,
): State {
  const known = key === undefined ? undefined : state.tasks?.[key];
  const children =
    state.children && payload.to === state.children.step && payload.outcome === "continue"
      ? { children: { ...state.children, settled: true } }
      : {};
  if (key === undefined || !known) return { ...state, ...children };
  const { checkpoint, accepted, ...rest } = known;
  const isNews = payload.swap || payload.outcome === "subtask" || newRound;
  const next: TaskProgress = {
    ...rest,
    subtask: known.subtask + (payload.outcome === "subtask" ? 1 : 0),
    switches: known.switches + (payload.swap ? 1 : 0),
    changed: isNews ? seq : known.changed,
    ...(checkpoint !== undefined && !newRound ? { checkpoint } : {}),
    ...(payload.outcome === "accept" || (accepted && !newRound) ? { accepted: true } : {}),
  };
  // What was approved was the part before: the next one has to be judged even if its tree is the same.
  const unjudged = payload.outcome === "subtask" ? { reviews: [] } : {};
  return { ...state, ...children, ...unjudged, tasks: { ...state.tasks, [key]: next } };
}

/** A producer handed over: this round of its task has a beginning. */
export function historyProduced(
  state: State,
  turn: Turn,
  { seq, ts, payload }: EnvelopeOf<"HANDOFF">,
): State {
  const task = currentTask(state);
  const known = progressOf(state);
  if (!task || !known) return state;
  const pass = turn.claim?.pass;
  const entry: Iteration = {
    iteration: iterationOf(state),
    producer: turn.agent,
    summary: clip(pass?.summary ?? "", keptWords),
    at: ts,
    tree: payload.tree,
  };
  const before = known.history.filter(({ iteration }) => iteration !== entry.iteration);
  const next: TaskProgress = {
    ...known,
    changed: seq,
    history: [...before, entry].slice(-keptIterations),
    ...(pass?.checkpoint ? { checkpoint: pass.checkpoint } : {}),
  };
  return { ...state, tasks: { ...state.tasks, [task.key]: next } };
}

/** A critic has said what it thinks of this round. `state` has its review already. */
export function historyReviewed(state: State, turn: Turn, { seq, ts }: EnvelopeOf<"HANDOFF">): State {
  const task = currentTask(state);
  const known = progressOf(state);
  const review = state.lastReview;
  if (!task || !known || !review) return state;
  const iteration = iterationOf(state);
  const { chain = [], clean_passes } = loopOf(state);
  const approved = cleanPasses(state).length >= Math.max(clean_passes, chain.length);
  const entry = known.history.find((one) => one.iteration === iteration) ?? {
    iteration,
    producer: state.tree?.by ?? "",
    summary: "",
    at: ts,
    tree: state.tree?.id ?? "",
  };
  const said = chain.length > 1 ? `${turn.agent}: ${review.feedback}` : review.feedback;
  const critique = entry.critique === undefined ? said : `${entry.critique}\n${said}`;
  const reviewed: Iteration = {
    ...entry,
    critic: turn.agent,
    critique: clip(critique, keptWords),
    approved,
    decision: review.approved ? "GO" : "NO_GO",
  };
  const others = known.history.filter((one) => one.iteration !== iteration);
  const next = { ...known, changed: seq, history: [...others, reviewed].slice(-keptIterations) };
  return { ...state, tasks: { ...state.tasks, [task.key]: next } };
}

/** A judge has scored the tree; it changes nothing else. */
export function historyScored(state: State, turn: Turn, { seq }: EnvelopeOf<"HANDOFF">): State {
  const task = currentTask(state);
  const known = progressOf(state);
  const score = turn.claim?.pass?.score;
  if (!task || !known || score === undefined) return state;
  const judged = { score, tree: state.tree?.id ?? "", agent: turn.agent };
  return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, judged, changed: seq } } };
}

export function confidence(state: State, { payload, seq }: EnvelopeOf<"CONFIDENCE">): State {
  const key = payload.task;
  const known = key === undefined ? undefined : state.tasks?.[key];
  if (key === undefined || !known) return state;
  const { score, tree, met } = payload;
  return {
    ...state,
    tasks: { ...state.tasks, [key]: { ...known, confidence: { score, tree, met }, changed: seq } },
  };
}

export function pairSession(state: State, { payload, seq }: EnvelopeOf<"PAIR_SESSION">): State {
  const known = state.tasks?.[payload.task];
  if (!known) return state;
  const view = { artifact: payload.artifact, sha256: payload.sha256, seq };
  return { ...state, tasks: { ...state.tasks, [payload.task]: { ...known, view } } };
}

/** A step and what rests on it are taken back: its tasks are open again, and their locks and signatures are gone. */
export function stepRedone(state: State, { payload, seq }: EnvelopeOf<"STEP_REDONE">): State {
  const gone = new Set(payload.tasks);
  const kept = Object.entries(state.tasks ?? {}).filter(([key]) => !gone.has(key));
  const step = stepNamed(state, payload.step);
  const own = step?.task;
  const known = own === undefined ? undefined : state.tasks?.[own];
  const { convergence: _claimed, result: _result, approval: _approval, ...rest } = state;
  const tasks = Object.fromEntries(kept);
  return {
    ...withoutEvidence(rest, step),
    ...(state.tasks
      ? {
          tasks:
            own && known
              ? { ...tasks, [own]: { ...openAgain(known, step), status: "running", changed: seq } }
              : tasks,
        }
      : {}),
    ...backIn(state, step),
    steps: unsigned(state, new Set([...gone, ...(own ? [own] : [])])),
    locks: (state.locks ?? []).filter(({ task }) => task !== own && !(task && gone.has(task))),
    progress: { key: "", repeats: 0 },
    questions: [],
  };
}

/** Locked or ended anew, the task still rests on what a human accepted. */
function openAgain(known: TaskProgress, step: Step | undefined): TaskProgress {
  const stays = known.accepted && (step?.kind === "lock" || step?.kind === "done");
  return stays ? { ...withoutEnd(known), accepted: true } : withoutEnd(known);
}

/** What the step found out is found out anew; what it rests on stays. */
function withoutEvidence(state: State, step: Step | undefined): State {
  if (step?.kind === "turn") return { ...state, reviews: [] };
  if (step?.kind === "context" && state.tree) {
    const { context: _context, ...tree } = state.tree;
    return { ...state, tree };
  }
  if (step?.kind !== "gates") return state;
  const { gates: _gates, ...rest } = state;
  return rest;
}

/** Back in another task its own roles hold; and what a human takes back has a round, whatever was spent. */
function backIn(state: State, step: Step | undefined): Pick<State, "roles" | "extraRounds"> {
  const task = taskNamed(state, step?.task);
  const isHere = task === currentTask(state);
  const firstRound = (task && state.tasks?.[task.key]?.firstRound) ?? 1;
  const round = state.round + (step?.kind === "turn" && step.answer === "handoff" ? 1 : 0);
  const wanted = round - firstRound + 1 - (task?.loop ?? state.program.loop).max_rounds;
  return {
    roles: isHere || !task ? state.roles : { ...state.config.agents, ...task.roles },
    extraRounds: Math.max(isHere ? state.extraRounds : 0, wanted),
  };
}

/** A signature is for work that stands: the answers given in these tasks count no more. */
function unsigned({ program, steps = {} }: State, tasks: ReadonlySet<string>): NonNullable<State["steps"]> {
  const asked = program.steps.filter(({ kind, task }) => kind === "question" && task && tasks.has(task));
  const names = new Set(asked.map(({ name }) => name));
  return Object.fromEntries(Object.entries(steps).filter(([name]) => !names.has(name)));
}

export function childrenOpened(state: State, { payload, seq }: EnvelopeOf<"CHILDREN_OPENED">): State {
  const { step, from, wait, max_concurrent, children } = payload;
  const each = children.map((child) => ({ child }));
  return { ...state, children: { step, seq, from, wait, maxConcurrent: max_concurrent, each } };
}

export function childStarted(state: State, { payload }: EnvelopeOf<"CHILD_STARTED">): State {
  return changeChild(state, payload.key, { bubble: payload.bubble });
}

/** What a child used was the parent's to spend. */
export function childReported(state: State, { payload }: EnvelopeOf<"CHILD_REPORTED">): State {
  const { spent: used, minutes = 0 } = payload;
  const { spent } = state;
  return {
    ...changeChild(state, payload.key, { bubble: payload.bubble, report: payload }),
    spent: {
      ...spent,
      total: used ? sum(spent.total, used) : spent.total,
      workedMs: spent.workedMs + minutes * 60_000,
    },
  };
}

function changeChild(
  state: State,
  key: string,
  change: Partial<NonNullable<State["children"]>["each"][number]>,
): State {
  if (!state.children) return state;
  const each = state.children.each.map((one) => (one.child.key === key ? { ...one, ...change } : one));
  return { ...state, children: { ...state.children, each } };
}

/** The children's trees are one tree now: nobody's own, to be judged like any other. */
export function joined(state: State, envelope: EnvelopeOf<"JOINED">): State {
  const { payload, seq, round } = envelope;
  const { tree: id, commit, files, files_total, added, removed, touched, diff, secrets, context } = payload;
  return {
    ...state,
    ...(state.children ? { children: { ...state.children, joined: true } } : {}),
    tree: {
      id,
      commit,
      files,
      filesTotal: files_total,
      added,
      removed,
      by: "children",
      round,
      seq,
      touched,
      ...(diff ? { diff } : {}),
      ...(secrets ? { secrets } : {}),
      ...(context ? { context } : {}),
    },
    package: packages(state),
    packageSeq: seq,
    reviews: [],
    waivedGates: [],
  };
}

const longestPart = 4_000;

/** The parts of the children's packages, each under the name of its task. */
function packages({ children, package: own }: State): ProducerPackage {
  const told = (children?.each ?? []).flatMap(({ child, report }) =>
    report?.status === "completed" && report.package ? [{ key: child.key, parts: report.package }] : [],
  );
  const names = [...new Set(told.flatMap(({ parts }) => Object.keys(parts)))] as (keyof ProducerPackage)[];
  const joint = names.map((name) => [
    name,
    clip(
      told.flatMap(({ key, parts }) => (parts[name] ? [`${key}: ${parts[name]}`] : [])).join("\n"),
      longestPart,
    ),
  ]);
  return { ...own, ...Object.fromEntries(joint.filter(([, words]) => words)) };
}
