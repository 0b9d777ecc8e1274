// A task before its steps are made: its overlays put together, and the loop it has.
import { type LoopOverlay, mergeOverlays, type TaskOverlays } from "./overlays.ts";
import type { SourceTask, TasksDocument } from "./schema.ts";

/** One task with everything that is known about it before its steps are made. */
export interface ResolvedTask {
  readonly key: string;
  readonly task: SourceTask;
  readonly overlays: TaskOverlays;
  readonly loop?: LoopOverlay;
  /** A review of what an earlier task made; who made it has to fix it. */
  readonly startsWithReview: boolean;
}

export function resolveTask(document: TasksDocument, key: string, before: readonly string[]): ResolvedTask {
  const task = document.tasks[key] as SourceTask;
  const overlays = mergeOverlays(document, key, task);
  const written = overlays.paired ?? overlays.review;
  const startsWithReview = task.kind === "review" && !written;
  const loop = startsWithReview ? buildFormalReview(document, task, before) : written;
  return { key, task, overlays, startsWithReview, ...(loop ? { loop } : {}) };
}

/** A task that reviews what came before: a loop that begins with the critic. */
function buildFormalReview(
  document: TasksDocument,
  task: SourceTask,
  before: readonly string[],
): LoopOverlay {
  const reviewed = document.tasks[task.depends_on.at(-1) ?? before.at(-1) ?? ""];
  const source = reviewed && { ...document.overlays, ...reviewed.overlays };
  const producer =
    (source?.paired_workflow?.enabled ? source.paired_workflow.driver_agent : undefined) ??
    (source?.agentic_review?.enabled ? source.agentic_review.coder_agent : undefined) ??
    reviewed?.agent;
  return {
    name: "agentic_review",
    producer: producer ?? "",
    critics: task.agent === undefined ? [] : [task.agent],
    maxIterations: document.max_iterations ?? 3,
    exit: ["review.decision == GO"],
    roleSwitch: "session",
  };
}

/** What the two sides of a loop are called. */
export function getLoopRoles({ loop, startsWithReview }: ResolvedTask): {
  producer: string;
  critic?: string;
} {
  if (!loop) return { producer: "agent" };
  if (loop.name === "paired_workflow") return { producer: "driver", critic: "challenger" };
  return { producer: startsWithReview ? "author" : "coder", critic: "reviewer" };
}
