// A program for people: each step, who it needs, and where every outcome leads; as a list, a tree and a Mermaid graph.
import type { Program, Route, Step } from "../model/program.ts";

export interface StepView {
  readonly name: string;
  readonly kind: Step["kind"];
  /** Who or what the step is about, in a few words. */
  readonly about: string;
  readonly routes: readonly RouteView[];
}

export interface RouteView {
  readonly outcome: string;
  readonly to: string;
  /** What changes on the way: a new round, roles swapped. */
  readonly marks: readonly string[];
}

/** Every step in the order of the workflow. */
export function stepViews({ steps }: Program): StepView[] {
  return steps.map((step) => ({
    name: step.name,
    kind: step.kind,
    about: aboutOf(step),
    routes: Object.entries(step.on).map(([outcome, route]) => ({
      outcome,
      to: route.to,
      marks: marksOf(route),
    })),
  }));
}

function aboutOf(step: Step): string {
  if (step.kind === "turn") {
    const duties = step.duties ? `, duties ${step.duties.join(", ")}` : "";
    return `${step.role}, ${step.session} session, answers with ${step.answer}${duties}`;
  }
  if (step.kind === "check") return step.check;
  return step.kind === "question" ? `asks a human: ${step.ask}` : "";
}

function marksOf({ round, roles }: Route): string[] {
  return [...(round === "next" ? ["new round"] : []), ...(roles === "swap" ? ["roles swap"] : [])];
}

/** The steps as a tree from the first one on; what was drawn before is only named. */
export function treeLines(program: Program): string[] {
  const steps = new Map(stepViews(program).map((step) => [step.name, step]));
  const drawn = new Set<string>();
  const draw = (name: string, indent: string): string[] => {
    const step = steps.get(name);
    if (!step || drawn.has(name)) return [];
    drawn.add(name);
    return step.routes.flatMap(({ outcome, to, marks }, i) => {
      const isLast = i === step.routes.length - 1;
      const again = steps.has(to) && drawn.has(to) ? " ↑" : "";
      const noted = marks.length > 0 ? `  (${marks.join(", ")})` : "";
      const line = `${indent}${isLast ? "└─" : "├─"} ${outcome} ─▶ ${to}${again}${noted}`;
      return [line, ...draw(to, `${indent}${isLast ? "   " : "│  "}`)];
    });
  };
  const held = [program.loop.exhausted].filter((name) => steps.has(name));
  const main = [program.start, ...draw(program.start, "")];
  return [
    ...main,
    ...held.flatMap((name) => (drawn.has(name) ? [] : [`${name}  (all rounds used)`, ...draw(name, "")])),
  ];
}

const shapes: Readonly<Record<Step["kind"], readonly [string, string]>> = {
  turn: ["[", "]"],
  gates: ["[[", "]]"],
  check: ["{", "}"],
  question: ["([", "])"],
  approval: ["([", "])"],
};

/** The program as a Mermaid flowchart, for pages and pull requests. */
export function mermaid(program: Program): string {
  const views = stepViews(program);
  const ends = [...new Set(views.flatMap(({ routes }) => routes.map(({ to }) => to)))].filter((to) =>
    to.startsWith("$"),
  );
  return [
    "flowchart TD",
    ...views.map(({ name, kind }) => `  ${idOf(name)}${shapes[kind].join(`"${name}"`)}`),
    ...ends.map((end) => `  ${idOf(end)}(("${end.slice(1)}"))`),
    ...views.flatMap(({ name, routes }) =>
      routes.map(
        ({ outcome, to, marks }) => `  ${idOf(name)} -->|"${[outcome, ...marks].join(", ")}"| ${idOf(to)}`,
      ),
    ),
    `  ${idOf(program.loop.exhausted)} -.- limit>"${program.loop.max_rounds} rounds used"]`,
  ].join("\n");
}

/** Mermaid has words of its own, such as end, and knows neither dashes nor dollars in names. */
const idOf = (name: string) => `s_${name.replace(/[^A-Za-z0-9]/g, "_")}`;
