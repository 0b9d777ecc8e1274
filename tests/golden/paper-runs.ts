// One run of each built-in workflow that begins with papers: a plan, tasks or a refinement is objected to once where it has
// a critic, then passed, and what comes of it is played to its end.
import {
  builds,
  cast,
  hands,
  objects,
  papersFolder,
  passes,
  plan,
  task,
  tasks,
  verdict,
} from "../plans/scene.ts";

const id = "run";

/** How a run ends: signed and committed, over without anything to sign, or continued by another bubble. */
export type End = "signed" | "done" | { readonly routedTo: string };

export interface PaperRun {
  readonly agents: Readonly<Record<string, readonly unknown[]>>;
  readonly config: string;
  readonly workflow: string;
  readonly payload: object;
  readonly replies?: readonly (readonly string[])[];
  readonly end: End;
}

const roles = {
  "requirements-gatherer": "planner",
  planner: "planner",
  architect: "planner",
  "plan-reviewer": "critic",
  "code-reviewer": "critic",
  sonnet: "critic",
  opus: "critic",
  codex: "gate",
  implementer: "dev",
  developer: "dev",
  integrator: "dev",
  reviewer: "rev",
};
const nobody = [{ steps: [{ say: "nobody should ask me" }] }];
const played = (agents: PaperRun["agents"]) => ({
  agents: { planner: nobody, critic: nobody, gate: nobody, dev: nobody, rev: nobody, ...agents },
  config: cast(roles),
});

const slug = "totals";
const fixed = [{ id: "F1", status: "fixed", reason: "it is said now" }];
const cart = { file: "src/cart.txt", quote: "total: 1.07" };
const rate = { file: "src/rate.txt", quote: "rate: 7" };
const inFile = (kind: string, line: number, quote: string) => ({
  file: `${papersFolder}/${kind}.json`,
  line,
  quote,
});

const refinement = (change: string) => ({
  diagnosis: "The total is told without its rate",
  change,
  task: {
    description: "Tell the total with tax in src/cart.txt",
    files: ["src/cart.txt"],
    // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
    criteria: [{ given: "the shop", when: "the cart is read", then: "it tells 1.07" }],
  },
});

/** A task that came back: its boundaries or its design are fixed, and plan-and-execute begins again. */
const refining = (workflow: string): PaperRun => {
  const next = `${id}-plan-and-execute`;
  return {
    ...played({
      planner: [hands(refinement("Some rate")), hands(refinement("The rate of 7 is part of it"))],
      critic: [
        objects({ ...inFile("refinement", 3, "Some rate"), title: "Which rate is not said" }),
        passes({ ...inFile("refinement", 3, "The rate of 7"), prior: fixed, criteria: [] }),
      ],
      dev: [builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: next })],
      rev: [verdict(cart, { bubble: next })],
    }),
    workflow,
    payload: { original_task_id: "totals.t1", feedback: "its boundaries are wrong" },
    end: { routedTo: next },
  };
};

const part = (name: string, description: string, file: string, after: string[] = []) => {
  const { covers: _covers, ...rest } = task(name, description, [file], { depends_on: after });
  return rest;
};

const split = (change: string) => ({
  diagnosis: "The rate and the total are two things",
  change,
  tasks: [
    part("rate", "Write the rate down in src/rate.txt", "src/rate.txt"),
    part("total", "Tell the total in src/cart.txt by the rate", "src/cart.txt", ["rate"]),
  ],
});

/** A look at both files, as evidence for the criteria where there are any. */
const whole = (total: object, written: object) => ({
  checked: [
    { ...total, ...cart, line: 1, why: "1.07 is the sum with seven percent" },
    { ...written, ...rate, line: 1, why: "the file holds the rate of seven" },
  ],
});

const story = {
  title: "Totals with tax",
  requirements: { functional: ["the total is told with tax"], non_functional: [], constraints: [] },
  acceptance_criteria: [
    // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
    { id: "AC1", scenario: "a total", given: "a cart", when: "it is summed", then: "tax is in it" },
  ],
  scope: { in_scope: ["src"], out_of_scope: [] },
  test_criteria: { commands: ["grep -q 1.07 src/cart.txt"] },
};

