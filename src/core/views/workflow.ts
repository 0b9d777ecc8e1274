// A program for people: each step, who it needs, and where every outcome leads; as a list, a tree and a Mermaid graph.
import type { Loop, Program, ProgramTask, Route, Step } from "../model/program.ts";
import { describeSeconds } from "../model/value/time.ts";
import { getOutputFields } from "../workflow/catalogue.ts";

export interface StepView {
  readonly name: string;
  readonly kind: Step["kind"];
  /** Who or what the step is about, in a few words. */
  readonly about: string;
  /** What later steps can refer to: `steps.<name>.output.<field>`. */
  readonly gives: readonly string[];
  readonly routes: readonly RouteView[];
  readonly task?: string;
}

export interface RouteView {
  readonly outcome: string;
  readonly to: string;
  /** What changes on the way: a new round, roles swapped. */
  readonly marks: readonly string[];
}

/** Every step in the order of the workflow. */
export function buildStepViews({ steps }: Program): StepView[] {
  return steps.map((step) => ({
    name: step.name,
    kind: step.kind,
    about: [...listAbout(step), ...listLimits(step)].join(", "),
    gives: Object.keys(getOutputFields(step)),
    routes: Object.entries(step.on).map(([outcome, route]) => ({
      outcome,
      to: route.to,
      marks: listMarks(route),
    })),
    ...(step.task === undefined ? {} : { task: step.task }),
  }));
}

type About = { readonly [K in Step["kind"]]?: (step: Extract<Step, { kind: K }>) => string[] };

const about: About = {
  turn: ({ role, session, answer, duties }) => [
    role,
    `${session} session`,
    `answers with ${answer}`,
    ...(duties ? [`duties ${duties.join(", ")}`] : []),
  ],
  check: ({ check }) => [check],
  branch: (step) => [`if ${step.if}`],
  question: ({ ask }) => [`asks a human: ${ask}`],
  validate: ({ min_confidence }) =>
    min_confidence === undefined ? [] : [`at least ${Math.round(min_confidence * 100)} % sure`],
  start: ({ workflow }) => [`workflow ${workflow}`],
  plan: ({ act, slug }) => [act, slug],
  children: ({ children, from, workflow, wait, max_concurrent }) => [
    ...(from === undefined ? [] : [`each of the ${from} runs ${workflow}`]),
    ...(from === undefined
      ? [children.length > 0 ? children.map(({ key }) => key).join(" and ") : "the tasks that can run now"]
      : []),
    `waits for ${wait}`,
    `${max_concurrent} at a time`,
  ],
  emit: ({ event, result }) => [event, ...(result ? [`the run is ${result}`] : [])],
  wait: ({ seconds }) => [typeof seconds === "number" ? describeSeconds(seconds) : seconds],
  done: ({ status }) => [status],
};

const listAbout = (step: Step): string[] =>
  (about[step.kind] as ((step: Step) => string[]) | undefined)?.(step) ?? [];

/** What a step is about, in a few words beside its name. */
export function describeStepWords(step: Step): string {
  if (step.kind === "turn") return step.role;
  if (step.kind === "question") return "asks a human";
  if (step.kind === "approval") return "a human signs";
  return step.kind === "branch" ? "" : listAbout(step).join(", ");
}

const listLimits = ({ when, timeout_s }: Step): string[] => [
  ...(when === undefined ? [] : [`when ${when}`]),
  ...(timeout_s === undefined ? [] : [`at most ${describeSeconds(timeout_s)}`]),
];

export function listMarks({ round, roles }: Pick<Route, "round" | "roles">): string[] {
  return [...(round === "next" ? ["new round"] : []), ...(roles === "swap" ? ["roles swap"] : [])];
}

/** Tasks as a person wants to know them: who does what, and what is around it. */
export interface TaskView {
  readonly key: string;
  readonly title: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
}

export function buildTaskViews({ tasks = [] }: Program): TaskView[] {
  return tasks.map((task) => ({ key: task.key, title: task.title ?? "", facts: listFacts(task) }));
}

function listFacts(task: ProgramTask): [string, string][] {
  const { depends_on, roles, loop, confidence, policy, hil, subtasks, outputs } = task;
  const agents = Object.entries(roles).map(([role, agent]) => `${role} ${agent}`);
  const switching = task.role_switch ? [`roles switch by ${task.role_switch}`] : [];
  const overlay = [task.overlay ?? "no overlay", ...switching, describeLoop(loop)].join(", ");
  return [
    ["roles", agents.join(", ")],
    ["loop", overlay],
    ...listOptional("exit", loop.exit?.join(" · ")),
    ...listOptional("chain", loop.chain?.join(" → ")),
    ...listOptional("after", depends_on.join(", ")),
    ...listOptional("subtasks", subtasks?.join(" · ")),
    ...listOptional("score", confidence && describeScore(confidence)),
    ...listOptional("policy", policy?.tier),
    ...listOptional("outputs", outputs?.join(", ")),
    ...listOptional("hil", findHilWords(hil)),
  ];
}

