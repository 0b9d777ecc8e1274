// Programs that read well and cannot run: roles without a turn, a budget nobody is asked about, steps that lead to
// one another with nobody in between. Found when a workflow is loaded, never when a bubble is stuck in it.
import type { Program, Step } from "../model/program.ts";
import type { Problem } from "./problem.ts";

export function unsound(program: Program): Problem[] {
  return [
    ...loopRoles(program),
    ...budget(program),
    ...program.steps.flatMap((step, i) => restless(program, step, i)),
  ];
}

/** The loop's two roles have turns, which hand in what such a role hands in. */
function loopRoles({ loop, steps }: Program): Problem[] {
  const wanted = [
    { key: "producer", role: loop.producer, answer: "handoff" },
    { key: "critic", role: loop.critic, answer: "findings" },
  ];
  return wanted.flatMap(({ key, role, answer }) => {
    const turns = steps.flatMap((step, i) =>
      step.kind === "turn" && step.role === role ? [{ step, i }] : [],
    );
    if (turns.length === 0) return [{ path: ["loop", key], message: `no turn is the ${role}'s` }];
    return turns.flatMap(({ step, i }) =>
      step.answer === answer
        ? []
        : [{ path: ["steps", i, "answer"], message: `the ${key}'s turn answers with ${answer}` }],
    );
  });
}

/** A spent budget is a question to a human, entered by no other way; only there is a route held back to be resumed. */
function budget({ loop, steps }: Program): Problem[] {
  const asks = steps.some((step) => step.name === loop.exhausted && step.kind !== "question");
  const problems: Problem[] = asks
    ? [
        {
          path: ["loop", "exhausted"],
          message: `${loop.exhausted} is no question: reaching the limit is a human's decision`,
        },
      ]
    : [];
  const routes = steps.flatMap((step, i) =>
    Object.entries(step.on).map(([outcome, route]) => ({
      step,
      to: route.to,
      path: ["steps", i, "on", outcome],
    })),
  );
  for (const { step, to, path } of routes) {
    if (to === "$resume" && step.name !== loop.exhausted)
      problems.push({ path, message: `$resume is only for ${loop.exhausted}, where a route was held back` });
    if (to === loop.exhausted)
      problems.push({ path, message: `${to} is entered only when the rounds are used up` });
  }
  return problems;
}

/** A step that needs nobody and leads back to itself through others that need nobody either. */
function restless({ steps }: Program, start: Step, i: number): Problem[] {
  const seen = new Set<string>();
  const visit = (step: Step | undefined): void => {
    for (const next of step ? alone(step, steps) : []) {
      if (seen.has(next)) continue;
      seen.add(next);
      visit(steps.find((candidate) => candidate.name === next));
    }
  };
  visit(start);
  return seen.has(start.name)
    ? [
        {
          path: ["steps", i, "on"],
          message: `step ${start.name} leads back to itself with nobody in between`,
        },
      ]
    : [];
}

/** Where a step leads without an agent or a human. A check that finds gates red leads to gates that can only fail. */
function alone(step: Step, steps: readonly Step[]): string[] {
  if (step.kind === "gates") return Object.values(step.on).map((route) => route.to);
  if (step.kind !== "check") return [];
  return Object.entries(step.on).map(([outcome, route]) => {
    const target = steps.find((candidate) => candidate.name === route.to);
    return outcome === "gates" && target?.kind === "gates" ? (target.on.fail?.to ?? route.to) : route.to;
  });
}
