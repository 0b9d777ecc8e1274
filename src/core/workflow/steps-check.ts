// Every step by itself: its name, the rule or question it names, and a route for each of its outcomes that leads
// somewhere.
import type { Program, Route, Step } from "../model/program.ts";
import { paperNames } from "../paper/kinds.ts";
import { dutyNames } from "../review/duties.ts";
import { suggestWord } from "../text/nearest.ts";
import { checks, listOutcomes, questionOutcomes } from "./outcomes.ts";
import type { WorkflowProblem } from "./problem.ts";
import type { ProgramDraft } from "./source/draft.ts";

/** Words that stand for no step, and the kinds of steps that may use them. */
const reserved: Readonly<Record<string, readonly Step["kind"][]>> = {
  $cancel: ["question", "end"],
  $resume: ["question"],
  $next: ["question", "done"],
};

export function checkSteps(program: Program, draft: ProgramDraft): WorkflowProblem[] {
  const names = program.steps.map((step) => step.name);
  const known = new Set(names);
  const check = { draft, names, known, hasTasks: program.tasks !== undefined };
  return [
    ...findDuplicates(names, draft),
    ...checkStart(program, names),
    ...program.steps.flatMap((step, i) => checkStep(step, i, check)),
    ...findUnreachable(program, draft),
  ];
}

interface Check {
  readonly draft: ProgramDraft;
  readonly names: readonly string[];
  readonly known: ReadonlySet<string>;
  readonly hasTasks: boolean;
}

function findDuplicates(names: readonly string[], { place }: ProgramDraft): WorkflowProblem[] {
  const seen = new Set<string>();
  return names.flatMap((name, i) => {
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ path: place(i, "name"), message: `two steps are called ${name}` }];
  });
}

function checkStart(program: Program, names: readonly string[]): WorkflowProblem[] {
  const unknown = (path: string[], name: string): WorkflowProblem[] =>
    names.includes(name) ? [] : [{ path, message: `no step is called ${name}${suggestWord(name, names)}` }];
  return [...unknown(["start"], program.start), ...unknown(["loop", "exhausted"], program.loop.exhausted)];
}

function checkStep(step: Step, i: number, check: Check): WorkflowProblem[] {
  const { place } = check.draft;
  const { wanted, allowed } = listOutcomes(step);
  const missing = wanted
    .filter((outcome) => !step.on[outcome])
    .map((outcome) => ({ path: place(i, "on"), message: `step ${step.name} has no route for ${outcome}` }));
  const possible = [...wanted, ...allowed];
  const routes = Object.entries(step.on).flatMap(([outcome, route]) => [
    ...(possible.includes(outcome)
      ? []
      : [
          {
            path: place(i, "on", outcome),
            message: `step ${step.name} never ends with ${outcome}${suggestWord(outcome, possible)}`,
          },
        ]),
    ...checkRoute(step, route, place(i, "on", outcome), check),
  ]);
  return [...checkKnownWords(step, i, check.draft), ...missing, ...routes];
}

/** A rule, question or duty that there is not. */
function checkKnownWords(step: Step, i: number, { place }: ProgramDraft): WorkflowProblem[] {
  const unknown = (what: string, word: string, known: readonly string[], ...keys: (string | number)[]) =>
    known.includes(word)
      ? []
      : [{ path: place(i, ...keys), message: `there is no ${what} ${word}${suggestWord(word, known)}` }];
  if (step.kind === "check") return unknown("check", step.check, Object.keys(checks), "check");
  if (step.kind === "question")
    return [
      ...unknown("question", step.ask, Object.keys(questionOutcomes), "ask"),
      ...(step.shows === undefined ? [] : unknown("paper", step.shows, paperNames, "shows")),
    ];
  if (step.kind === "turn" && step.paper !== undefined && !paperNames.includes(step.paper))
    return unknown("paper", step.paper, paperNames, "paper");
  if (step.kind !== "turn") return [];
  return (step.duties ?? []).flatMap((duty, at) => unknown("duty", duty, dutyNames, "duties", at));
}

function checkRoute(
  step: Step,
  route: Route,
  path: readonly (string | number)[],
  { names, known, hasTasks }: Check,
): WorkflowProblem[] {
  const kinds = Object.hasOwn(reserved, route.to) ? reserved[route.to] : undefined;
  if (kinds && !kinds.includes(step.kind))
    return [
      {
        path,
        message: `${route.to} is only for ${kinds.includes("done") ? "the end of a task" : "questions to a human"}`,
      },
    ];
  if (route.to === "$next" && !hasTasks)
    return [{ path, message: "$next is the next task, and this workflow has none" }];
  if (kinds || known.has(route.to)) return [];
  return [{ path, message: `no step is called ${route.to}${suggestWord(route.to, names)}` }];
}

/** `$next` may lead to every task, and behind the last one. */
function findUnreachable(
  { start, loop, tasks = [], phases = [], steps }: Program,
  { place }: ProgramDraft,
): WorkflowProblem[] {
  const byName = new Map(steps.map((step) => [step.name, step]));
  const roots = [
    start,
    loop.exhausted,
    ...tasks.flatMap((task) => [task.first, task.loop.exhausted]),
    ...phases.map((phase) => phase.loop.exhausted),
    ...(tasks.length > 0 ? ["approval", "children"] : []),
  ];
  const reached = new Set(roots);
  for (const name of reached)
    for (const route of Object.values(byName.get(name)?.on ?? {})) reached.add(route.to);
  return steps.flatMap((step, i) =>
    reached.has(step.name)
      ? []
      : [{ path: place(i, "name"), message: `step ${step.name} can never be reached` }],
  );
}
