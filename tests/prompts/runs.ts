// The built-in workflows as the prompts of their roles are taken from them: who plays which role, what each run is started
// with, and what goes wrong in it.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { serializeKnowledge } from "../../src/core/knowledge/knowledge.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { configOf, testGate } from "../core/pair.ts";
import { exampleOf } from "../core/paper-scene.ts";
import { type Moment, type Played, play, type Script } from "./play.ts";
import { knowledge, sha256 } from "./world.ts";

const folder = resolve(import.meta.dirname, "../../workflows");

/** Names of the workflows that are shipped. */
export const builtIns: readonly string[] = readdirSync(folder).map((file) =>
  file.replace(/\.(?:yaml|json)$/, ""),
);

const documentOf = (name: string): unknown => {
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}.`)) ?? "";
  return parse(readFileSync(`${folder}/${file}`, "utf8"));
};

const agents = {
  implementer: "claude",
  reviewer: "codex",
  developer: "claude",
  integrator: "claude",
  "requirements-gatherer": "claude",
  planner: "claude",
  architect: "claude",
  "plan-reviewer": "codex",
  "code-reviewer": "codex",
  sonnet: "sonnet",
  opus: "opus",
  codex: "codex",
  judge: "gemini",
  driver: "claude",
  challenger: "codex",
  coder: "claude",
  agent: "claude",
};

export interface Run extends Script {
  /** The workflow, where the run has another name. */
  readonly workflow?: string;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly config?: Parameters<typeof configOf>[0];
  readonly criteria?: readonly string[];
  /** Rules of the project apply. */
  readonly hasKnowledge?: boolean;
  /** A document that is not shipped, for roles that only such workflows have. */
  readonly document?: unknown;
}

const criteria = ["The discount is taken off before the tax", "A cart without items totals 0"];
const routed = {
  original_task_id: "totals.t1",
  feedback: "Rounding belongs to another module; this task cannot reach it.",
  plan_slug: "totals",
};

/** What each built-in workflow is started with. */
export const runs: Readonly<Record<string, Run>> = {
  pair: { criteria },
  document: { criteria: [], config: { kind: "document" } as Run["config"] },
  paired: { criteria },
  review: { criteria },
  "plan-and-execute": {
    criteria: [],
    hasKnowledge: true,
    payload: {
      task_id: "totals.t1",
      slug: "totals",
      task_description: "Take the discount off before the tax",
      acceptance_criteria: "- The discount is taken off before the tax",
      constraints: "Change nothing outside src/",
      model: "",
    },
  },
  pipeline: { payload: { request: "Discounts before tax" } },
  "pipeline-simple": {
    workflow: "pipeline",
    payload: {
      request: "Discounts before tax",
      papers: {
        "user-story": exampleOf("user-story"),
        "plan-refined": { ...exampleOf("plan-refined"), implementation: { mode: "simple" } },
      },
    },
  },
  explore: { payload: { topic: "Discounts before tax", slug: "totals" } },
  "plan-tasks": { payload: { slug: "totals", papers: { plan: exampleOf("plan") } } },
  "plan-refinement": { payload: routed },
  "design-refinement": { payload: routed },
  "task-decomposition": { payload: routed, conflict: true },
  auto: { payload: { topic: "Discounts before tax", slug: "totals" }, conflict: true },
};

/** Roles that no shipped workflow has, and that people's workflows get: their prompts are kept too. */
export const others: Readonly<Record<string, Run>> = {
  "tasks-of-your-own": {
    criteria,
    document: {
      tasks: {
        sketch: { agent: "implementer", description: "Sketch the change" },
        work: {
          agent: "implementer",
          description: "Make the change",
          depends_on: ["sketch"],
          overlays: {
            paired_workflow: {
              enabled: true,
              driver_agent: "implementer",
              challenger_agent: "reviewer",
              role_switch: "checkpoint",
              checkpoints: "claim",
              max_iterations: 5,
            },
            confidence_loop: { enabled: true, threshold: 0.85, judge_agent: "judge" },
          },
        },
      },
    },
  },
};

export function begin(
  name: string,
  { workflow = name, payload = {}, config = {}, criteria: wanted = [], hasKnowledge, document }: Run,
): Scenario {
  const settings = configOf({ agents, workflow, review: {}, ...config });
  const loaded = loadWorkflow(document ?? documentOf(workflow), settings, payload, workflow);
  if (!loaded.ok) throw new Error(`${name}: ${JSON.stringify(loaded.problems, null, 2)}`);
  const pinned = { artifact: "knowledge.json", sha256: sha256(serializeKnowledge(knowledge)), sops: 1 };
  const known = hasKnowledge ? { knowledge: pinned } : {};
  return createScenarioBubble({
    config: settings,
    program: loaded.program,
    gates: [testGate],
    criteria: wanted,
    ...known,
  }).started();
}

const played = new Map<string, Played>();

/** A run, played once. */
export function playedRun(name: string, run: Run): Played {
  const known = played.get(name) ?? play(begin(name, run), run);
  played.set(name, known);
  return known;
}

export const momentsOf = (name: string, run: Run): readonly Moment[] => playedRun(name, run).moments;

/** The turns whose prompts are kept: three of each agent; of a chain of critics the first and the gate. */
export const keptMoments = (name: string, run: Run): Moment[] =>
  momentsOf(name, run).filter(({ agent, visit }) => visit <= 3 && agent !== "opus");

/** Every turn of a program, as its step and its role. */
export const rolesOf = ({ state }: Scenario): string[] =>
  state.program.steps.flatMap((step) => (step.kind === "turn" ? [`${step.name} ${step.role}`] : []));
