// What a bubble's children and successors are made of: its own settings, profile, knowledge and task, a place of their
// own, and the part of the work that is theirs.

import { budgetLines } from "../../core/limits/budget.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import { Constraints, PlanTask } from "../../core/model/plan.ts";
import type { Child, Program } from "../../core/model/program.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State } from "../../core/model/state.ts";
import { check } from "../../core/model/validate.ts";
import { paperCriteria } from "../../core/paper/criteria.ts";
import { narrowedScope } from "../../core/permission/narrow.ts";
import { briefOf, planIn, type TaskOf, taskPayload } from "../../core/plan/child-task.ts";
import { sortConstraints } from "../../core/plan/constraints.ts";
import { codeCommit } from "../../core/state/code.ts";
import { taskNamed } from "../../core/state/place.ts";
import { programForTask } from "../../core/workflow/subset.ts";
import { pinnedDocument } from "../../engine/facts/document.ts";
import { pinnedKnowledge, taskText } from "../../engine/facts/knowledge.ts";
import type { World } from "../../engine/world/world.ts";
import { Failure } from "../../ports/failure.ts";
import { completeConfig } from "../config/bubble-file.ts";
import { mergeDefaults, readProjectConfig } from "../config/project.ts";
import { withUsualRoles } from "../config/usual-agents.ts";
import { loadWorkflowFile, type WorkflowFile } from "../workflows/file.ts";
import { bubbleAgents } from "../workflows/run.ts";
import { triggeredWorkflow } from "../workflows/triggers.ts";
import type { NewBubble } from "./create.ts";

type Payload = Readonly<Record<string, unknown>>;

/** A child: one task of the parent's workflow, or a workflow of its own, on the parent's budget. */
export async function childBubble(
  world: World,
  wish: { readonly parent: State; readonly child: Child; readonly from: string; readonly id: string },
): Promise<NewBubble> {
  const { parent, child, from, id } = wish;
  const placed = {
    ...parent.config,
    id,
    bubble_branch: `bubble/${id}`,
    // The parent's own holds for all its children together (engine/tree-budget.ts).
    budget: {},
    scope: narrowedScope(parent.config.scope, child.scope),
  };
  const { config, workflow } =
    child.workflow === undefined
      ? { config: placed, workflow: await partOf(world, parent, child.task ?? child.key) }
      : await named(world, child.workflow, placed, { payload: child.payload ?? {}, base: from });
  return {
    ...(await common(world, parent)),
    config,
    workflow,
    baseCommit: from,
    task: child.brief ?? (await sharedTask(world, parent, child)),
    parent: {
      bubble: parent.bubbleId,
      key: child.key,
      depth: (parent.parent?.depth ?? 0) + 1,
      ...inherited(parent),
    },
  };
}

/** What its work is judged by: the criteria of the task, and those of the papers that the run goes by. */
const sharedCriteria = (parent: State): string[] => [
  ...new Set([...parent.task.criteria, ...paperCriteria(parent)]),
];

/** A child without a task of its own works on a part of its parent's. */
async function sharedTask(world: World, parent: State, child: Child): Promise<NewBubble["task"]> {
  const text = await taskText(world, parent);
  const title = taskNamed(parent, child.task)?.title ?? child.key;
  return {
    title: clip(`${parent.task.title} · ${title}`, 300),
    text: child.payload ? withPayload(text, child.payload) : text,
    criteria: sharedCriteria(parent),
  };
}

/** A workflow that continues where this bubble is, in its place: for its parent, and with what it was started with. */
export async function startedBubble(
  world: World,
  wish: {
    readonly parent: State;
    readonly workflow: string;
    readonly payload: Payload;
    readonly id: string;
    readonly by: string;
  },
): Promise<NewBubble> {
  const { parent, id, by } = wish;
  const placed = {
    ...parent.config,
    id,
    bubble_branch: `bubble/${id}`,
    budget: budgetLeft(world, parent),
    ...scopeOf(parent, wish.payload),
  };
  const base = isRejected(parent) ? parent.baseCommit : codeCommit(parent);
  const payload = { ...handedOn(parent, wish.payload), route_history: routeHistory(parent, wish) };
  return {
    ...(await common(world, parent)),
    ...(await named(world, triggeredWorkflow(wish.workflow, placed.repo_path), placed, { payload, base })),
    baseCommit: base,
    task: await taskFor(world, parent, wish.payload),
    startedBy: by,
    lineage: [
      ...(parent.lineage ?? []),
      { bubble: parent.bubbleId, workflow: parent.config.workflow.slice(0, 60) },
    ],
    ...(parent.parent ? { parent: { ...parent.parent, ...inherited(parent) } } : {}),
  };
}