const listOptional = (label: string, text: string | undefined): [string, string][] =>
  text === undefined || text === "" ? [] : [[label, text]];

const describeScore = ({ threshold, metrics, judge }: NonNullable<ProgramTask["confidence"]>) =>
  [
    `advisory, at least ${threshold}`,
    Object.entries(metrics)
      .map(([name, weight]) => `${name} ${weight}`)
      .join(" + "),
    ...(judge ? [`judged by ${judge}`] : []),
  ].join(", ");

function findHilWords({ enabled, requires_human }: ProgramTask["hil"]): string | undefined {
  if (!enabled) return "off: a task whose rounds are used up ends as not completed";
  return requires_human ? "a human signs" : undefined;
}

/** `at most 3 rounds, then exhausted`. */
export const describeLoop = ({ max_rounds, exhausted }: Loop): string =>
  `at most ${max_rounds} ${max_rounds === 1 ? "round" : "rounds"}, then ${exhausted}`;

/** Where a drawing begins, beside the first step: what no route leads to. */
function listRoots({ start, loop, tasks = [], steps }: Program): { name: string; why: string }[] {
  const names = new Set(steps.map((step) => step.name));
  const limits = [loop, ...tasks.map((task) => task.loop)].map(({ exhausted }) => exhausted);
  return [
    { name: start, why: "" },
    ...tasks.map(({ first, joins }) => ({ name: first, why: joins ? "after the children" : "next task" })),
    ...["children", "approval"].map((name) => ({ name, why: "behind the tasks" })),
    ...limits.map((name) => ({ name, why: "all rounds used" })),
  ].filter(({ name }) => names.has(name));
}

/** The steps as a tree from the first one on; what was drawn before is only named. */
export function renderStepTree(program: Program): string[] {
  const steps = new Map(buildStepViews(program).map((step) => [step.name, step]));
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
  return listRoots(program).flatMap(({ name, why }) =>
    drawn.has(name) ? [] : [why === "" ? name : `${name}  (${why})`, ...draw(name, "")],
  );
}

const shapes: Readonly<Record<Step["kind"], readonly [string, string]>> = {
  turn: ["[", "]"],
  gates: ["[[", "]]"],
  context: ["[[", "]]"],
  validate: ["[[", "]]"],
  check: ["{", "}"],
  branch: ["{", "}"],
  question: ["([", "])"],
  start: ["[/", "/]"],
  children: ["[[", "]]"],
  emit: ["[/", "/]"],
  plan: ["[(", ")]"],
  adopt: ["[[", "]]"],
  lock: ["[(", ")]"],
  wait: ["(", ")"],
  score: ["[[", "]]"],
  done: ["((", "))"],
  end: ["((", "))"],
  approval: ["([", "])"],
};

/** The program as a Mermaid flowchart, for pages and pull requests; each task is a box. */
export function renderMermaid(program: Program): string {
  const views = buildStepViews(program);
  const ends = [...new Set(views.flatMap(({ routes }) => routes.map(({ to }) => to)))].filter((to) =>
    to.startsWith("$"),
  );
  const node = ({ name, kind }: StepView) => `${getId(name)}${shapes[kind].join(`"${name}"`)}`;
  const boxes = (program.tasks ?? []).flatMap(({ key, title }) => [
    `  subgraph t_${key.replace(/[^A-Za-z0-9]/g, "_")}["${replaceQuotes(title ?? key)}"]`,
    ...views.filter(({ task }) => task === key).map((view) => `    ${node(view)}`),
    "  end",
  ]);
  const loops = program.tasks?.map(({ loop }) => loop) ?? [program.loop];
  return [
    "flowchart TD",
    ...boxes,
    ...views.filter(({ task }) => task === undefined).map((view) => `  ${node(view)}`),
    ...ends.map((end) => `  ${getId(end)}(("${end.slice(1)}"))`),
    ...views.flatMap(({ name, routes }) =>
      routes.map(
        ({ outcome, to, marks }) => `  ${getId(name)} -->|"${[outcome, ...marks].join(", ")}"| ${getId(to)}`,
      ),
    ),
    ...loops.map(({ exhausted, max_rounds }, i) => {
      const limit = i === 0 ? "limit" : `limit${i + 1}`;
      return `  ${getId(exhausted)} -.- ${limit}>"${max_rounds} rounds used"]`;
    }),
  ].join("\n");
}

const replaceQuotes = (text: string) => text.replaceAll('"', "'");

/** Mermaid has words of its own, such as end, and knows neither dashes nor dollars in names. */
const getId = (name: string) => `s_${name.replace(/[^A-Za-z0-9]/g, "_")}`;
