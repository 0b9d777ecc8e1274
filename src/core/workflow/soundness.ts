// Programs that read well and cannot run: roles without a turn, a budget nobody is asked about, steps that lead to
// one another with nobody in between, loops without a limit. Found when a workflow is loaded, never when a bubble is
// stuck in it.
import type { Loop, Program, Step } from "../model/program.ts";
import { findLimitIn } from "./condition.ts";
import type { WorkflowProblem } from "./problem.ts";
import type { ProgramDraft } from "./source/draft.ts";

export function checkSoundness(program: Program, draft: ProgramDraft): WorkflowProblem[] {
  const byName = new Map(program.steps.map((step) => [step.name, step]));
  return [
    // The loops of tasks, and those that nobody wrote, are made so that they fit.
    ...(program.tasks || !draft.ownLoop ? [] : checkLoopRoles(program, draft)),
    ...checkBudget(program, draft),
    ...checkSigned(program),
    ...checkRestless(program, byName, draft),
    ...checkEndless(program, byName, draft),
  ];
}

/** The loop's two roles have turns, which hand in what such a role hands in. */
function checkLoopRoles({ loop, steps }: Program, { place }: ProgramDraft): WorkflowProblem[] {
  const wanted = [
    { key: "producer", role: loop.producer, answer: "handoff" },
    ...(loop.critic === undefined ? [] : [{ key: "critic", role: loop.critic, answer: "findings" }]),
  ];
  return wanted.flatMap(({ key, role, answer }) => {
    const turns = steps.flatMap((step, i) =>
      step.kind === "turn" && step.role === role ? [{ step, i }] : [],
    );
    if (turns.length === 0) return [{ path: ["loop", key], message: `no turn is the ${role}'s` }];
    return turns.flatMap(({ step, i }) =>
      step.answer === answer
        ? []
        : [{ path: place(i, "answer"), message: `the ${key}'s turn answers with ${answer}` }],
    );
  });
}

/** A spent budget is a human's decision, or the end of a task that is not completed; only there is a route held back. */
function checkBudget(
  { loop, tasks = [], phases = [], steps }: Program,
  { place }: ProgramDraft,
): WorkflowProblem[] {
  const parts = [...tasks, ...phases];
  const loops: readonly Loop[] = parts.length > 0 ? parts.map((part) => part.loop) : [loop];
  const limits = new Set(loops.map(({ exhausted }) => exhausted));
  const problems: WorkflowProblem[] = steps.flatMap((step) =>
    limits.has(step.name) && step.kind !== "question" && !isExceeded(step)
      ? [
          {
            path: ["loop", "exhausted"],
            message: `${step.name} is no question: reaching the limit is a human's decision`,
          },
        ]
      : [],
  );
  const questions = new Set(steps.flatMap((step) => (step.kind === "question" ? [step.name] : [])));
  return [
    ...problems,
    ...steps.flatMap((step, i) =>
      Object.entries(step.on).flatMap(([outcome, { to }]): WorkflowProblem[] => {
        const path = place(i, "on", outcome);
        const signals = step.kind === "question" && step.ask === "signal";
        if (to === "$resume" && !limits.has(step.name) && !signals)
          return [
            { path, message: `$resume is only for ${[...limits].join(", ")}, where a route was held back` },
          ];
        return limits.has(to) && questions.has(to)
          ? [{ path, message: `${to} is entered only when the rounds are used up` }]
          : [];
      }),
    ),
  ];
}

/** Whatever a workflow does, a human signs the result. */
function checkSigned({ steps }: Program): WorkflowProblem[] {
  return steps.some(({ kind }) => kind === "approval")
    ? []
    : [
        {
          path: ["steps"],
          message: "no step asks a human for approval",
          hint: "add { name: approval, kind: approval }",
        },
      ];
}

const isExceeded = (step: Step) => step.kind === "done" && step.status === "exceeded";

type ByName = ReadonlyMap<string, Step>;
type Routes = (step: Step) => readonly string[];

