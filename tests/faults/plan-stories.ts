// Runs that begin with papers, for drivers to be killed in: the pipeline from its request to its signature, and a topic
// that becomes a plan, two tasks and one tree.
import { join } from "node:path";
import type { Rig } from "../acceptance/rig.ts";
import { configure } from "../cli/workflow-scene.ts";
import { builds, cast, hands, objects, papersFolder, passes, plan, tasks, verdict } from "../plans/scene.ts";
import type { Story } from "./whole-bubble.ts";

interface Entry {
  readonly steps: readonly object[];
}

type Turns = Readonly<Record<string, readonly Entry[]>>;

/** Each agent keeps count of its own turns in a file. */
function counting(tool: Rig, turns: Turns): Record<string, Entry[]> {
  const counts = (agent: string) => ({ run: `echo turn >> ${join(tool.folder, `turns-${agent}`)}` });
  return Object.fromEntries(
    Object.entries(turns).map(([agent, all]) => [
      agent,
      all.map((entry) => ({ ...entry, steps: [counts(agent), ...entry.steps] })),
    ]),
  );
}

function storyOf(roles: Readonly<Record<string, string>>, turns: Turns, more: Omit<Story, "prepare">): Story {
  return {
    prepare: (tool) => configure(tool, counting(tool, turns), cast(roles)),
    ...more,
  };
}

const userStory = {
  title: "Totals with tax",
  requirements: { functional: ["the total is told with tax"], non_functional: [], constraints: [] },
  acceptance_criteria: [
    // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
    { id: "AC1", scenario: "a total", given: "a cart", when: "it is summed", then: "tax is in it" },
  ],
  scope: { in_scope: ["src"], out_of_scope: [] },
  test_criteria: { commands: ["grep -q 1.07 src/cart.txt"] },
};

const refined = {
  title: "Totals with tax",
  technical_approach: { pattern: "one line", rationale: "it is one line already" },
  steps: [
    {
      id: 1,
      phase: "implementation",
      file: "src/cart.txt",
      action: "modify",
      description: "tell the total with tax",
    },
  ],
  files_to_modify: ["src/cart.txt"],
  files_to_create: [],
  test_plan: { commands: ["grep -q 1.07 src/cart.txt"] },
};

const planFile = `${papersFolder}/plan-refined.json`;
const promise = "<promise>IMPLEMENTATION_COMPLETE</promise>";
const cart = { file: "src/cart.txt", quote: "total: 1.07" };
const planned = { file: planFile, line: 2, quote: "Totals with tax" };

/** A question, an approval, an objection at the gate of the plan, a red test, a signature. */
export const pipelineRun = storyOf(
  {
    "requirements-gatherer": "ann",
    planner: "ann",
    implementer: "ben",
    "plan-reviewer": "sam",
    "code-reviewer": "sam",
    sonnet: "sam",
    opus: "sam",
    codex: "kim",
  },
  {
    ann: [
      { steps: [{ ask: { question: "Which rate?", options: ["7", "19"] } }, { paper: userStory }] },
      hands(refined),
      hands({ ...refined, technical_approach: { pattern: "one line", rationale: "looked up" } }),
      hands({ ...refined, technical_approach: { pattern: "one line", rationale: "as the gate asked" } }),
    ],
    ben: [
      builds({ "src/cart.txt": "total: 1.19\n" }, {}, "tried"),
      builds({ "src/cart.txt": "total: 1.07\n" }, {}, `done ${promise}`),
    ],
    sam: [
      passes(planned),
      passes(planned),
      passes({ ...planned, prior: [{ id: "F1", status: "fixed", reason: "the rationale is given now" }] }),
      passes(planned),
      passes(cart),
      passes(cart),
    ],
    kim: [
      objects({ file: planFile, line: 5, quote: "looked up", title: "The rationale says nothing" }),
      passes(planned),
      passes(cart),
    ],
  },
  {
    created: [
      ...["--task", "Totals with tax", "--test", "true", "--workflow", "pipeline"],
      ...["--set", "request=Totals with tax"],
    ],
    reply: (kind) =>
      kind === "agent" ? ["--message", "7"] : ["--choose", "approve", "--message", "these are they"],
  },
);

const whole = {
  checked: [
    {
      for: ["C1", "C2"],
      file: "src/cart.txt",
      line: 1,
      quote: "total: 1.07",
      why: "1.07 is the sum with seven percent",
    },
    {
      for: ["C1", "C2"],
      file: "src/rate.txt",
      line: 1,
      quote: "rate: 7",
      why: "seven percent stand in this file",
    },
  ],
};

/** A topic, a plan that is passed, two tasks one after the other, and the whole. */
export const topicRun = storyOf(
  { planner: "ann", "plan-reviewer": "kim", developer: "ben", reviewer: "sam", integrator: "ben" },
  {
    ann: [hands(plan()), hands(tasks)],
    kim: [passes({ file: `${papersFolder}/plan.json`, line: 2, quote: "Totals with tax" })],
    ben: [
      builds({ "src/rate.txt": "rate: 7\n" }, { bubble: "*-t1" }),
      builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" }),
    ],
    sam: [
      verdict({ file: "src/rate.txt", quote: "rate: 7" }, { bubble: "*-t1" }),
      verdict(cart, { bubble: "*-t2" }),
      verdict({ ...cart, over: whole }),
    ],
  },
  {
    created: [
      ...["--task", "Totals with tax", "--test", "true", "--workflow", "auto"],
      ...["--set", "topic=Totals with tax", "--set", "slug=totals"],
    ],
  },
);