/** Work that its critic has rejected is nothing to build on: whoever continues begins where it began. */
const isRejected = ({ lastReview, tree }: State) =>
  lastReview !== undefined &&
  !lastReview.approved &&
  (tree?.paper !== undefined || lastReview.tree === tree?.id);

/** What the run was started with, with what it hands on; a task of its own takes the place of the old one. */
function handedOn(parent: State, given: Payload): Payload {
  const { papers: _papers, ...before } = parent.program.payload ?? {};
  const task = describedIn(given);
  const { task: _task, ...said } = given;
  return { ...before, ...said, ...(task ? taskPayload(task, refinedPlan(parent, given)) : {}) };
}

/** How the work came here, a line for each route: whoever is asked about it one day sees all of them. */
function routeHistory(parent: State, wish: { readonly workflow: string; readonly payload: Payload }): string {
  const { program, papers, bubbleId } = parent;
  const { route_history: before, plan_slug: slug } = program.payload ?? {};
  const plan =
    typeof slug === "string" && slug ? [`- The plan with its amendments: pairflow plan show ${slug}`] : [];
  const known = typeof before === "string" && before ? before.split("\n") : plan;
  const reason = reasonOf(papers?.refinement?.value, wish.payload);
  return [...known, `- ${bubbleId} → ${wish.workflow}: ${reason}`].join("\n");
}

/** What a refinement has changed and why; otherwise what the reviewer said who sent the work on. */
function reasonOf(refinement: Payload | undefined, { feedback }: Payload): string {
  const words = refinement
    ? `amended: ${String(refinement.change)} (because: ${String(refinement.diagnosis)})`
    : String(feedback ?? "");
  return clip(words.replace(/\s+/g, " ").trim() || "no reason was given", 600);
}

