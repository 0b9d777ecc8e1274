// What the gates said about one tree, as a report of its own for other tools: schema structural-gates.v1.
import { describeGateResult } from "../../gates/result-sentence.ts";
import { isWaived, listRedGates } from "../../judge/convergence.ts";
import type { GateResult } from "../../model/gate.ts";
import type { State } from "../../model/state.ts";
import { getIteration, getTaskKey } from "../../state/workflow-position.ts";
import type { GateReport } from "./schema.ts";

/** Where it stands among the artifacts: the newest report of a round. */
export const nameGateReport = (state: State): string =>
  `gate-reports/${getTaskKey(state)}-${getIteration(state)}.json`;

/** The report of the newest gate run; undefined before the first. */
export function buildGateReport(state: State): GateReport | undefined {
  const { gates, profile, program, bubbleId, lastAt } = state;
  if (!gates) return undefined;
  const slug = program.payload?.slug;
  return {
    schema: "structural-gates.v1",
    slug: typeof slug === "string" && slug !== "" ? slug : bubbleId,
    task_id: getTaskId(state),
    tree: gates.tree,
    preset: profile.source,
    passed: isGreen(state),
    feedback: describeFeedback(state),
    gates: gates.results.map(buildGate),
    timestamp: lastAt,
  };
}

/** The name a trigger gave to its task counts more than ours. */
function getTaskId(state: State): string {
  const named = state.program.payload?.task_id;
  const isOurs = state.program.tasks !== undefined || typeof named !== "string" || named === "";
  return isOurs ? getTaskKey(state) : named;
}

function isGreen(state: State): boolean {
  return (
    state.gates?.void === false && state.gates.tree === state.tree?.id && listRedGates(state).length === 0
  );
}

function buildGate(result: GateResult): GateReport["gates"][number] {
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
function describeFeedback(state: State): string {
  const results = state.gates?.results ?? [];
  const red = results.filter(
    ({ name, status }) => status !== "passed" && status !== "skipped" && !isWaived(state, name),
  );
  const paragraphs = red.map((result) =>
    [describeGateResult(result), result.excerpt.trim()].filter(Boolean).join("\n"),
  );
  const isVoid = state.gates?.void
    ? ["The gates changed the files they judge: their results do not count."]
    : [];
  return [...isVoid, ...paragraphs].join("\n\n");
}
