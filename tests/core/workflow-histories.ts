// Workflows whose random histories are played in memory, and how one is played.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { evolve } from "../../src/core/bubble/evolve.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Envelope } from "../../src/core/model/envelope.ts";
import type { Program } from "../../src/core/model/program.ts";
import type { State } from "../../src/core/model/state.ts";
import { submit } from "../../src/testing/given.ts";
import { bubble, type Scenario } from "../../src/testing/scenario.ts";
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

const planned = (): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, "../../workflows/plan-and-execute.json"), "utf8"));

const programOf = (document: unknown, name: string): Program =>
  loaded(document, name, { agents: { implementer: "alice", reviewer: "bob", developer: "alice" } }).program;

const documents: Readonly<Record<string, unknown>> = {
  subtasks,
  chain,
  alone,
  checkpoints,
  "side-by-side": sideBySide,
  timed,
  planned: planned(),
};

/** A created bubble of each workflow. */
export const beginnings: Readonly<Record<string, Scenario>> = Object.fromEntries(
  Object.entries(documents).map(([name, document]) => [
    name,
    bubble({
      gates: [testGate],
      config: configOf({
        agents: { implementer: "alice", reviewer: "bob", developer: "alice", gemini: "gemini" },
      }),
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

/** Plays the dice from a fresh bubble; time goes on by up to ten minutes a command. */
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
    const { written } = submit(log, before, command, new Date(clock).toISOString());
    log.push(...written);
    for (const envelope of written) state = evolve(state, envelope);
    steps.push({ before, command, written, state });
  }
  return { log, state, steps };
}

export const rolls = fc.array(dice, { minLength: 40, maxLength: 200, size: "max" });
