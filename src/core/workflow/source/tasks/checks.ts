// Tasks that read well and mean nothing, or what nobody should want: an author who judges itself, a loop without a
// critic, an exit that is no evidence.
import { metricNames } from "../../../model/program.ts";
import { suggestWord } from "../../../text/nearest.ts";
import { type Condition, listConditionPaths, parseCondition, printCondition } from "../../condition.ts";
import type { WorkflowProblem } from "../../problem.ts";
import { takenKeys } from "./join.ts";
import { listOrderProblems } from "./order.ts";
import type { LoopOverlay } from "./overlays.ts";
import type { ResolvedTask } from "./resolve.ts";
import type { TasksDocument } from "./schema.ts";

export function checkWorkflowTasks(
  document: TasksDocument,
  tasks: readonly ResolvedTask[],
): WorkflowProblem[] {
  const none: WorkflowProblem = {
    path: ["tasks"],
    message: "a workflow needs at least one task",
    hint: "tasks: { work: { agent: implementer } }",
  };
  return [
    ...(tasks.length === 0 ? [none] : []),
    ...listOrderProblems(document.tasks),
    ...joinProblems(document),
    ...tasks.flatMap((known) => [
      ...listNameProblems(known),
      ...listAgentProblems(known),
      ...listLoopProblems(known),
      ...listConfidenceProblems(known),
      ...listTierProblems(known),
    ]),
  ];
}

function joinProblems({ join }: TasksDocument): WorkflowProblem[] {
  if (join.agent === undefined || join.agent !== join.reviewer) return [];
  return [
    {
      path: ["join", "reviewer"],
      message: `${join.reviewer} would judge what it joined itself`,
      hint: "name another agent as reviewer",
    },
  ];
}

function listNameProblems({ key }: ResolvedTask): WorkflowProblem[] {
  if (!takenKeys.some((name) => name === key)) return [];
  return [
    {
      path: ["tasks", key],
      message: `no task can be called ${key}: a step of every workflow is`,
      hint: "choose another name",
    },
  ];
}

function listAgentProblems(known: ResolvedTask): WorkflowProblem[] {
  const { key, task, loop, startsWithReview } = known;
  const path = ["tasks", key];
  if (startsWithReview && loop?.producer === "")
    return [
      {
        path: [...path, "kind"],
        message: `${key} reviews what an earlier task made, and there is none with an agent`,
        hint: "name the task in depends_on, or leave kind out",
      },
    ];
  const missing = startsWithReview ? loop?.critics.length === 0 : (loop?.producer ?? task.agent ?? "") === "";
  if (!missing) return [];
  return [{ path, message: `task ${key} has no agent`, hint: `agent: implementer` }];
}

function listLoopProblems(known: ResolvedTask): WorkflowProblem[] {
  const { overlays, loop } = known;
  if (overlays.paired && overlays.review)
    return [
      {
        path: overlays.path("agentic_review", "enabled"),
        message: "paired_workflow and agentic_review are both enabled on one task",
        hint: "enable one of them, or make two tasks",
      },
    ];
  if (!loop) return listStrayWords(known);
  return [
    ...checkCritic(known, loop),
    ...checkSelfJudging(known, loop),
    ...switchProblems(known, loop),
    ...listExitProblems(known, loop),
  ];
}

/** Subtasks are the work of a pair; without one nobody would ever go through them. */
function listStrayWords({ key, task }: ResolvedTask): WorkflowProblem[] {
  if (!task.subtasks) return [];
  return [
    {
      path: ["tasks", key, "subtasks"],
      message: `the subtasks of ${key} need a loop that goes through them`,
      hint: "enable paired_workflow or agentic_review, or write the subtasks as tasks",
    },
  ];
}

const getCriticKey = ({ name }: LoopOverlay) =>
  name === "paired_workflow" ? "challenger_agent" : "reviewer_agent";
const getProducerWord = ({ name }: LoopOverlay) => (name === "paired_workflow" ? "driver" : "coder");

function checkCritic(
  { key, overlays, startsWithReview }: ResolvedTask,
  loop: LoopOverlay,
): WorkflowProblem[] {
  if (loop.critics.length > 0 || startsWithReview) return [];
  return [
    {
      path: overlays.path(loop.name),
      message: `${loop.name} of ${key} has no ${getCriticKey(loop)}`,
      hint: `${getCriticKey(loop)}: reviewer`,
    },
  ];
}

function checkSelfJudging(
  { key, overlays, startsWithReview }: ResolvedTask,
  loop: LoopOverlay,
): WorkflowProblem[] {
  const same = loop.critics.indexOf(loop.producer);
  if (same < 0 || loop.producer === "") return [];
  if (startsWithReview)
    return [
      {
        path: ["tasks", key, "agent"],
        message: `${loop.producer} would review its own work`,
        hint: "give the review to another agent",
      },
    ];
  const at = loop.critics.length > 1 ? [same] : [];
  const word = loop.name === "paired_workflow" ? "challenger" : "reviewer";
  return [
    {
      path: overlays.path(loop.name, getCriticKey(loop), ...at),
      message: `${loop.producer} would judge its own work: ${word} and ${getProducerWord(loop)} are the same agent`,
      hint: `name another agent as ${getCriticKey(loop)}`,
    },
  ];
}

