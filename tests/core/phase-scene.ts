// Workflows with phases and with chains of critics that continue, in memory: wim works, pat plans, ann and ben and cleo judge.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Gate } from "../../src/core/model/gate.ts";
import type { Program } from "../../src/core/model/program.ts";
import type { NewFinding } from "../../src/core/model/review/finding.ts";
import type { ChainProgress } from "../../src/core/model/run.ts";
import type { State } from "../../src/core/model/state.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { configOf, testGate } from "./pair.ts";
import { exampleOf } from "./paper-scene.ts";

export const cast = {
  planner: "pat",
  worker: "wim",
  judge: "ann",
  critic: "ann",
  first: "ann",
  second: "ben",
  gate: "cleo",
};

type Payload = Readonly<Record<string, unknown>>;
type Config = NonNullable<Parameters<typeof configOf>[0]>;

export interface Setting {
  readonly payload?: Payload;
  readonly config?: Config;
  readonly gates?: readonly Gate[];
}

export function programOf(source: unknown, { payload = {}, config = {} }: Setting = {}): Program {
  const loaded = loadWorkflow(source, configOf({ agents: cast, ...config }), payload);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems, null, 2));
  return loaded.program;
}

/** A bubble that runs this workflow (YAML or values), at its first step. */
export function running(source: unknown, setting: Setting = {}): Scenario {
  const document = typeof source === "string" ? parse(source) : source;
  const config = configOf({ agents: cast, ...setting.config });
  const program = programOf(document, setting);
  return createScenarioBubble({ config, program, gates: setting.gates ?? [testGate] }).started();
}

/** A built-in workflow by its name. */
export const builtIn = (name: string): unknown =>
  parse(readFileSync(resolve(import.meta.dirname, `../../workflows/${name}.yaml`), "utf8"));

interface Chain {
  readonly names?: readonly string[];
  readonly rounds?: number;
  readonly attempts?: number | string;
  /** The worker must say that it is complete. */
  readonly promised?: boolean;
}

/** One phase: the worker, gates, and a chain of critics that continues after an objection. */
export const chainWorkflow = ({
  names = ["first", "second", "gate"],
  rounds = 3,
  attempts,
  promised,
}: Chain) => `
phases:
  build:
    producer: worker
    critic: judge
    chain: ${JSON.stringify(names)}
    chain_order: go_on
    max_rounds: ${rounds}
    ${attempts === undefined ? "" : `max_attempts: ${JSON.stringify(attempts)}`}
    exhausted: exceeded
start: work
steps:
  - { name: work, phase: build, kind: turn, role: worker, session: resumed, answer: handoff,
      on: { success: gates, refused: work } }
  - { name: gates, phase: build, kind: gates,
      on: { success: ${promised ? "promise" : "check"}, fail: { to: work, round: next } } }
${
  promised
    ? `  - { name: promise, phase: build, kind: branch, if: producer.promised == true,
      on: { yes: check, no: { to: work, round: next } } }`
    : ""
}
  - { name: check, phase: build, kind: check, check: chain,
      on: { gates: gates, review: review, unsure: unsure, dispute: dispute, revise: { to: work, round: next },
            stuck: stuck, passed: approval } }
  - { name: review, phase: build, kind: turn, role: judge, session: fresh, answer: findings,
      on: { success: check, refused: review } }
  - { name: unsure, phase: build, kind: question, ask: unsure, on: { trust: check, again: review, reject: $cancel } }
  - { name: dispute, phase: build, kind: question, ask: dispute, on: { waive: check, uphold: { to: work, round: next } } }
  - { name: stuck, phase: build, kind: question, ask: stuck,
      on: { accept: approval, continue: { to: work, round: next }, reject: $cancel } }
  - { name: exceeded, phase: build, kind: question, ask: exhausted,
      on: { accept: approval, continue: $resume, reject: $cancel } }
  - { name: approval, kind: approval, on: {} }
`;

export const chained = (chain: Chain = {}, setting: Setting = {}): Scenario =>
  running(chainWorkflow(chain), setting);

/** A defect that stops everything; each has a title of its own. */
export const defect = (title: string): NewFinding => ({
  severity: "P1",
  title,
  file: "src/cart.ts",
  line: 3,
  evidence: "sum += price",
});

export const objects = (scene: Scenario, title = `defect ${scene.state.seq}`): Scenario =>
  scene.judges({ findings: [defect(title)] });

export const passes = (scene: Scenario): Scenario => scene.judges();

