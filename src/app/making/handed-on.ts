// What one bubble hands on to the next: the task and its words, the payload, the way the work came here, and what may be
// changed.
import type { BubbleConfig } from "../../core/model/config.ts";
import { Constraints, PlanTask } from "../../core/model/plan.ts";
import type { Child } from "../../core/model/program.ts";
import { nameArtifactOf } from "../../core/model/record/named-artifacts.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { check } from "../../core/model/value/validate.ts";
import { listPaperCriteria } from "../../core/paper/criteria.ts";
import { intersectScopes } from "../../core/permission/scope-intersection.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { buildTaskBrief, buildTaskPayload, findTaskPlan, type TaskOf } from "../../core/plan/tasks/child.ts";
import { findTask } from "../../core/state/workflow-position.ts";
import { readTaskText } from "../../engine/front/facts.ts";
import type { World } from "../../engine/front/world.ts";
import type { Task } from "../task/file.ts";
import type { Payload } from "../workflows/file.ts";

/** What its work is judged by: the criteria of the task, and those of the papers that the run goes by. */
const listSharedCriteria = (parent: State): string[] => [
  ...new Set([...parent.task.criteria, ...listPaperCriteria(parent)]),
];

/** A child without a task of its own works on a part of its parent's. */
export async function buildSharedTask(world: World, parent: State, child: Child): Promise<Task> {
  const text = await readTaskText(world, parent);
  const title = findTask(parent, child.task)?.title ?? child.key;
  return {
    title: clip(`${parent.task.title} · ${title}`, 300),
    text: child.payload ? addPayload(text, child.payload) : text,
    criteria: listSharedCriteria(parent),
  };
}

export async function buildHandedOnTask(world: World, parent: State, payload: Payload): Promise<Task> {
  const task = parseDescribedTask(payload);
  if (task) {
    const brief = buildTaskBrief(task, findRefinedPlan(parent, payload));
    return { ...brief, text: `${brief.text}${describeEarlierTry(parent, payload)}` };
  }
  return {
    title: parent.task.title,
    text: `${addPayload(await readTaskText(world, parent), payload)}${describeEarlierTry(parent)}`,
    criteria: listSharedCriteria(parent),
  };
}

/** What was tried before, and where it can be read: by its name, since whoever reads it may sit at another machine. */
function describeEarlierTry(parent: State, { diagnosis }: Payload = {}): string {
  const diff = isRejected(parent) && !parent.tree?.paper ? parent.tree?.diff : undefined;
  const parts = [
    ...(typeof diagnosis === "string" && diagnosis ? [diagnosis.trim()] : []),
    ...(diff ? [`What was made and rejected: ${nameArtifactOf(parent.bubbleId, diff)}`] : []),
  ];
  return parts.length > 0 ? `\n## Before this\n\n${parts.join("\n\n")}\n` : "";
}

/** Work that its critic has rejected is nothing to build on: the bubble that continues begins where it began. */
export const isRejected = ({ lastReview, tree }: State) =>
  lastReview !== undefined &&
  !lastReview.approved &&
  (tree?.paper !== undefined || lastReview.tree === tree?.id);

/** What the run was started with, with what it hands on; a task of its own takes the place of the old one. */
export function buildHandedOnPayload(parent: State, given: Payload): Payload {
  const { papers: _papers, ...before } = parent.program.payload ?? {};
  const task = parseDescribedTask(given);
  const { task: _task, ...said } = given;
  return { ...before, ...said, ...(task ? buildTaskPayload(task, findRefinedPlan(parent, given)) : {}) };
}

/** How the work came here, a line for each route: a person who is asked about it later sees all of them. */
export function describeRouteHistory(
  parent: State,
  wish: { readonly workflow: string; readonly payload: Payload },
): string {
  const { program, papers, bubbleId } = parent;
  const { route_history: before, plan_slug: slug } = program.payload ?? {};
  const plan =
    typeof slug === "string" && slug ? [`- The plan with its amendments: pairflow plan show ${slug}`] : [];
  const known = typeof before === "string" && before ? before.split("\n") : plan;
  const reason = describeRefinement(papers?.refinement?.value, wish.payload);
  return [...known, `- ${bubbleId} → ${wish.workflow}: ${reason}`].join("\n");
}

/** What a refinement has changed and why; otherwise what the reviewer said who sent the work on. */
function describeRefinement(refinement: Payload | undefined, { feedback }: Payload): string {
  const words = refinement
    ? `amended: ${String(refinement.change)} (because: ${String(refinement.diagnosis)})`
    : String(feedback ?? "");
  return clip(words.replace(/\s+/g, " ").trim() || "no reason was given", 600);
}

/** The plan as it is known here, with what a refinement says on top of its constraints. */
function findRefinedPlan({ program }: State, given: Payload): TaskOf {
  const plan = findTaskPlan(undefined, { ...program.payload, ...given });
  const read = check(Constraints, given.constraints ?? {});
  if (!read.ok) return plan;
  const { in: inside, out, do_not_touch } = read.value;
  const all = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];
  return {
    ...plan,
    constraints: {
      in: inside.length > 0 ? inside : plan.constraints.in,
      out: all(plan.constraints.out, out),
      do_not_touch: all(plan.constraints.do_not_touch, do_not_touch),
    },
  };
}

/** A payload may hold a whole task instead of its words. */
function parseDescribedTask({ task }: Payload): DescribedTask | undefined {
  if (typeof task !== "object" || task === null) return undefined;
  const read = check(PlanTask, { ...task, id: "t1" });
  if (!read.ok) return undefined;
  // It keeps the id of the task whose place it takes.
  const { description, files, criteria } = read.value;
  return { description, files, criteria };
}

type DescribedTask = Pick<PlanTask, "description" | "files" | "criteria">;

/** A refinement may narrow what may be changed. */
export function inheritScope(
  { config, program }: State,
  { constraints }: Payload,
): Pick<BubbleConfig, "scope"> {
  const read = check(Constraints, constraints ?? {});
  const { topLevel } = findTaskPlan(undefined, program.payload ?? {});
  const plan = read.ok ? sortConstraints(read.value, topLevel).scope : undefined;
  return { scope: intersectScopes(config.scope, plan) };
}

/** The payload as people read it, under the task it belongs to. */
export function addPayload(task: string, payload: Payload): string {
  const entries = Object.entries(payload).filter(([, value]) => value !== "" && value !== null);
  if (entries.length === 0) return task;
  const parts = entries.map(([name, value]) => `### ${formatHeading(name)}\n\n${renderValue(value)}`);
  return [task.trimEnd(), "## Started with", ...parts, ""].join("\n\n");
}

const formatHeading = (name: string) =>
  name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

function renderValue(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map((item) => `- ${indentValue(item)}`).join("\n") || "none";
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, item]) => `- ${name}: ${indentValue(item)}`)
    .join("\n");
}

const indentValue = (value: unknown) =>
  typeof value === "string" ? value.replaceAll("\n", "\n  ") : JSON.stringify(value);
