// From a workflow document (already parsed into plain values) to a checked program. Every problem names the path
// of the value it is about; whoever read the file turns the path into line and column.
import * as v from "valibot";
import type { BubbleConfig } from "../model/config.ts";
import { Program, type Route, type Step } from "../model/program.ts";
import { questions } from "../policy/questions.ts";
import { dutyNames } from "../review/duties.ts";
import { interpolate } from "./interpolate.ts";
import { nearest } from "./nearest.ts";
import type { Problem } from "./problem.ts";
import { unsound } from "./soundness.ts";

export type Loaded =
  | { readonly ok: true; readonly program: Program }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** The outcomes each kind of step can have; every one needs a route. */
const outcomes = {
  turn: () => ["success", "refused"],
  gates: () => ["success", "fail"],
  check: (step: Step) => (step.kind === "check" ? (checks[step.check] ?? []) : []),
  question: (step: Step) => (step.kind === "question" ? (questionOutcomes[step.ask] ?? []) : []),
  approval: () => [],
} as const;

export const checks: Readonly<Record<string, readonly string[]>> = {
  convergence: [
    "gates",
    "review",
    "unsure",
    "dispute",
    "revise",
    "stuck",
    "tie_break",
    "swap",
    "package",
    "converged",
  ],
};
const questionOutcomes: Readonly<Record<string, readonly string[]>> = {
  exhausted: ["accept", "continue", "reject"],
  stuck: ["accept", "continue", "reject"],
  unsure: ["trust", "again", "reject"],
  dispute: ["waive", "uphold"],
  "tie-break": ["waive", "fix"],
};
const reserved = ["$cancel", "$resume"];

/** Checks the document, fills in `${bubble.…}` values and returns the program the bubble is pinned to. */
export function loadWorkflow(document: unknown, config: BubbleConfig): Loaded {
  const filled = interpolate(document, { bubble: config });
  if (!filled.ok) return filled;
  const normal = normalise(filled.value);
  const parsed = v.safeParse(Program, normal);
  if (!parsed.success) {
    return {
      ok: false,
      problems: parsed.issues.map((issue) => ({
        path: (issue.path ?? []).map((item) => item.key as string | number),
        message: issue.message,
      })),
    };
  }
  const problems = checkProgram(parsed.output);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, program: parsed.output };
}

/** A route may be written as a bare step name; `description` is for people. */
function normalise(document: unknown): unknown {
  if (
    typeof document !== "object" ||
    document === null ||
    !("steps" in document) ||
    !Array.isArray(document.steps)
  )
    return document;
  const { description: _for_people, ...rest } = document as Record<string, unknown>;
  return { ...rest, steps: document.steps.map((step: unknown) => normaliseStep(step)) };
}

function normaliseStep(step: unknown): unknown {
  if (typeof step !== "object" || step === null) return step;
  const on = (step as { on?: unknown }).on ?? {};
  if (typeof on !== "object" || on === null) return step;
  const routes = Object.entries(on).map(([outcome, route]) => [
    outcome,
    typeof route === "string" ? { to: route } : route,
  ]);
  return { ...step, on: Object.fromEntries(routes) };
}

function checkProgram(program: Program): Problem[] {
  const names = program.steps.map((step) => step.name);
  return [
    ...duplicates(names),
    ...unknownStart(program, names),
    ...program.steps.flatMap((step, i) => checkStep(step, i, names)),
    ...unreachable(program),
    ...unsound(program),
  ];
}

function duplicates(names: readonly string[]): Problem[] {
  return names.flatMap((name, i) =>
    names.indexOf(name) === i
      ? []
      : [{ path: ["steps", i, "name"], message: `two steps are called ${name}` }],
  );
}

function unknownStart(program: Program, names: readonly string[]): Problem[] {
  const unknown = (path: string[], name: string): Problem[] =>
    names.includes(name) ? [] : [{ path, message: `no step is called ${name}${nearest(name, names)}` }];
  return [...unknown(["start"], program.start), ...unknown(["loop", "exhausted"], program.loop.exhausted)];
}

function unknownDuties(duties: readonly string[], i: number): Problem[] {
  return duties.flatMap((duty, at) =>
    dutyNames.includes(duty)
      ? []
      : [
          {
            path: ["steps", i, "duties", at],
            message: `there is no duty ${duty}${nearest(duty, dutyNames)}`,
          },
        ],
  );
}

function checkStep(step: Step, i: number, names: readonly string[]): Problem[] {
  const problems: Problem[] = [];
  if (step.kind === "check" && !checks[step.check])
    problems.push({
      path: ["steps", i, "check"],
      message: `there is no check ${step.check}${nearest(step.check, Object.keys(checks))}`,
    });
  if (step.kind === "question" && !questions[step.ask])
    problems.push({
      path: ["steps", i, "ask"],
      message: `there is no question ${step.ask}${nearest(step.ask, Object.keys(questions))}`,
    });
  if (step.kind === "turn") problems.push(...unknownDuties(step.duties ?? [], i));
  const wanted: readonly string[] = outcomes[step.kind](step);
  for (const outcome of wanted) {
    if (!step.on[outcome])
      problems.push({ path: ["steps", i, "on"], message: `step ${step.name} has no route for ${outcome}` });
  }
  for (const [outcome, route] of Object.entries(step.on)) {
    if (!wanted.includes(outcome))
      problems.push({
        path: ["steps", i, "on", outcome],
        message: `step ${step.name} never ends with ${outcome}${nearest(outcome, wanted)}`,
      });
    problems.push(...checkRoute(step, route, ["steps", i, "on", outcome], names));
  }
  return problems;
}

function checkRoute(
  step: Step,
  route: Route,
  path: (string | number)[],
  names: readonly string[],
): Problem[] {
  if (reserved.includes(route.to))
    return step.kind === "question"
      ? []
      : [{ path, message: `${route.to} is only for questions to a human` }];
  return names.includes(route.to)
    ? []
    : [{ path, message: `no step is called ${route.to}${nearest(route.to, names)}` }];
}

function unreachable(program: Program): Problem[] {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const step = program.steps.find((candidate) => candidate.name === name);
    for (const route of Object.values(step?.on ?? {})) visit(route.to);
  };
  visit(program.start);
  visit(program.loop.exhausted);
  return program.steps.flatMap((step, i) =>
    reached.has(step.name)
      ? []
      : [{ path: ["steps", i, "name"], message: `step ${step.name} can never be reached` }],
  );
}
