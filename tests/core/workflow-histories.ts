// Workflows whose random histories are played in memory, and how one is played.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { evolve } from "../../src/core/bubble/evolve.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Program } from "../../src/core/model/program.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { submitCommand } from "../../src/testing/given.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { configOf, testGate } from "./pair.ts";
import { type Dice, dice, nextCommand } from "./walk.ts";
import { loaded } from "./workflow-written.ts";

const subtasks = `
tasks:
  design:
    agent: implementer
    subtasks: [the model, the interface]
    outputs: [docs/design.md]
    overlays:
      paired_workflow: { enabled: true, challenger_agent: reviewer, role_switch: subtask, max_iterations: 4 }
      confidence_loop: { enabled: true, threshold: 0.9 }
  build:
    agent: reviewer
    depends_on: [design]
    overlays:
      hil: { enabled: true, requires_human: true }
`;

const chain = `
tasks:
  build:
    agent: implementer
    outputs: [docs/build.md]
    overlays:
      agentic_review: { enabled: true, reviewer_agent: [reviewer, gemini], max_iterations: 2 }
`;

const alone = `
tasks:
  risky:
    agent: implementer
    outputs: [docs/risky.md]
    overlays:
      agentic_review: { enabled: true, reviewer_agent: reviewer, max_iterations: 2 }
      policy_gate: { enabled: true, risk_tier: T2 }
      hil: { enabled: false }
  after:
    agent: reviewer
    depends_on: [risky]
  last:
    agent: implementer
    depends_on: [after]
`;

const checkpoints = `
tasks:
  build:
    agent: implementer
    overlays:
      paired_workflow: { enabled: true, challenger_agent: reviewer, role_switch: checkpoint, checkpoints: claim }
      confidence_loop: { enabled: true, threshold: 0.7, metrics: { gates: 1, judge: 1 }, judge_agent: gemini }
      policy_gate: { enabled: true, risk_tier: T1 }
`;

const sideBySide = `
max_concurrent: 2
join: { agent: implementer, reviewer: reviewer }
tasks:
  cart: { agent: implementer }
  shop: { agent: reviewer }
  docs: { agent: implementer, depends_on: [cart, shop] }
`;

const timed = `
steps:
  - { name: work, kind: turn, role: implementer, answer: handoff, session: resumed, timeout: 20m, on: { success: rest, refused: work, fail: sorry } }
  - { name: rest, kind: wait, seconds: 300, on: { done: context } }
  - { name: context, kind: context, on: { success: look, fail: sorry } }
  - { name: look, kind: turn, role: reviewer, answer: findings, session: fresh, on: { success: good, refused: look } }
  - { name: good, kind: branch, if: findings.blocking == 0, on: { yes: tell, no: { to: work, round: next } } }
  - { name: tell, kind: emit, event: looked, on: { done: more } }
  - { name: more, kind: start, workflow: other, on: { success: sign, fail: sorry } }
  - { name: sorry, kind: question, ask: stuck, on: { accept: sign, continue: { to: work, round: next }, reject: $cancel } }
  - { name: spent, kind: question, ask: exhausted, on: { accept: sign, continue: $resume, reject: $cancel } }
  - { name: sign, kind: approval, on: {} }
start: work
loop: { producer: implementer, critic: reviewer, max_rounds: 3, clean_passes: 1, role_switch: never, exhausted: spent }
id: timed
name: Timed
version: 1.0.0
`;

/** A plan as a paper, its commands as gates, then the work; both with chains of critics that continue. */
const phased = `
phases:
  plan:
    { producer: planner, critic: plan-reviewer, chain: [reviewer, gemini], chain_order: go_on, max_rounds: 2,
      exhausted: plan_spent }
  build:
    { producer: implementer, critic: reviewer, chain: [reviewer, gemini], chain_order: go_on, max_rounds: 2,
      max_attempts: 3, exhausted: build_spent }
start: draft
steps:
  - { name: draft, phase: plan, kind: turn, role: planner, answer: paper, paper: plan-refined, session: resumed,
      on: { success: plan_check, refused: draft } }
  - { name: plan_check, phase: plan, kind: check, check: chain,
      on: { gates: plan_look, review: plan_look, unsure: plan_unsure, dispute: plan_dispute,
            revise: { to: draft, round: next }, stuck: plan_stuck, passed: keep } }
  - { name: plan_look, phase: plan, kind: turn, role: plan-reviewer, answer: findings, session: fresh,
      on: { success: plan_check, refused: plan_look } }
  - { name: plan_unsure, phase: plan, kind: question, ask: unsure, on: { trust: plan_check, again: plan_look, reject: $cancel } }
  - { name: plan_dispute, phase: plan, kind: question, ask: dispute, on: { waive: plan_check, uphold: { to: draft, round: next } } }
  - { name: plan_stuck, phase: plan, kind: question, ask: stuck,
      on: { accept: keep, continue: { to: draft, round: next }, reject: $cancel } }
  - { name: plan_spent, phase: plan, kind: question, ask: exhausted, on: { accept: keep, continue: $resume, reject: $cancel } }
  - { name: keep, kind: plan, act: save, slug: totals, on: { kept: adopt, refused: unkept } }
  - { name: unkept, kind: question, ask: signal, on: { accept: adopt, continue: keep, reject: $cancel } }
  - { name: adopt, kind: adopt, on: { adopted: work, unapproved: commands } }
  - { name: commands, kind: question, ask: commands, on: { allow: adopt, refuse: { to: draft, round: next } } }
  - { name: work, phase: build, kind: turn, role: implementer, answer: handoff, session: resumed,
      on: { success: gates, refused: work } }
  - { name: gates, phase: build, kind: gates, on: { success: check, fail: { to: work, round: next } } }
  - { name: check, phase: build, kind: check, check: chain,
      on: { gates: gates, review: look, unsure: unsure, dispute: dispute, revise: { to: work, round: next },
            stuck: stuck, passed: sign } }
  - { name: look, phase: build, kind: turn, role: reviewer, answer: findings, session: fresh,
      on: { success: check, refused: look } }
  - { name: unsure, phase: build, kind: question, ask: unsure, on: { trust: check, again: look, reject: $cancel } }
  - { name: dispute, phase: build, kind: question, ask: dispute, on: { waive: check, uphold: { to: work, round: next } } }
  - { name: stuck, phase: build, kind: question, ask: stuck, on: { accept: sign, continue: { to: draft, round: next }, reject: $cancel } }
  - { name: build_spent, phase: build, kind: question, ask: exhausted, on: { accept: sign, continue: $resume, reject: $cancel } }
  - { name: sign, kind: approval, on: {} }
`;

