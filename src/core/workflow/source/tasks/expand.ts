// A workflow of tasks with overlays, expanded: each task becomes its steps, one after another in the order of what they
// depend on, and a human signs what they made together.
import type { BubbleConfig } from "../../../model/config.ts";
import type { Loop, ProgramTask, Step } from "../../../model/program.ts";
import { findBoundAgent } from "../agents.ts";
import type { ProgramDraft, SourcePath, WrittenText } from "../draft.ts";
import { parseDuration } from "../duration.ts";
import { checkWorkflowTasks } from "./checks.ts";
import { buildJoin } from "./join.ts";
import { canRunSideBySide, sortByDependencies } from "./order.ts";
import { getLoopRoles, type ResolvedTask, resolveTask } from "./resolve.ts";
import type { TasksDocument } from "./schema.ts";
import { buildTaskSteps, expandRoutes, nameExhaustedStep, type TaskPlan } from "./steps.ts";
import { warnAboutTasks } from "./warnings.ts";

export function expandTasks(document: TasksDocument, config: BubbleConfig, id: string): ProgramDraft {
  const known = sortByDependencies(document.tasks).map((key, i, order) =>
    resolveTask(document, key, order.slice(0, i)),
  );
  const problems = checkWorkflowTasks(document, known);
  const bound = (name: string) => findBoundAgent(name, config) ?? name;
  const tasks = known.map((one) => buildProgramTask(one, document, config, bound));
  const steps = known.flatMap((one) => buildTaskSteps(buildPlan(one)));
  const join = isSideBySide(document) ? buildJoin(document, tasks, config, bound) : undefined;
  const [first] = tasks;
  const allSteps = [...steps, ...(join?.steps ?? []), ...approval];
  return {
    program: {
      id: document.id ?? id,
      name: document.name ?? document.id ?? id,
      version: document.version,
      start: first?.first ?? "approval",
      loop: first?.loop ?? nothing,
      steps: allSteps,
      tasks: [...tasks, ...(join ? [join.task] : [])],
      ...(document.max_concurrent > 1 ? { max_concurrent: document.max_concurrent } : {}),
      ...(document.timeout === undefined ? {} : { timeout_s: parseDuration(document.timeout) ?? 1 }),
    },
    problems,
    warnings: problems.length > 0 ? [] : warnAboutTasks(document, known, config),
    written: known.flatMap(collectTaskTexts),
    place: (step) => getSourcePath(allSteps[step], document),
    limited: true,
    ownLoop: false,
  };
}

const approval: readonly Step[] = expandRoutes(undefined, [{ name: "approval", kind: "approval", on: {} }]);

const isSideBySide = ({ max_concurrent, tasks }: TasksDocument) =>
  max_concurrent > 1 && canRunSideBySide(tasks);

/** Only there so that a document without tasks has a form to be refused in. */
const nothing: Loop = {
  producer: "agent",
  max_rounds: 1,
  clean_passes: 1,
  role_switch: "never",
  exhausted: "approval",
};

function buildPlan(known: ResolvedTask): TaskPlan {
  const { key, task, overlays, loop } = known;
  const prompt = task.prompt ?? task.description;
  return {
    key,
    ...getLoopRoles(known),
    ...(prompt === undefined ? {} : { prompt }),
    scored: overlays.confidence !== undefined,
    ...(overlays.confidence?.judge === undefined ? {} : { judge: "judge" }),
    hil: overlays.hil.enabled,
    locks: loop !== undefined || task.outputs !== undefined,
    swapsAtSubtasks: loop?.roleSwitch === "subtask",
  };
}

type Bind = (name: string) => string;

function buildProgramTask(
  known: ResolvedTask,
  document: TasksDocument,
  config: BubbleConfig,
  bound: Bind,
): ProgramTask {
  const { key, task, overlays, loop } = known;
  const text = task.prompt ?? task.description;
  const { confidence } = overlays;
  return {
    key,
    ...(task.title === undefined ? {} : { title: task.title }),
    ...(text === undefined ? {} : { text }),
    criteria: [...task.acceptance_criteria],
    first: known.startsWithReview ? `${key}/review` : key,
    depends_on: [...task.depends_on],
    roles: buildRolesPlayed(known, bound),
    loop: buildProgramLoop(known, document, config, bound),
    ...(loop ? { overlay: loop.name } : {}),
    ...(loop?.name === "paired_workflow" ? { role_switch: loop.roleSwitch } : {}),
    ...(task.subtasks ? { subtasks: [...task.subtasks] } : {}),
    ...(loop?.checkpoints
      ? { checkpoints: loop.checkpoints === "claim" ? ("claim" as const) : [...loop.checkpoints] }
      : {}),
    ...(confidence
      ? { confidence: { ...confidence, ...(confidence.judge ? { judge: bound(confidence.judge) } : {}) } }
      : {}),
    ...(overlays.tier ? { policy: { tier: overlays.tier } } : {}),
    hil: overlays.hil,
    ...(task.outputs ? { outputs: [...task.outputs] } : {}),
  };
}

function buildRolesPlayed(known: ResolvedTask, bound: Bind): Record<string, string> {
  const { task, overlays, loop } = known;
  const { producer, critic } = getLoopRoles(known);
  const [first] = loop?.critics ?? [];
  return {
    [producer]: bound(loop?.producer ?? task.agent ?? ""),
    ...(critic !== undefined && first !== undefined ? { [critic]: bound(first) } : {}),
    ...(overlays.confidence?.judge === undefined ? {} : { judge: bound(overlays.confidence.judge) }),
  };
}

function buildProgramLoop(
  known: ResolvedTask,
  document: TasksDocument,
  config: BubbleConfig,
  bound: Bind,
): Loop {
  const { key, overlays, loop } = known;
  const limits = {
    clean_passes: 1,
    exhausted: nameExhaustedStep({ key, hil: overlays.hil.enabled }),
  };
  if (!loop)
    return {
      ...getLoopRoles(known),
      ...limits,
      max_rounds: document.max_iterations ?? config.max_rounds,
      role_switch: "never",
    };
  return {
    ...getLoopRoles(known),
    ...limits,
    max_rounds: loop.maxIterations,
    role_switch: loop.roleSwitch === "session" ? "never" : loop.roleSwitch,
    exit: [...loop.exit],
    ...(loop.critics.length > 1 ? { chain: loop.critics.map(bound) } : {}),
    dialect: loop.name === "paired_workflow" ? "challenge" : "decision",
  };
}

function collectTaskTexts({ key, task, overlays, loop, startsWithReview }: ResolvedTask): WrittenText[] {
  const prompts = (["prompt", "description"] as const).flatMap((word): WrittenText[] =>
    task[word] === undefined ? [] : [{ as: "template", value: task[word], path: ["tasks", key, word] }],
  );
  const conditions = startsWithReview ? [] : (loop?.exit ?? []);
  return [
    ...prompts,
    ...conditions.map(
      (value, i): WrittenText => ({
        as: "condition",
        value,
        path: overlays.path(loop?.name ?? "paired_workflow", "exit_conditions", i),
      }),
    ),
  ];
}

/** Steps are made from their task; what belongs to none is made from the document itself. */
function getSourcePath(step: Step | undefined, { tasks }: TasksDocument): SourcePath {
  const key = step?.task;
  return key !== undefined && Object.hasOwn(tasks, key) ? ["tasks", key] : ["tasks"];
}