/** The numbers of the steps that lead back to themselves by these routes. */
function findCircling(steps: readonly Step[], byName: ByName, routes: Routes): number[] {
  const left = mayCircle(steps, routes);
  return steps.flatMap((step, i) =>
    left.has(step.name) && isReturning(step, byName, routes, left) ? [i] : [],
  );
}

/** Without those that nothing leads to, or that lead nowhere, again and again: most programs have nothing left then. */
function mayCircle(steps: readonly Step[], routes: Routes): Set<string> {
  const left = new Set(steps.map((step) => step.name));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    const targets = new Set(steps.flatMap((step) => (left.has(step.name) ? routes(step) : [])));
    for (const step of [...steps, ...[...steps].reverse()])
      if (!targets.has(step.name) || !routes(step).some((to) => left.has(to))) left.delete(step.name);
  }
  return left;
}

function isReturning(start: Step, byName: ByName, routes: Routes, within: ReadonlySet<string>): boolean {
  const reached = new Set(routes(start));
  for (const name of reached) {
    if (name === start.name) return true;
    const step = within.has(name) ? byName.get(name) : undefined;
    for (const next of step ? routes(step) : []) reached.add(next);
  }
  return false;
}

/** Steps that need nobody and lead back to themselves through others that need nobody either. */
function checkRestless({ steps }: Program, byName: ByName, { place }: ProgramDraft): WorkflowProblem[] {
  return findCircling(steps, byName, (step) => listRoutesAlone(step, byName)).map((i) => ({
    path: place(i, "on"),
    message: `step ${steps[i]?.name} leads back to itself with nobody in between`,
    hint: "put a turn, a question or a wait between them",
  }));
}

const kindsAlone: readonly Step["kind"][] = [
  "check",
  "gates",
  "context",
  "validate",
  "branch",
  "emit",
  "start",
  "lock",
  "score",
  "adopt",
  "plan",
  "done",
  "end",
];

/** Where a step leads without an agent, a human or time. A check that finds gates red leads to gates that can only fail. */
function listRoutesAlone(step: Step, byName: ByName): string[] {
  if (!kindsAlone.includes(step.kind)) return step.on.unmet ? [step.on.unmet.to] : [];
  return Object.entries(step.on).map(([outcome, route]) => {
    const target = step.kind === "check" && outcome === "gates" ? byName.get(route.to) : undefined;
    return target?.kind === "gates" ? (target.on.fail?.to ?? route.to) : route.to;
  });
}

/** Turns that come again and again, with no round spent, no limit in a condition and no human on the way. */
function checkEndless(
  { steps }: Program,
  byName: ByName,
  { place, limited }: ProgramDraft,
): WorkflowProblem[] {
  const hint = limited
    ? "let a route back begin a round: { to: …, round: next }, or give a step a limit: execution.iteration < 3"
    : "add max_iterations to the workflow, or a condition with a limit: execution.iteration < 3";
  return findCircling(steps, byName, (step) => listUnlimitedRoutes(step, limited)).flatMap((i) => {
    const step = steps[i];
    if (step?.kind !== "turn") return [];
    const message = `${step.name} can come again and again: nothing limits this loop`;
    return [{ path: place(i, "name"), message, hint }];
  });
}

/** The routes of a step that nothing bounds: the referee's checks are bounded, refusals are, and humans stop by themselves. */
function listUnlimitedRoutes(step: Step, limited: boolean): string[] {
  if (step.kind === "question" || step.kind === "check") return [];
  const isLimit = (condition: string | undefined) =>
    condition !== undefined && findLimitIn(condition) !== undefined;
  const onlyUnmet = isLimit(step.when);
  const onlyNo = step.kind === "branch" && isLimit(step.if);
  return Object.entries(step.on).flatMap(([outcome, { to, round }]) => {
    const isBound =
      outcome === "refused" ||
      (onlyUnmet && outcome !== "unmet") ||
      (onlyNo && outcome === "yes") ||
      (limited && round === "next");
    return isBound ? [] : [to];
  });
}