/** The tasks of a paper as children, in waves, and what they made judged as a whole. */
const waves = `
phases:
  whole: { producer: implementer, critic: reviewer, chain: [reviewer], chain_order: go_on, max_rounds: 2, exhausted: spent }
start: work
steps:
  - { name: work, kind: children, from: tasks, workflow: other, on: { joined: work, conflict: torn, failed: lost, done: gates } }
  - { name: lost, kind: question, ask: child-failed, on: { continue: work, reject: $cancel } }
  - { name: torn, kind: question, ask: conflict, on: { turn: mend, reject: $cancel } }
  - { name: mend, phase: whole, kind: turn, role: implementer, answer: handoff, session: resumed, on: { success: work, refused: mend } }
  - { name: gates, phase: whole, kind: gates, on: { success: check, fail: { to: repair, round: next } } }
  - { name: check, phase: whole, kind: check, check: chain,
      on: { gates: gates, review: look, unsure: stuck, dispute: stuck, revise: { to: repair, round: next }, stuck: stuck, passed: sign } }
  - { name: look, phase: whole, kind: turn, role: reviewer, answer: findings, session: fresh, on: { success: check, refused: look } }
  - { name: repair, phase: whole, kind: turn, role: implementer, answer: handoff, session: resumed,
      on: { success: gates, refused: repair } }
  - { name: stuck, phase: whole, kind: question, ask: stuck, on: { accept: sign, continue: { to: repair, round: next }, reject: $cancel } }
  - { name: spent, phase: whole, kind: question, ask: exhausted, on: { accept: sign, continue: $resume, reject: $cancel } }
  - { name: sign, kind: approval, on: {} }
`;

const wavesPayload = {
  papers: {
    tasks: {
      tasks: [
        { id: "t1", description: "one", files: ["src/a.ts"] },
        { id: "t2", description: "two", files: ["src/b.ts"] },
        { id: "t3", description: "three", depends_on: ["t1"] },
      ],
    },
  },
};

const planned = (): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "../../workflows/plan-and-execute.json"), "utf8"));

const cast = {
  implementer: "alice",
  reviewer: "bob",
  developer: "alice",
  planner: "alice",
  "plan-reviewer": "bob",
  gemini: "gemini",
};

const programOf = (document: unknown, name: string): Program => ({
  ...loaded(document, name, { agents: cast }).program,
  ...(name === "waves" ? { payload: wavesPayload } : {}),
});

const documents: Readonly<Record<string, unknown>> = {
  subtasks,
  chain,
  alone,
  checkpoints,
  "side-by-side": sideBySide,
  timed,
  planned: planned(),
  phased,
  waves,
};

/** A created bubble of each workflow. */
export const beginnings: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(documents).map(([name, document]) => [
    name,
    createScenarioBubble({
      gates: [testGate],
      config: configOf({ agents: cast }),
      program: programOf(document, name),
    }),
  ]),
);

export interface Step {
  readonly before: State;
  readonly command: Command;
  readonly written: readonly Envelope[];
  readonly state: State;
}

export interface Played {
  readonly log: readonly Envelope[];
  readonly state: State;
  readonly steps: readonly Step[];
}

/** Plays the dice from a fresh bubble; time continues by up to ten minutes a command. */
export function playOut(name: string, rolls: readonly Dice[]): Played {
  const start = beginnings[name];
  if (!start) throw new Error(`no workflow ${name}`);
  const log: Envelope[] = [...start.log];
  const steps: Step[] = [];
  let state = start.state;
  let clock = Date.parse(start.at);
  for (const roll of rolls) {
    clock += (roll.b % 100) * 6000;
    const before = state;
    const command = nextCommand(before, roll);
    const { written } = submitCommand(log, before, command, new Date(clock).toISOString());
    log.push(...written);
    for (const envelope of written) state = evolve(state, envelope);
    steps.push({ before, command, written, state });
  }
  return { log, state, steps };
}

export const rolls = fc.array(dice, { minLength: 40, maxLength: 200, size: "max" });
