// The overlays of one task: its own words over those the document has for all tasks, and the usual values below them.
import type { Confidence, ProgramTask, Tier } from "../../../model/program.ts";
import type { SourcePath } from "../draft.ts";
import type { OverlayName, Overlays, SourceTask, TasksDocument } from "./schema.ts";

/** The loop of a task: who produces, who criticises, and when it ends. */
export interface LoopOverlay {
  readonly name: "paired_workflow" | "agentic_review";
  readonly producer: string;
  /** In order; more than one is a chain. */
  readonly critics: readonly string[];
  readonly maxIterations: number;
  readonly exit: readonly string[];
  readonly roleSwitch: "session" | "subtask" | "checkpoint";
  readonly checkpoints?: readonly number[] | "claim";
}

export interface TaskOverlays {
  readonly paired?: LoopOverlay;
  readonly review?: LoopOverlay;
  readonly confidence?: Confidence;
  readonly tier?: Tier;
  readonly hil: ProgramTask["hil"];
  /** Where a key of an overlay is written: at the task, or for all tasks. */
  path(overlay: OverlayName, ...keys: readonly (string | number)[]): SourcePath;
}

/** What a score is made of when the workflow does not say. */
const usualMetrics = { gates: 0.5, review: 0.3, scope: 0.1, size: 0.1 };
const usualThreshold = 0.85;

export function mergeOverlays(document: TasksDocument, key: string, task: SourceTask): TaskOverlays {
  const merged = mergeOverlayTables(document.overlays, task.overlays);
  const { paired_workflow, agentic_review, confidence_loop, policy_gate, hil } = merged;
  const confidence = confidence_loop?.enabled ? buildConfidence(confidence_loop) : undefined;
  const rest = {
    hil: { enabled: hil?.enabled ?? true, requires_human: hil?.requires_human ?? false },
    path: (overlay: OverlayName, ...keys: readonly (string | number)[]) =>
      isOwn(task.overlays[overlay], keys[0])
        ? ["tasks", key, "overlays", overlay, ...keys]
        : ["overlays", overlay, ...keys],
  };
  return {
    ...rest,
    ...(paired_workflow?.enabled
      ? { paired: buildPairedOverlay(document, task, paired_workflow, confidence) }
      : {}),
    ...(agentic_review?.enabled ? { review: buildReview(document, task, agentic_review) } : {}),
    ...(confidence ? { confidence } : {}),
    ...(policy_gate?.enabled ? { tier: policy_gate.risk_tier ?? "T0" } : {}),
  };
}

function mergeOverlayTables(all: Overlays, own: Overlays): Overlays {
  const names = [...new Set([...Object.keys(all), ...Object.keys(own)])] as OverlayName[];
  return Object.fromEntries(names.map((name) => [name, { ...all[name], ...own[name] }])) as Overlays;
}

const isOwn = (overlay: object | undefined, key: string | number | undefined): boolean =>
  overlay !== undefined && (key === undefined || Object.hasOwn(overlay, key));

function buildConfidence({
  threshold,
  metrics,
  judge_agent,
}: NonNullable<Overlays["confidence_loop"]>): Confidence {
  return {
    threshold: threshold ?? usualThreshold,
    metrics: metrics ?? { ...usualMetrics, ...(judge_agent === undefined ? {} : { judge: 0.3 }) },
    ...(judge_agent === undefined ? {} : { judge: judge_agent }),
  };
}

function buildPairedOverlay(
  document: TasksDocument,
  task: SourceTask,
  overlay: NonNullable<Overlays["paired_workflow"]>,
  confidence: Confidence | undefined,
): LoopOverlay {
  const written = overlay.exit_conditions ?? ["pair.challenger_approved == true"];
  const scored = confidence ? [`confidence_score >= ${confidence.threshold}`] : [];
  return {
    name: "paired_workflow",
    producer: overlay.driver_agent ?? task.agent ?? "",
    critics: overlay.challenger_agent === undefined ? [] : [overlay.challenger_agent],
    maxIterations: overlay.max_iterations ?? document.max_iterations ?? 5,
    exit: [...new Set([...written, ...scored])],
    roleSwitch: overlay.role_switch ?? "session",
    ...(overlay.checkpoints === undefined ? {} : { checkpoints: overlay.checkpoints }),
  };
}

function buildReview(
  document: TasksDocument,
  task: SourceTask,
  overlay: NonNullable<Overlays["agentic_review"]>,
): LoopOverlay {
  const critics = overlay.reviewer_agent ?? [];
  return {
    name: "agentic_review",
    producer: overlay.coder_agent ?? task.agent ?? "",
    critics: typeof critics === "string" ? [critics] : critics,
    maxIterations: overlay.max_iterations ?? document.max_iterations ?? 3,
    exit: overlay.exit_conditions ?? ["review.decision == GO"],
    roleSwitch: "session",
  };
}
