// What a workflow of tasks may do and its author should know: a critic who also judges formally, two names for one
// agent, a condition that can never hold.
import type { BubbleConfig } from "../../../model/config.ts";
import { listConditionPaths } from "../../condition.ts";
import type { WorkflowProblem } from "../../problem.ts";
import { findBoundAgent, isSameModel } from "../agents.ts";
import type { SourcePath } from "../draft.ts";
import type { ResolvedTask } from "./resolve.ts";
import type { TasksDocument } from "./schema.ts";

export function warnAboutTasks(
  document: TasksDocument,
  tasks: readonly ResolvedTask[],
  config: BubbleConfig,
): WorkflowProblem[] {
  const bound = (name: string) => findBoundAgent(name, config) ?? name;
  return [
    ...warnUnbound(listNamesIn(document, tasks), config),
    ...tasks.flatMap((known, i) => [
      ...warnFormalReviewer(known, tasks.slice(i + 1), config, bound),
      ...warnAlike(known, config, bound),
      ...warnNeverScored(known),
      ...warnUnheardJudge(known),
    ]),
  ];
}

interface Named {
  readonly name: string;
  readonly path: SourcePath;
}

/** Every agent that is named, at its first place. */
function listNamesIn({ join }: TasksDocument, tasks: readonly ResolvedTask[]): Named[] {
  const inTasks = tasks.flatMap(({ key, task, overlays, loop, startsWithReview }): Named[] => {
    const pair = loop?.name === "paired_workflow";
    const critics = startsWithReview ? [] : (loop?.critics ?? []);
    const at = (i: number) => (critics.length > 1 ? [i] : []);
    return [
      ...(task.agent === undefined ? [] : [{ name: task.agent, path: ["tasks", key, "agent"] }]),
      ...(loop && !startsWithReview
        ? [
            {
              name: loop.producer,
              path: overlays.path(loop.name, pair ? "driver_agent" : "coder_agent"),
            },
          ]
        : []),
      ...critics.map((name, i) => ({
        name,
        path: pair
          ? overlays.path("paired_workflow", "challenger_agent")
          : overlays.path("agentic_review", "reviewer_agent", ...at(i)),
      })),
      ...(overlays.confidence?.judge === undefined
        ? []
        : [{ name: overlays.confidence.judge, path: overlays.path("confidence_loop", "judge_agent") }]),
    ];
  });
  return [
    ...inTasks,
    ...(join.agent === undefined ? [] : [{ name: join.agent, path: ["join", "agent"] }]),
    ...(join.reviewer === undefined ? [] : [{ name: join.reviewer, path: ["join", "reviewer"] }]),
  ];
}

function warnUnbound(names: readonly Named[], config: BubbleConfig): WorkflowProblem[] {
  const firsts = names.filter(({ name }, i) => names.findIndex((other) => other.name === name) === i);
  return firsts
    .filter(({ name }) => findBoundAgent(name, config) === undefined)
    .map(({ name, path }) => warnNotConfigured(name, path));
}

export const warnNotConfigured = (name: string, path: SourcePath): WorkflowProblem => ({
  path,
  message: `${name} is not configured: bind it with [agents] ${name} = …`,
});

/** The order of the tasks is that of their dependencies: what rests on this one comes later. */
function warnFormalReviewer(
  { overlays, loop }: ResolvedTask,
  later: readonly ResolvedTask[],
  { agents }: BubbleConfig,
  bound: (name: string) => string,
): WorkflowProblem[] {
  const [challenger] = loop?.critics ?? [];
  if (loop?.name !== "paired_workflow" || challenger === undefined) return [];
  const is = (name: string | undefined) => name !== undefined && bound(name) === bound(challenger);
  const reviews = (name: string) => /review/i.test(name) || agents.reviewer === bound(name);
  const formal = later.some(
    (other) =>
      (is(other.task.agent) && (other.task.kind === "review" || reviews(other.task.agent ?? ""))) ||
      (other.loop?.name === "agentic_review" && other.loop.critics.some(is)),
  );
  if (!formal) return [];
  return [
    {
      path: overlays.path("paired_workflow", "challenger_agent"),
      message: "challenger and formal reviewer are the same agent",
    },
  ];
}

/** Different names for the same agent, or for the same model. */
function warnAlike(
  known: ResolvedTask,
  config: BubbleConfig,
  bound: (name: string) => string,
): WorkflowProblem[] {
  const { overlays, loop, startsWithReview } = known;
  if (!loop) return [];
  const producer = bound(loop.producer);
  const word = loop.name === "paired_workflow" ? "challenger_agent" : "reviewer_agent";
  const path = startsWithReview ? ["tasks", known.key, "agent"] : overlays.path(loop.name, word);
  return loop.critics.flatMap((critic): WorkflowProblem[] => {
    const agent = bound(critic);
    if (agent === producer)
      return [{ path, message: `${loop.producer} and ${critic} are both played by ${agent}` }];
    if (!isSameModel(producer, agent, config)) return [];
    return [{ path, message: `${producer} and ${agent} are the same model: they share its blind spots` }];
  });
}

function warnNeverScored({ overlays, loop }: ResolvedTask): WorkflowProblem[] {
  if (!loop || overlays.confidence) return [];
  return loop.exit.flatMap((condition, i) =>
    listConditionPaths(condition).includes("confidence_score")
      ? [
          {
            path: overlays.path(loop.name, "exit_conditions", i),
            message: "confidence_score is never known here: confidence_loop is not enabled",
          },
        ]
      : [],
  );
}

function warnUnheardJudge({ overlays }: ResolvedTask): WorkflowProblem[] {
  const { confidence } = overlays;
  if (confidence?.judge === undefined || Object.hasOwn(confidence.metrics, "judge")) return [];
  return [
    {
      path: overlays.path("confidence_loop", "judge_agent"),
      message: `the score of ${confidence.judge} counts for nothing: metrics has no judge`,
    },
  ];
}