const refined = (rationale: string) => ({
  title: "Totals with tax",
  technical_approach: { pattern: "one line", rationale },
  steps: [
    {
      id: 1,
      phase: "implementation",
      file: "src/cart.txt",
      action: "modify",
      description: "tell it with tax",
    },
  ],
  files_to_modify: ["src/cart.txt"],
  files_to_create: [],
  test_plan: { commands: ["grep -q 1.07 src/cart.txt"] },
});

const planned = inFile("plan-refined", 3, "Totals with tax");

export const paperRuns: Readonly<Record<string, PaperRun>> = {
  explore: {
    ...played({ planner: [hands(plan())] }),
    workflow: "explore",
    payload: { topic: "Totals with tax", slug },
    end: "done",
  },
  "plan-tasks": {
    ...played({ planner: [hands(tasks)] }),
    workflow: "plan-tasks",
    payload: { slug, papers: { plan: plan() } },
    end: "done",
  },
  "plan-refinement": refining("plan-refinement"),
  "design-refinement": refining("design-refinement"),
  "task-decomposition": {
    ...played({
      planner: [hands(split("Two tasks")), hands(split("Each is a task of its own"))],
      critic: [
        objects({ ...inFile("decomposition", 3, "Two tasks"), title: "Where it is cut is not said" }),
        passes({ ...inFile("decomposition", 3, "Each is a task"), prior: fixed, criteria: [] }),
      ],
      dev: [
        builds({ "src/rate.txt": "rate: 7\n" }, { bubble: `${id}-rate` }),
        builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: `${id}-total` }),
      ],
      rev: [
        verdict(rate, { bubble: `${id}-rate` }),
        verdict(cart, { bubble: `${id}-total` }),
        verdict({ ...cart, over: whole({}, {}) }),
      ],
    }),
    workflow: "task-decomposition",
    payload: { original_task_id: "totals.t1", feedback: "too big" },
    end: "signed",
  },
  auto: {
    ...played({
      planner: [hands(plan({ title: "Totals" })), hands(plan()), hands(tasks)],
      critic: [
        objects({ ...inFile("plan", 2, "Totals"), title: "The title does not say which totals" }),
        passes({ ...inFile("plan", 2, "Totals with tax"), prior: fixed }),
      ],
      dev: [
        builds({ "src/rate.txt": "rate: 7\n" }, { bubble: `${id}-t1` }),
        builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: `${id}-t2` }),
      ],
      rev: [
        verdict(rate, { bubble: `${id}-t1` }),
        verdict(cart, { bubble: `${id}-t2` }),
        verdict({ ...cart, over: whole({ for: ["C1"] }, { for: ["C2"] }) }),
      ],
    }),
    workflow: "auto",
    payload: { topic: "Totals with tax", slug },
    end: "signed",
  },
  pipeline: {
    ...played({
      planner: [
        hands(story),
        hands(refined("a draft")),
        hands(refined("looked up")),
        hands(refined("as the gate asked")),
      ],
      critic: [
        passes(planned),
        passes(planned),
        passes({ ...planned, prior: fixed }),
        passes(planned),
        passes(cart),
        passes(cart),
      ],
      gate: [
        objects({ ...inFile("plan-refined", 6, "looked up"), title: "The rationale says nothing" }),
        passes(planned),
        passes(cart),
      ],
      dev: [
        builds({ "src/cart.txt": "total: 1.19\n" }, {}, "tried"),
        builds({ "src/cart.txt": "total: 1.07\n" }, {}, "done <promise>IMPLEMENTATION_COMPLETE</promise>"),
      ],
    }),
    workflow: "pipeline",
    payload: { request: "Totals with tax" },
    replies: [["--choose", "approve", "--message", "these are they"]],
    end: "signed",
  },
};
