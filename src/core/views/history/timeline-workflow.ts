// The lines of the transcript that tell of the workflow itself: its tasks, scores, locks, children and result.
import type { EnvelopeOf, EnvelopeType } from "../../model/record/envelope.ts";
import { clip } from "../../model/value/sizes.ts";
import { taskEnds } from "../../state/tasks.ts";

type WorkflowType =
  | "TASK_STARTED"
  | "TASK_ENDED"
  | "CONFIDENCE"
  | "LOCKED"
  | "UNLOCKED"
  | "EVENT"
  | "CONTEXT_ASSEMBLED"
  | "WORKFLOW_STARTED"
  | "PLAN_KEPT"
  | "GATES_ADOPTED"
  | "CHILDREN_OPENED"
  | "CHILD_STARTED"
  | "CHILD_REPORTED"
  | "JOINED"
  | "BASE_UPDATE_WANTED"
  | "BASE_UPDATED"
  | "PAIR_SESSION"
  | "STEP_REDONE"
  | "RUN_RESULT";

type Texts = {
  readonly [T in Extract<EnvelopeType, WorkflowType>]: (payload: EnvelopeOf<T>["payload"]) => string;
};

const joinParts = (parts: readonly (string | undefined)[]) => parts.filter(Boolean).join(" · ");
const pluralize = (count: number, one: string, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;
const shortenId = (id: string) => id.slice(0, 10);
const formatPercent = (share: number) => `${Math.round(share * 100)} %`;

function describeRoles(roles: Readonly<Record<string, string>>): string {
  return Object.entries(roles)
    .map(([role, agent]) => `${role} ${agent}`)
    .join(", ");
}

const toText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)) ?? "";

function renderFields(payload: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(payload).map(([name, value]) => `${name} ${clip(toText(value), 60)}`);
  return said.length > 0 ? `with ${said.join(", ")}` : "";
}

const waits = { all: "all of them", any: "the first of them", majority: "most of them" } as const;

export const workflowTexts: Texts = {
  TASK_STARTED: (p) => joinParts([p.task, describeRoles(p.roles), p.why]),
  TASK_ENDED: (p) =>
    joinParts([
      `${p.task} ${taskEnds[p.status]} after ${pluralize(p.iterations, "iteration")}`,
      p.flag,
      p.why,
    ]),
  CONFIDENCE: (p) =>
    joinParts([
      `${p.task ? `${p.task} ` : ""}${p.score.toFixed(2)} of ${p.threshold.toFixed(2)}, ${p.met ? "met" : "not met"} (advisory)`,
      p.metrics
        .map(
          ({ name, value, weight, evidence }) => `${name} ${formatPercent(value)} × ${weight} (${evidence})`,
        )
        .join(", "),
      `tree ${shortenId(p.tree)}`,
    ]),
  LOCKED: (p) =>
    joinParts([
      p.task,
      p.artifacts.length === 0 ? "nothing to lock" : p.artifacts.map((artifact) => artifact.path).join(", "),
      `decided by ${p.decided_by}`,
    ]),
  UNLOCKED: (p) => joinParts([p.paths.join(", "), `by ${p.via}`, `"${p.reason}"`]),
  EVENT: (p) => joinParts([p.event, renderFields(p.payload)]),
  CONTEXT_ASSEMBLED: (p) =>
    joinParts([
      p.context.problem ?? `${pluralize(p.context.sops.length, "SOP")} for the reviewer`,
      `tree ${shortenId(p.tree)}`,
    ]),
  WORKFLOW_STARTED: (p) =>
    p.problem === undefined
      ? `${p.workflow} runs as ${p.bubble ?? "a bubble of its own"}`
      : `${p.workflow} could not be started: ${p.problem}`,
  PLAN_KEPT: (p) => joinParts([`${p.act} ${p.slug}`, p.problem]),
  GATES_ADOPTED: (p) =>
    joinParts([
      p.gates.map(({ name, command }) => `${name} "${command}"`).join(", "),
      p.from.length > 0 ? `from ${p.from.join(", ")}` : undefined,
    ]),
  CHILDREN_OPENED: (p) =>
    joinParts([
      p.children.map((child) => child.key).join(", "),
      `waits for ${waits[p.wait]}`,
      `${p.max_concurrent} at a time`,
      `from ${shortenId(p.from)}`,
    ]),
  CHILD_STARTED: (p) => `${p.key} runs as ${p.bubble}`,
  CHILD_REPORTED: (p) =>
    joinParts([`${p.key} ${p.status}`, p.to ? `${p.bubble} → ${p.to}` : p.bubble, p.why]),
  JOINED: (p) =>
    joinParts([
      `${p.children.join(", ")} as one tree`,
      `${pluralize(p.files_total, "file")}, +${p.added} −${p.removed}`,
      p.conflicts.length > 0 ? `conflicts in ${p.conflicts.join(", ")}` : undefined,
      `tree ${shortenId(p.tree)}`,
    ]),
  BASE_UPDATE_WANTED: (p) => joinParts([`merge ${p.branch} ${shortenId(p.to)}`, `by ${p.via}`]),
  BASE_UPDATED: (p) =>
    joinParts([
      `base ${shortenId(p.from)} → ${shortenId(p.to)}`,
      `${pluralize(p.files_total, "file")}, +${p.added} −${p.removed}`,
      p.conflicts.length > 0 ? `conflicts in ${p.conflicts.join(", ")}` : undefined,
      `tree ${shortenId(p.tree)}`,
    ]),
  PAIR_SESSION: (p) => `${p.task} iteration ${p.iteration} · ${p.artifact}`,
  STEP_REDONE: (p) =>
    joinParts([
      `${p.step} is done again`,
      p.tasks.length > 0 ? `with what rests on it: ${p.tasks.join(", ")}` : undefined,
      `by ${p.via}`,
      `"${p.reason}"`,
    ]),
  RUN_RESULT: (p) => joinParts([p.result, p.why, p.to ? `continues as ${p.to}` : undefined]),
};
