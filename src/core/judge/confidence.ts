// The advisory score of a task's work: a weighted mean of metrics, each from evidence that is on the record. What is
// not known counts for nothing, so that silence never looks like quality. It decides nothing by itself.
import type { GateResult } from "../model/gate.ts";
import type { MetricName } from "../model/program.ts";
import type { PayloadOf } from "../model/record/envelope.ts";
import type { Severity } from "../model/review/finding.ts";
import type { Review, Tree } from "../model/state/evidence.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { listOpenFindings } from "../state/severity.ts";
import { getCurrentTask, getTaskProgress } from "../state/workflow-position.ts";
import { findValidGateEvidence } from "./convergence.ts";

interface Measured {
  /** From 0 to 1. */
  readonly value: number;
  /** One sentence that says where it comes from. */
  readonly evidence: string;
}
type Metric = (state: State, tree: Tree) => Measured;

const metrics: Readonly<Record<MetricName, Metric>> = {
  gates: measureGates,
  coverage: measureCoverage,
  review,
  findings: measureFindings,
  scope,
  size: measureSize,
  judge,
};

/** The score of the current task's tree; undefined where the task asks for none, or nothing was handed over yet. */
export function findScore(state: State): PayloadOf<"CONFIDENCE"> | undefined {
  const task = getCurrentTask(state);
  const { tree } = state;
  if (!task?.confidence || !tree) return undefined;
  const { threshold } = task.confidence;
  const measured = Object.entries(task.confidence.metrics).map(([name, weight]) => {
    const { value, evidence } = measure(name, state, tree);
    return { name, weight, value: roundValue(value), evidence: clip(evidence, 300) };
  });
  const whole = sum(measured.map(({ weight }) => weight));
  const reached = sum(measured.map(({ weight, value }) => weight * value));
  const score = whole > 0 ? roundValue(reached / whole) : 0;
  return { task: task.key, tree: tree.id, score, threshold, met: score >= threshold, metrics: measured };
}

function measure(name: string, state: State, tree: Tree): Measured {
  const metric = Object.hasOwn(metrics, name) ? metrics[name as MetricName] : undefined;
  return metric?.(state, tree) ?? measureNothing(`no metric is called ${name}`);
}

const sum = (numbers: readonly number[]) => numbers.reduce((before, number) => before + number, 0);
const roundValue = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
const formatPercent = (value: number) => `${Math.round(value * 100)} %`;
const measureNothing = (evidence: string): Measured => ({ value: 0, evidence });

/** Of the gates that ran on this tree, those that passed; a required one counts double. A waiver is no evidence. */
function measureGates(state: State): Measured {
  const evidence = findValidGateEvidence(state);
  const skipped =
    evidence?.results.filter(({ status }) => status === "skipped").map(({ name }) => name) ?? [];
  const ran = evidence?.results.filter(({ status }) => status !== "skipped") ?? [];
  const unheard = state.profile.gates.filter(
    ({ name }) => !skipped.includes(name) && !ran.some((result) => result.name === name),
  );
  const passed = ran.filter(({ status }) => status === "passed");
  if (ran.length === 0) return measureNothing("no gate ran");
  const weigh = (all: readonly Pick<GateResult, "required">[]) =>
    sum(all.map(({ required }) => (required ? 2 : 1)));
  return {
    value: weigh(passed) / weigh([...ran, ...unheard]),
    evidence: `${passed.length} of ${ran.length + unheard.length} gates are green on this tree`,
  };
}

/** The poorest of the measured coverages, as a share of what was asked for. */
function measureCoverage(state: State): Measured {
  const shares = (findValidGateEvidence(state)?.results ?? []).flatMap(
    ({ name, coverage: found, threshold }) => {
      if (found === undefined || threshold === undefined) return [];
      const value = threshold > 0 ? Math.min(1, found / threshold) : 1;
      return [{ value, evidence: `${name} measured ${found} % of lines; ${threshold} % are asked for` }];
    },
  );
  const [poorest] = shares.sort((a, b) => a.value - b.value);
  return poorest ?? measureNothing("no coverage was measured on this tree");
}

function review(state: State, tree: Tree): Measured {
  const newest = listReviews(state).findLast((one) => one.tree === tree.id);
  const said = state.lastReview?.tree === tree.id ? state.lastReview : undefined;
  if (said?.invalid && said.seq > (newest?.seq ?? 0))
    return measureNothing(`the newest review, by ${said.agent}, does not count`);
  if (!newest) return measureNothing("this tree has no review");
  const own = said?.agent === newest.agent ? said : undefined;
  if (!newest.clean || own?.approved === false)
    return measureNothing(`${newest.agent} does not approve this tree`);
  const sure = own?.opinion?.confidence ?? newest.unsure;
  return sure === undefined
    ? { value: 1, evidence: `${newest.agent} approves this tree` }
    : { value: sure, evidence: `${newest.agent} approves this tree and is ${formatPercent(sure)} sure` };
}

/** Reviews from before the task began were about something else, even where the tree is the same. */
function listReviews(state: State): readonly Review[] {
  const from = getTaskProgress(state)?.seq ?? 0;
  return state.reviews.filter(({ seq }) => seq > from);
}

const burden: Readonly<Record<Severity, number>> = { P0: 1, P1: 0.6, P2: 0.2, P3: 0.05 };

function measureFindings(state: State): Measured {
  if (!wasReviewed(state)) return measureNothing("nobody has reviewed this task yet");
  const open = listOpenFindings(state);
  if (open.length === 0) return { value: 1, evidence: "no finding is open" };
  const named = open.map(({ id, severity }) => `${id} ${severity}`).join(", ");
  return {
    value: 1 - sum(open.map(({ severity }) => burden[severity])),
    evidence: `open: ${named}`,
  };
}

function wasReviewed(state: State): boolean {
  const progress = getTaskProgress(state);
  const last = state.lastReview;
  const counted = last !== undefined && !last.invalid && last.seq > (progress?.seq ?? 0);
  const told = progress?.history.some(({ approved }) => approved !== undefined) ?? false;
  return counted || told || listReviews(state).length > 0;
}

function scope(state: State, { secrets = [] }: Tree): Measured {
  const doubts = [
    state.scopeOverrides.length > 0 ? `the scope was overridden for ${state.scopeOverrides.join(", ")}` : "",
    secrets.length > 0 ? `the tree has ${secrets.length} places that look like a secret` : "",
  ].filter(Boolean);
  return doubts.length > 0
    ? { value: 0.5, evidence: doubts.join("; ") }
    : { value: 1, evidence: "no scope override, and nothing in the tree looks like a secret" };
}

/** A change that one sitting can review, and one that none can. */
const small = 400;
const huge = 2000;

function measureSize(_state: State, { added, removed }: Tree): Measured {
  const lines = added + removed;
  return { value: (huge - lines) / (huge - small), evidence: `${lines} lines changed against the base` };
}

function judge(state: State, tree: Tree): Measured {
  const judged = getTaskProgress(state)?.judged;
  if (judged?.tree !== tree.id) return measureNothing("no judge has scored this tree");
  return { value: judged.score, evidence: `${judged.agent} gives this tree ${judged.score}` };
}
