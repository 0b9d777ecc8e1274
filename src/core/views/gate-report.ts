// What the gates said about one tree, as a report of its own for other tools: schema structural-gates.v1.
import { gateSentence } from "../gates/sentence.ts";
import { isWaived, redGates } from "../judge/convergence.ts";
import type { GateResult } from "../model/gate.ts";
import type { State } from "../model/state.ts";
import { iterationOf, taskKeyOf } from "../state/place.ts";

export interface GateReport {
  readonly schema: "structural-gates.v1";
  readonly slug: string;
  readonly task_id: string;
  readonly tree: string;
  /** How the list of gates came about. */
  readonly preset: string;
  readonly passed: boolean;
  /** What is wrong, for whoever fixes it; empty when nothing is. */
  readonly feedback: string;
  readonly gates: readonly {
    readonly name: string;
    readonly command: string;
    readonly required: boolean;
    readonly status: GateResult["status"];
    readonly exit_code: number | null;
    readonly duration_ms: number;
    /** Percent of lines that must be covered, and that are. */
    readonly threshold?: number;
    readonly measured?: number;
  }[];
  readonly timestamp: string;
}

/** Where it stands among the artifacts: the newest report of a round. */
export const gateReportName = (state: State): string =>
  `gate-reports/${taskKeyOf(state)}-${iterationOf(state)}.json`;

/** The report of the newest gate run; undefined before the first. */
export function gateReportView(state: State): GateReport | undefined {
  const { gates, profile, program, bubbleId, lastAt } = state;
  if (!gates) return undefined;
  const slug = program.payload?.slug;
  return {
    schema: "structural-gates.v1",
    slug: typeof slug === "string" && slug !== "" ? slug : bubbleId,
    task_id: taskIdOf(state),
    tree: gates.tree,
    preset: profile.source,
    passed: isGreen(state),
    feedback: feedback(state),
    gates: gates.results.map(gate),
    timestamp: lastAt,
  };
}

/** The name a trigger gave to its task counts more than ours. */
function taskIdOf(state: State): string {
  const named = state.program.payload?.task_id;
  const isOurs = state.program.tasks !== undefined || typeof named !== "string" || named === "";
  return isOurs ? taskKeyOf(state) : named;
}

function isGreen(state: State): boolean {
  return state.gates?.void === false && state.gates.tree === state.tree?.id && redGates(state).length === 0;
}

function gate(result: GateResult): GateReport["gates"][number] {
  const { name, command, required, status, exit_code, duration_ms, threshold, coverage } = result;
  return {
    name,
    command,
    required,
    status,
    exit_code,
    duration_ms,
    ...(threshold === undefined ? {} : { threshold }),
    ...(coverage === undefined ? {} : { measured: coverage }),
  };
}

/** One paragraph for each gate that is not green, with the end of what it printed. */
function feedback(state: State): string {
  const results = state.gates?.results ?? [];
  const red = results.filter(
    ({ name, status }) => status !== "passed" && status !== "skipped" && !isWaived(state, name),
  );
  const paragraphs = red.map((result) =>
    [gateSentence(result), result.excerpt.trim()].filter(Boolean).join("\n"),
  );
  const isVoid = state.gates?.void
    ? ["The gates changed the files they judge: their results do not count."]
    : [];
  return [...isVoid, ...paragraphs].join("\n\n");
}
