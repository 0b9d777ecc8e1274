// What a workflow of tasks may do and its author should know: a critic who also judges formally, two names for one
// agent, a condition that can never hold.
import type { BubbleConfig } from "../../model/config.ts";
import { pathsIn } from "../condition.ts";
import type { Problem } from "../problem.ts";
import { boundAgent, sameModel } from "./agents.ts";
import type { Path } from "./draft.ts";
import type { Known } from "./known-task.ts";
import type { TasksDocument } from "./tasks-schema.ts";

export function taskWarnings(
  document: TasksDocument,
  tasks: readonly Known[],
  config: BubbleConfig,
): Problem[] {
  const bound = (name: string) => boundAgent(name, config) ?? name;
  return [
    ...unbound(namesIn(document, tasks), config),
    ...tasks.flatMap((known, i) => [
      ...formalReviewer(known, tasks.slice(i + 1), config, bound),
      ...alike(known, config, bound),
      ...neverScored(known),
      ...unheardJudge(known),
    ]),
  ];
}

interface Named {
  readonly name: string;
  readonly path: Path;
}

/** Every agent that is named, at its first place. */
function namesIn({ join }: TasksDocument, tasks: readonly Known[]): Named[] {
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

function unbound(names: readonly Named[], config: BubbleConfig): Problem[] {
  const firsts = names.filter(({ name }, i) => names.findIndex((other) => other.name === name) === i);
  return firsts
    .filter(({ name }) => boundAgent(name, config) === undefined)
    .map(({ name, path }) => notConfigured(name, path));
}

export const notConfigured = (name: string, path: Path): Problem => ({
  path,
  message: `${name} is not configured: bind it with [agents] ${name} = …`,
});

/** The order of the tasks is that of their dependencies: what rests on this one comes later. */
function formalReviewer(
  { overlays, loop }: Known,
  later: readonly Known[],
  { agents }: BubbleConfig,
  bound: (name: string) => string,
): Problem[] {
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

/** Different names that come to the same agent, or to the same model. */
function alike(known: Known, config: BubbleConfig, bound: (name: string) => string): Problem[] {
  const { overlays, loop, startsWithReview } = known;
  if (!loop) return [];
  const producer = bound(loop.producer);
  const word = loop.name === "paired_workflow" ? "challenger_agent" : "reviewer_agent";
  const path = startsWithReview ? ["tasks", known.key, "agent"] : overlays.path(loop.name, word);
  return loop.critics.flatMap((critic): Problem[] => {
    const agent = bound(critic);
    if (agent === producer)
      return [{ path, message: `${loop.producer} and ${critic} are both played by ${agent}` }];
    if (!sameModel(producer, agent, config)) return [];
    return [{ path, message: `${producer} and ${agent} are the same model: they share its blind spots` }];
  });
}

function neverScored({ overlays, loop }: Known): Problem[] {
  if (!loop || overlays.confidence) return [];
  return loop.exit.flatMap((condition, i) =>
    pathsIn(condition).includes("confidence_score")
      ? [
          {
            path: overlays.path(loop.name, "exit_conditions", i),
            message: "confidence_score is never known here: confidence_loop is not enabled",
          },
        ]
      : [],
  );
}

function unheardJudge({ overlays }: Known): Problem[] {
  const { confidence } = overlays;
  if (confidence?.judge === undefined || Object.hasOwn(confidence.metrics, "judge")) return [];
  return [
    {
      path: overlays.path("confidence_loop", "judge_agent"),
      message: `the score of ${confidence.judge} counts for nothing: metrics has no judge`,
    },
  ];
}