/** The chain of the phase that is worked on. */
export function chainOf({ tasks = {} }: State, phase = "build"): ChainProgress {
  return tasks[phase]?.chain ?? { next: 0, restarts: 0, passed: {} };
}

/** Hands in a paper: the example of its kind, with what is said otherwise. */
export function handsIn(
  scene: Scenario,
  kind: string,
  more: object = {},
  tree = `${kind}-${scene.state.seq}`,
): Scenario {
  const ready = scene.turn.status === "due" ? scene.turnStarts() : scene;
  const code = ready.state.tree?.paper?.code ?? ready.state.tree?.id ?? "T0";
  return ready.does(ready.pass({ paper: { ...exampleOf(kind), ...more } })).handsOver(tree, {
    paper: { kind, code },
    files: [{ path: `.pairflow/papers/${kind}.json`, status: "added", added: 9, removed: 0 }],
  });
}

/** A plan that two critics judge, a person's word about it, then the work with gates and two critics. */
export const twoPhases = ({ planRounds = 2, buildRounds = 2 } = {}) => `
phases:
  plan:
    producer: planner
    critic: critic
    chain: [first, gate]
    chain_order: go_on
    max_rounds: ${planRounds}
    exhausted: plan_exceeded
  build:
    title: The work
    producer: worker
    critic: judge
    chain: [first, gate]
    chain_order: go_on
    max_rounds: ${buildRounds}
    max_attempts: 3
    exhausted: build_exceeded
start: has_plan
steps:
  - { name: has_plan, kind: branch, if: papers.plan.title != "", on: { yes: sign, no: draft } }
  - { name: draft, phase: plan, kind: turn, role: planner, session: resumed, answer: paper, paper: plan,
      on: { success: plan_check, refused: draft } }
  - { name: plan_check, phase: plan, kind: check, check: chain,
      on: { gates: plan_review, review: plan_review, unsure: plan_unsure, dispute: plan_dispute,
            revise: { to: draft, round: next }, stuck: plan_stuck, passed: sign } }
  - { name: plan_review, phase: plan, kind: turn, role: critic, session: fresh, answer: findings,
      on: { success: plan_check, refused: plan_review } }
  - { name: plan_unsure, phase: plan, kind: question, ask: unsure, on: { trust: plan_check, again: plan_review, reject: $cancel } }
  - { name: plan_dispute, phase: plan, kind: question, ask: dispute, on: { waive: plan_check, uphold: { to: draft, round: next } } }
  - { name: plan_stuck, phase: plan, kind: question, ask: stuck,
      on: { accept: sign, continue: { to: draft, round: next }, reject: $cancel } }
  - { name: plan_exceeded, phase: plan, kind: question, ask: exhausted, on: { accept: sign, continue: $resume, reject: $cancel } }
  - { name: sign, kind: question, ask: sign-off, text: "\${papers.plan.title}?",
      on: { approve: work, rework: { to: draft, round: next }, reject: $cancel } }
  - { name: work, phase: build, kind: turn, role: worker, session: resumed, answer: handoff, on: { success: gates, refused: work } }
  - { name: gates, phase: build, kind: gates, on: { success: check, fail: { to: work, round: next } } }
  - { name: check, phase: build, kind: check, check: chain,
      on: { gates: gates, review: review, unsure: unsure, dispute: dispute, revise: { to: work, round: next },
            stuck: stuck, passed: approval } }
  - { name: review, phase: build, kind: turn, role: judge, session: fresh, answer: findings, on: { success: check, refused: review } }
  - { name: unsure, phase: build, kind: question, ask: unsure, on: { trust: check, again: review, reject: $cancel } }
  - { name: dispute, phase: build, kind: question, ask: dispute, on: { waive: check, uphold: { to: work, round: next } } }
  - { name: stuck, phase: build, kind: question, ask: stuck,
      on: { accept: approval, continue: { to: draft, round: next }, reject: $cancel } }
  - { name: build_exceeded, phase: build, kind: question, ask: exhausted, on: { accept: approval, continue: $resume, reject: $cancel } }
  - { name: approval, kind: approval, on: {} }
`;

/** The plan is handed in and passed by both critics: a person is asked about it. */
export const planned = (scene: Scenario = running(twoPhases())): Scenario =>
  passes(passes(handsIn(scene, "plan")));

/** The person has said yes: the work has begun. */
export const building = (scene?: Scenario): Scenario => planned(scene).replies({ choice: "approve" });
