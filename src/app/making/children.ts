// What a bubble's children and successors are made of: its own settings, profile, knowledge and task, a place of their
// own, and the part of the work that is theirs.
import { listBudgetLines } from "../../core/limits/budget.ts";
import type { BubbleConfig } from "../../core/model/config.ts";
import type { Child, Program } from "../../core/model/program.ts";
import type { State } from "../../core/model/state.ts";
import { intersectScopes } from "../../core/permission/scope-intersection.ts";
import { getCodeCommit } from "../../core/state/code-tree.ts";
import { selectTaskProgram } from "../../core/workflow/task-subset.ts";
import { readPinnedDocument, readPinnedKnowledge } from "../../engine/front/facts.ts";
import type { World } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { mergeDefaults, readProjectConfig } from "../config/project.ts";
import { loadWorkflowFile, type Payload, type WorkflowFile } from "../workflows/file.ts";
import { findTriggeredWorkflow } from "../workflows/triggers.ts";
import { addUsualRoles } from "./agents.ts";
import {
  buildHandedOnPayload,
  buildHandedOnTask,
  buildSharedTask,
  describeRouteHistory,
  inheritScope,
  isRejected,
} from "./handed-on.ts";
import type { DerivedBubble } from "./wanted.ts";

/** A child: one task of the parent's workflow, or a workflow of its own, on the parent's budget. */
export async function buildChildBubble(
  world: World,
  wish: { readonly parent: State; readonly child: Child; readonly from: string; readonly id: string },
): Promise<DerivedBubble> {
  const { parent, child, from, id } = wish;
  const placed = {
    ...parent.config,
    id,
    // The parent may have been made on another machine.
    repo_path: world.repo,
    bubble_branch: `bubble/${id}`,
    // The parent's own holds for all its children together (engine/watch/tree-budget.ts).
    budget: {},
    scope: intersectScopes(parent.config.scope, child.scope),
  };
  const { config, workflow } =
    child.workflow === undefined
      ? { config: placed, workflow: await selectPart(world, parent, child.task ?? child.key) }
      : await loadNamedWorkflow(world, child.workflow, placed, { payload: child.payload ?? {}, base: from });
  return {
    ...(await copyGrounds(world, parent)),
    config,
    workflow,
    baseCommit: from,
    task: child.brief ?? (await buildSharedTask(world, parent, child)),
    parent: {
      bubble: parent.bubbleId,
      key: child.key,
      depth: (parent.parent?.depth ?? 0) + 1,
      ...inheritLocks(parent),
    },
  };
}

/** A workflow that continues where this bubble is, in its place: for its parent, and with what it was started with. */
export async function buildStartedBubble(
  world: World,
  wish: {
    readonly parent: State;
    readonly workflow: string;
    readonly payload: Payload;
    readonly id: string;
    readonly by: string;
  },
): Promise<DerivedBubble> {
  const { parent, id, by } = wish;
  const placed = {
    ...parent.config,
    id,
    // The parent may have been made on another machine.
    repo_path: world.repo,
    bubble_branch: `bubble/${id}`,
    budget: computeBudgetLeft(world, parent),
    ...inheritScope(parent, wish.payload),
  };
  const base = isRejected(parent) ? parent.baseCommit : getCodeCommit(parent);
  const payload = {
    ...buildHandedOnPayload(parent, wish.payload),
    route_history: describeRouteHistory(parent, wish),
  };
  return {
    ...(await copyGrounds(world, parent)),
    ...(await loadNamedWorkflow(world, findTriggeredWorkflow(wish.workflow, placed.repo_path), placed, {
      payload,
      base,
    })),
    baseCommit: base,
    task: await buildHandedOnTask(world, parent, wish.payload),
    startedBy: by,
    lineage: [
      ...(parent.lineage ?? []),
      { bubble: parent.bubbleId, workflow: parent.config.workflow.slice(0, 60) },
    ],
    ...(parent.parent ? { parent: { ...parent.parent, ...inheritLocks(parent) } } : {}),
  };
}

/** Gates, knowledge and document, as they were pinned for a bubble. */
export async function copyGrounds(
  world: World,
  parent: State,
): Promise<Pick<DerivedBubble, "profile" | "knowledge" | "document">> {
  return {
    profile: parent.profile,
    ...(await copyKnowledge(world, parent)),
    ...(await copyDocument(world, parent)),
  };
}

/** The document that a bubble implements, for a bubble that does a part of it or continues in its place. */
async function copyDocument(world: World, parent: State): Promise<Pick<DerivedBubble, "document">> {
  const text = await readPinnedDocument(world, parent);
  if (!parent.document || text === undefined) return {};
  const { bubble, path, tree } = parent.document;
  return { document: { bubble, path, tree, text } };
}

/** SOPs, constitution and conventions as they were pinned for a bubble. */
async function copyKnowledge(world: World, parent: State): Promise<Pick<DerivedBubble, "knowledge">> {
  const read = await readPinnedKnowledge(world, parent);
  if (!read.ok)
    throw new Failure(read.refusal.code, read.refusal.message, {
      ...(read.refusal.hint ? { hint: read.refusal.hint } : {}),
    });
  return parent.knowledge ? { knowledge: read.knowledge } : {};
}

/** One task of the parent's program, with the parent's own source beside it. */
const selectPart = (world: World, parent: State, task: string): Promise<WorkflowFile> =>
  copyWorkflow(world, parent, selectTaskProgram(parent.program, task));

/** What a bubble runs, with the source it was made from. */
export async function copyWorkflow(
  world: World,
  parent: State,
  program = parent.program,
): Promise<WorkflowFile> {
  const path = `workflow-${parent.config.workflow}.yaml`;
  const bytes = await world.records.get(parent.bubbleId, path);
  return { program, path, source: bytes ? new TextDecoder().decode(bytes) : serializeProgram(program) };
}

const serializeProgram = (program: Program) => `${JSON.stringify(program, null, 2)}\n`;

/** A workflow by its name. Roles that the bubble itself has no use for are played as the project says. */
async function loadNamedWorkflow(
  world: World,
  workflow: string,
  placed: BubbleConfig,
  { payload, base }: { readonly payload: Payload; readonly base: string },
): Promise<{ readonly config: BubbleConfig; readonly workflow: WorkflowFile }> {
  const { id, repo_path, base_branch, bubble_branch } = placed;
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo_path, base, path));
  const usual = completeConfigValues(mergeDefaults(project, { id, repo_path, base_branch, bubble_branch }));
  const config = {
    ...placed,
    workflow,
    agents: { ...usual.agents, ...addUsualRoles(placed.agents) },
    agent: { ...project.agents, ...usual.agent, ...placed.agent },
  };
  return { config, workflow: loadWorkflowFile(workflow, config, { payload }) };
}

/** Never nothing: who may spend nothing could not even ask. */
function computeBudgetLeft(world: World, parent: State): BubbleConfig["budget"] {
  const lines = listBudgetLines(parent, world.clock.now());
  return Object.fromEntries(lines.map(({ name, used, limit }) => [name, Math.max(limit - used, 0.01)]));
}

/** What is locked in the parent may not be changed by its children either. */
function inheritLocks({ locks = [] }: State): Pick<NonNullable<DerivedBubble["parent"]>, "locks"> {
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