function switchProblems({ key, task, overlays }: ResolvedTask, loop: LoopOverlay): WorkflowProblem[] {
  const problems: WorkflowProblem[] = [];
  if (loop.roleSwitch === "subtask" && !task.subtasks)
    problems.push({
      path: overlays.path(loop.name, "role_switch"),
      message: `role_switch subtask needs the subtasks of ${key}`,
      hint: `add subtasks: ["first part", "second part"] to the task`,
    });
  if (loop.roleSwitch === "checkpoint" && loop.checkpoints === undefined)
    problems.push({
      path: overlays.path(loop.name, "role_switch"),
      message: "role_switch checkpoint needs checkpoints",
      hint: "checkpoints: [2], or checkpoints: claim when the driver says where they are",
    });
  if (loop.roleSwitch !== "checkpoint" && loop.checkpoints !== undefined)
    problems.push({
      path: overlays.path(loop.name, "checkpoints"),
      message: `checkpoints mean nothing with role_switch ${loop.roleSwitch}`,
      hint: "role_switch: checkpoint",
    });
  const subtasks = task.subtasks?.length ?? 0;
  if (subtasks > loop.maxIterations)
    problems.push({
      path: ["tasks", key, "subtasks"],
      message: `${subtasks} subtasks need at least as many iterations, not ${loop.maxIterations}`,
      hint: `max_iterations: ${subtasks}`,
    });
  return problems;
}

/** What can show that the work is good. A count of rounds cannot: exhaustion is never success. */
const evidence: Readonly<Record<LoopOverlay["name"], RegExp>> = {
  paired_workflow: /^(?:pair\.challenger_approved|confidence_score|gates|policy|findings)(?:\.|$)/,
  agentic_review: /^review\.decision$/,
};
const wanted: Readonly<Record<LoopOverlay["name"], string>> = {
  paired_workflow: "pair.challenger_approved, confidence_score, gates, policy or findings",
  agentic_review: "review.decision",
};

/** Whichever way the condition comes true, it rests on evidence. */
function isBasedOn(condition: Condition, evidence: RegExp): boolean {
  if (condition.kind === "or") return condition.parts.every((part) => isBasedOn(part, evidence));
  if (condition.kind === "and") return condition.parts.some((part) => isBasedOn(part, evidence));
  return listConditionPaths(printCondition(condition)).some((path) => evidence.test(path));
}

function listExitProblems({ overlays }: ResolvedTask, loop: LoopOverlay): WorkflowProblem[] {
  return loop.exit.flatMap((condition, i) => {
    const parsed = parseCondition(condition);
    if (!parsed.ok || isBasedOn(parsed.condition, evidence[loop.name])) return [];
    return [
      {
        path: overlays.path(loop.name, "exit_conditions", i),
        message: `${JSON.stringify(condition)} is no evidence that the work is good`,
        hint: `an exit condition of ${loop.name} mentions ${wanted[loop.name]}`,
      },
    ];
  });
}

function listConfidenceProblems({ key, task, overlays, loop }: ResolvedTask): WorkflowProblem[] {
  const { confidence } = overlays;
  if (!confidence) return [];
  const path = (...keys: string[]) => overlays.path("confidence_loop", ...keys);
  const names = Object.keys(confidence.metrics);
  const unknown = names.filter((name) => !metricNames.includes(name));
  const authors = [task.agent, loop?.producer].filter((name) => name !== undefined && name !== "");
  return [
    ...(names.length === 0
      ? [{ path: path("metrics"), message: "a score needs a metric", hint: "metrics: { gates: 1 }" }]
      : []),
    ...unknown.map((name) => ({
      path: path("metrics", name),
      message: `there is no metric ${name}${suggestWord(name, metricNames)}`,
    })),
    ...(names.includes("judge") && confidence.judge === undefined
      ? [
          {
            path: path("metrics", "judge"),
            message: "the metric judge needs an agent that judges",
            hint: "judge_agent: reviewer",
          },
        ]
      : []),
    ...(confidence.judge !== undefined && authors.includes(confidence.judge)
      ? [
          {
            path: path("judge_agent"),
            message: `${confidence.judge} would judge its own work in ${key}`,
            hint: "name another agent as judge_agent",
          },
        ]
      : []),
  ];
}

function listTierProblems({ key, overlays, loop }: ResolvedTask): WorkflowProblem[] {
  if (overlays.tier !== "T1" || loop) return [];
  return [
    {
      path: overlays.path("policy_gate", "risk_tier"),
      message: `risk tier T1 wants an independent review, and nobody reviews ${key}`,
      hint: "enable agentic_review or paired_workflow, or choose T0 or T2",
    },
  ];
}