/** The plan as it is known here, with what a refinement says on top of its constraints. */
function refinedPlan({ program }: State, given: Payload): TaskOf {
  const plan = planIn(undefined, { ...program.payload, ...given });
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
function describedIn({ task }: Payload): Described | undefined {
  if (typeof task !== "object" || task === null) return undefined;
  const read = check(PlanTask, { ...task, id: "t1" });
  if (!read.ok) return undefined;
  // It keeps the id of the task whose place it takes.
  const { description, files, criteria } = read.value;
  return { description, files, criteria };
}

type Described = Pick<PlanTask, "description" | "files" | "criteria">;

async function taskFor(world: World, parent: State, payload: Payload): Promise<NewBubble["task"]> {
  const task = describedIn(payload);
  if (task) {
    const brief = briefOf(task, refinedPlan(parent, payload));
    return { ...brief, text: `${brief.text}${before(world, parent, payload)}` };
  }
  return {
    title: parent.task.title,
    text: `${withPayload(await taskText(world, parent), payload)}${before(world, parent)}`,
    criteria: sharedCriteria(parent),
  };
}

/** What was tried before, and where it can be read. */
function before(world: World, parent: State, { diagnosis }: Payload = {}): string {
  const diff = isRejected(parent) && !parent.tree?.paper ? parent.tree?.diff : undefined;
  const parts = [
    ...(typeof diagnosis === "string" && diagnosis ? [diagnosis.trim()] : []),
    ...(diff ? [`What was made and rejected: ${world.records.path(parent.bubbleId, diff)}`] : []),
  ];
  return parts.length > 0 ? `\n## Before this\n\n${parts.join("\n\n")}\n` : "";
}

/** A refinement may narrow what may be changed. */
function scopeOf({ config, program }: State, { constraints }: Payload): Pick<BubbleConfig, "scope"> {
  const read = check(Constraints, constraints ?? {});
  const { topLevel } = planIn(undefined, program.payload ?? {});
  const plan = read.ok ? sortConstraints(read.value, topLevel).scope : undefined;
  return { scope: narrowedScope(config.scope, plan) };
}

async function common(
  world: World,
  parent: State,
): Promise<Pick<NewBubble, "profile" | "knowledge" | "document">> {
  return {
    profile: parent.profile,
    ...(await sameKnowledge(world, parent)),
    ...(await sameDocument(world, parent)),
  };
}

/** The document that a bubble implements, for whoever does a part of it or continues in its place. */
export async function sameDocument(world: World, parent: State): Promise<Pick<NewBubble, "document">> {
  const text = await pinnedDocument(world, parent);
  if (!parent.document || text === undefined) return {};
  const { bubble, path, tree } = parent.document;
  return { document: { bubble, path, tree, text } };
}

/** SOPs, constitution and conventions as they were pinned for a bubble. */
export async function sameKnowledge(world: World, parent: State): Promise<Pick<NewBubble, "knowledge">> {
  const read = await pinnedKnowledge(world, parent);
  if (!read.ok)
    throw new Failure(read.refusal.code, read.refusal.message, {
      ...(read.refusal.hint ? { hint: read.refusal.hint } : {}),
    });
  return parent.knowledge ? { knowledge: read.knowledge } : {};
}

/** One task of the parent's program, with the parent's own source beside it. */
const partOf = (world: World, parent: State, task: string): Promise<WorkflowFile> =>
  sameWorkflow(world, parent, programForTask(parent.program, task));

/** What a bubble runs, with the source it was made from. */
export async function sameWorkflow(
  world: World,
  parent: State,
  program = parent.program,
): Promise<WorkflowFile> {
  const path = `workflow-${parent.config.workflow}.yaml`;
  const bytes = await world.records.get(parent.bubbleId, path);
  return { program, path, source: bytes ? new TextDecoder().decode(bytes) : spelledOut(program) };
}

const spelledOut = (program: Program) => `${JSON.stringify(program, null, 2)}\n`;

/** A workflow by its name. Roles that the bubble itself has no use for are played as the project says. */
async function named(
  world: World,
  workflow: string,
  placed: BubbleConfig,
  { payload, base }: { readonly payload: Payload; readonly base: string },
): Promise<{ readonly config: BubbleConfig; readonly workflow: WorkflowFile }> {
  const { id, repo_path, base_branch, bubble_branch } = placed;
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo_path, base, path));
  const usual = completeConfig(mergeDefaults(project, { id, repo_path, base_branch, bubble_branch }));
  const config = {
    ...placed,
    workflow,
    agents: { ...usual.agents, ...withUsualRoles(placed.agents) },
    agent: { ...project.agents, ...usual.agent, ...placed.agent },
  };
  const file = loadWorkflowFile(workflow, config, { payload });
  return { config: { ...config, agents: { ...bubbleAgents(file.program, config) } }, workflow: file };
}

/** Never nothing: who may spend nothing could not even ask. */
function budgetLeft(world: World, parent: State): BubbleConfig["budget"] {
  const lines = budgetLines(parent, world.clock.now());
  return Object.fromEntries(lines.map(({ name, used, limit }) => [name, Math.max(limit - used, 0.01)]));
}

/** The payload as people read it, under the task it belongs to. */
export function withPayload(task: string, payload: Payload): string {
  const entries = Object.entries(payload).filter(([, value]) => value !== "" && value !== null);
  if (entries.length === 0) return task;
  const parts = entries.map(([name, value]) => `### ${heading(name)}\n\n${readable(value)}`);
  return [task.trimEnd(), "## Started with", ...parts, ""].join("\n\n");
}

const heading = (name: string) => name.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());

function readable(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value)) return value.map((item) => `- ${onOneLine(item)}`).join("\n") || "none";
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([name, item]) => `- ${name}: ${onOneLine(item)}`)
    .join("\n");
}

const onOneLine = (value: unknown) =>
  typeof value === "string" ? value.replaceAll("\n", "\n  ") : JSON.stringify(value);

/** What is locked in the parent may not be changed by its children either. */
function inherited({ locks = [] }: State): Pick<NonNullable<NewBubble["parent"]>, "locks"> {
  if (locks.length === 0) return {};
  return {
    locks: locks.map(({ path, sha256, decidedBy, task }) => ({
      path,
      sha256,
      decided_by: decidedBy,
      ...(task ? { task } : {}),
    })),
  };
}
