// What each step of a run has given to later ones: `steps.<name>.output`, `.outcome` and `.error`. A turn's output is the
// newest of its role, and what belongs to another task than the current one is not passed off as this one's.
import type { GateResult } from "../model/gate.ts";
import type { Step, StepOf } from "../model/program.ts";
import type { Opinion } from "../model/review/verdict.ts";
import type { StepRecord } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { listOpenFindings } from "../state/severity.ts";
import { getCurrentTask, getTaskProgress } from "../state/workflow-position.ts";
import type { Facts } from "../workflow/path.ts";
import { findValidGateEvidence, listRedGates } from "./convergence.ts";

/** Texts that are artifacts; the caller has loaded them. */
export interface Texts {
  readonly diff?: string;
  readonly sops?: string;
  readonly conventions?: string;
  readonly summary?: string;
}

/** Without what is undefined. */
export function dropUndefined(values: Readonly<Record<string, unknown>>): Facts {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The line before which everything belongs to earlier tasks. */
export const getTaskStartSeq = (state: State): number => getTaskProgress(state)?.seq ?? 0;

/** A score is for one tree. */
export function getConfidence(state: State) {
  const confidence = getTaskProgress(state)?.confidence;
  return confidence && confidence.tree === state.tree?.id ? confidence : undefined;
}

export function findRecord({ steps }: State, name: string): StepRecord | undefined {
  return steps && Object.hasOwn(steps, name) ? steps[name] : undefined;
}

export function buildStepFacts(state: State, texts: Texts): Facts {
  const gates = findGateOutput(state);
  const errors = buildErrorsByRole(state);
  const steps = state.program.steps.flatMap((step) => {
    const record = findRecord(state, step.name);
    const output = step.kind === "gates" ? gates : findOutput(step, state, texts, record);
    const error = step.kind === "turn" ? errors.get(getRoleKey(step))?.error : record?.error;
    const facts = dropUndefined({ output, outcome: record?.outcome, error });
    return Object.keys(facts).length > 0 ? [[step.name, facts] as const] : [];
  });
  return Object.fromEntries(steps);
}

const getRoleKey = ({ task = "", role }: StepOf<"turn">): string => `${task} ${role}`;

/** The error of a turn is the newest of its role: another step may have continued the same work. */
function buildErrorsByRole(state: State): ReadonlyMap<string, StepRecord> {
  const newest = new Map<string, StepRecord>();
  for (const step of state.program.steps) {
    const record = step.kind === "turn" ? findRecord(state, step.name) : undefined;
    if (step.kind !== "turn" || record?.error === undefined) continue;
    const before = newest.get(getRoleKey(step));
    if (!before || before.seq < record.seq) newest.set(getRoleKey(step), record);
  }
  return newest;
}

function findOutput(
  step: Step,
  state: State,
  texts: Texts,
  record: StepRecord | undefined,
): Facts | undefined {
  switch (step.kind) {
    case "turn":
      return findTurnOutput(step, state, texts, record);
    case "context":
      return findContextOutput(state, texts) ?? record?.output;
    case "score": {
      const confidence = step.task === getCurrentTask(state)?.key ? getConfidence(state) : undefined;
      return confidence ? { score: confidence.score, met: confidence.met } : record?.output;
    }
    default:
      return record?.output;
  }
}

function findTurnOutput(
  step: StepOf<"turn">,
  state: State,
  texts: Texts,
  record: StepRecord | undefined,
): Facts | undefined {
  if (step.answer === "handoff") return findHandoffOutput(step, state, texts);
  if (step.answer === "paper") return findPaperOutput(step, state);
  if (step.answer === "findings") return findReviewOutput(step, state) ?? record?.output;
  const judged = findStart(step, state) === undefined ? undefined : state.tasks?.[step.task ?? ""]?.judged;
  return judged ? dropUndefined({ ...record?.output, score: judged.score }) : record?.output;
}

/** The line that began the step's task; 0 in workflows without tasks, undefined: not begun. */
function findStart({ task }: Step, { tasks }: State): number | undefined {
  if (task === undefined) return 0;
  return tasks && Object.hasOwn(tasks, task) ? tasks[task]?.seq : undefined;
}

function findHandoffOutput(step: Step, state: State, texts: Texts): Facts | undefined {
  const { tree } = state;
  const start = findStart(step, state);
  if (!tree || start === undefined || tree.seq <= start) return undefined;
  return dropUndefined({
    result: texts.diff,
    files_modified: tree.files.map(({ path }) => path),
    summary: texts.summary,
    tree: tree.id,
  });
}

function findPaperOutput({ paper = "" }: StepOf<"turn">, { papers }: State): Facts | undefined {
  const known = papers && Object.hasOwn(papers, paper) ? papers[paper] : undefined;
  return known && { paper: known.value, tree: known.tree };
}

/** Of a task that is not the current one nothing is said: the newest review is about something else. */
function findReviewOutput(step: Step, state: State): Facts | undefined {
  const review = state.lastReview;
  if (!review || step.task !== getCurrentTask(state)?.key || review.seq <= getTaskStartSeq(state))
    return undefined;
  const { opinion, invalid, feedback, tree } = review;
  const isGood = review.approved && !invalid;
  return dropUndefined({
    verdict: isGood ? "approved" : "rejected",
    rejection_type: isGood ? undefined : (findWord(opinion) ?? (invalid ? undefined : "fixable")),
    feedback,
    confidence: opinion?.confidence,
    patterns: opinion?.patterns ?? [],
    sop_review: opinion?.sop_review ?? [],
    decision: isGood ? "GO" : "NO_GO",
    findings: listOpenFindings(state).map(({ id, severity, title, file, line }) =>
      dropUndefined({ id, severity, title, file, line }),
    ),
    tree,
  });
}

/** Where the critic wants it to go; a word of its own as it said it. */
const findWord = (opinion: Opinion | undefined) => opinion?.route_word ?? opinion?.route;

function findContextOutput({ tree }: State, { sops, conventions }: Texts): Facts | undefined {
  if (!tree?.context || tree.context.problem !== undefined) return undefined;
  return dropUndefined({ sops, conventions, sop_ids: tree.context.sops.map(({ id }) => id) });
}

function findGateOutput(state: State): Facts | undefined {
  const evidence = findValidGateEvidence(state);
  if (!evidence) return undefined;
  const failed = evidence.results.filter(({ status }) => status !== "passed" && status !== "skipped");
  const red = listRedGates(state);
  return { passed: red.length === 0, failed: red, feedback: failed.map(describeFailure).join("\n\n") };
}

function describeFailure({ name, status, command, required, hint, excerpt }: GateResult): string {
  const kind = required ? "" : " (optional: a warning)";
  const lines = [`${name}: ${status}${kind} (${command})`, hint ?? "", excerpt.trimEnd()];
  return lines.filter((line) => line !== "").join("\n");
}
