// The final report of a pipeline: what was asked, what was made, who passed it, what it took.
import type { State } from "../../model/state.ts";
import { formatUsage } from "../bubble/usage.ts";
import { buildPhaseViews, type PhaseView, type PipelineState, type PipelineTrail } from "./trail.ts";

export interface PipelineReport {
  readonly bubble: string;
  readonly state: PipelineState;
  readonly request: string;
  readonly story: string | null;
  readonly plan: string | null;
  readonly phases: readonly PhaseView[];
  /** The critics of the last phase on the final tree, each with its newest word. */
  readonly verdicts: readonly { readonly name: string; readonly agent: string; readonly status: string }[];
  readonly reviews: number;
  readonly tests: readonly { readonly name: string; readonly status: string }[];
  readonly files: readonly { readonly path: string; readonly status: string }[];
  readonly tree: string | null;
  readonly commit: string | null;
  readonly branch: string;
  readonly minutes: number;
  readonly spent: string | null;
}

/** The words the pipeline was started with. */
export function getRequestText({ program, task }: Pick<State, "program" | "task">): string {
  const request = program.payload?.request;
  return typeof request === "string" ? request.trim() : task.title;
}

export function buildPipelineReport({
  trail,
  state: now,
  reviews,
}: PipelineTrail): PipelineReport | undefined {
  const { state } = trail;
  if (!state) return undefined;
  const { total } = state.spent;
  const tree = state.tree?.paper ? undefined : state.tree;
  const onTree = new Map(
    reviews
      .filter((review) => review.tree === tree?.id)
      .map(({ name, agent, file }) => [name, { name, agent, status: file.status }]),
  );
  const title = (kind: string) => String(state.papers?.[kind]?.value.title ?? "") || null;
  return {
    bubble: state.bubbleId,
    state: now,
    request: getRequestText(state),
    story: title("user-story"),
    plan: title("plan-refined"),
    phases: buildPhaseViews(state),
    verdicts: [...onTree.values()],
    reviews: reviews.length,
    tests:
      state.gates?.tree === tree?.id
        ? (state.gates?.results ?? []).map(({ name, status }) => ({ name, status }))
        : [],
    files: (tree?.files ?? []).map(({ path, status }) => ({ path, status })),
    tree: tree?.id ?? null,
    commit: state.commit?.id ?? null,
    branch: state.config.bubble_branch,
    minutes: Math.round(state.spent.workedMs / 6000) / 10,
    spent: total.input + total.output > 0 ? formatUsage(total) : null,
  };
}
