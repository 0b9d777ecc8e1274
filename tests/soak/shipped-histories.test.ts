// Random histories of the workflows as they are shipped, the pipeline and the refinements among them: each leaves a log that
// folds, always owes something while it runs, and leaves a chain of critics only with this very tree passed by all.
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { evolve, fold } from "../../src/core/bubble/evolve.ts";
import { isFinal, mayMove } from "../../src/core/bubble/lifecycle.ts";
import { listRedGates } from "../../src/core/judge/convergence.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { listOpenBlocking } from "../../src/core/state/severity.ts";
import { findTask, getCurrentStep } from "../../src/core/state/workflow-position.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { explain } from "../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../src/core/views/history/timeline.ts";
import { submitCommand } from "../../src/testing/given.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { configOf, testGate } from "../core/pair.ts";
import { type Dice, nextCommand } from "../core/walk.ts";
import { rolls } from "../core/workflow-histories.ts";
import { loaded } from "../core/workflow-written.ts";

const histories = 500;
const hour = 3_600_000;
const folder = resolve(import.meta.dirname, "../../workflows");

const workers = ["implementer", "developer", "planner", "integrator", "architect", "requirements-gatherer"];
const critics = ["reviewer", "plan-reviewer", "code-reviewer", "sonnet", "opus"];
const cast = {
  ...Object.fromEntries(workers.map((role) => [role, "alice"])),
  ...Object.fromEntries(critics.map((role) => [role, "bob"])),
  codex: "gemini",
};

/** What each is started with, as the command or the bubble before it would. */
const payload = {
  topic: "Totals",
  slug: "totals",
  request: "Totals",
  settings: { plan_review_limit: 2, code_review_limit: 2, default_max_iterations: 3 },
  task: { id: "t1", description: "Totals", files: ["src/cart.ts"] },
  plan: { slug: "totals", mission: "Totals.\n\nSuccess criteria:\n- one\n- two" },
  feedback: "this is not one task",
};

function beginningOf(file: string): Scenario {
  const document = parse(readFileSync(resolve(folder, file), "utf8"));
  const { program } = loaded(document, file.replace(/\..*$/, ""), { agents: cast });
  const config = configOf({ agents: cast });
  return createScenarioBubble({ gates: [testGate], config, program: { ...program, payload } });
}

/** Whoever is done also promises so, now and then: only then the pipeline continues to its critics. */
function promising(command: Command, { b }: Dice): Command {
  if (command.type !== "pass" || command.summary !== "done" || b % 4 === 0) return command;
  return { ...command, summary: "done <promise>IMPLEMENTATION_COMPLETE</promise>" };
}

test.each(readdirSync(folder))("any history of %s holds together", { timeout: hour }, (file) => {
  const start = beginningOf(file);
  fc.assert(
    fc.property(rolls, (dice) => holds(start, dice)),
    { numRuns: histories, endOnFailure: true },
  );
});

function holds(start: Scenario, dice: readonly Dice[]): void {
  const log: Envelope[] = [...start.log];
  let state = start.state;
  let clock = Date.parse(start.at);
  for (const roll of dice) {
    clock += (roll.b % 100) * 6000;
    const command = promising(nextCommand(state, roll), roll);
    const { written } = submitCommand(log, state, command, new Date(clock).toISOString());
    for (const envelope of written) {
      log.push(envelope);
      const before = state;
      state = evolve(before, envelope);
      const moves = before.lifecycle === state.lifecycle || mayMove(before.lifecycle, state.lifecycle);
      expect(moves, `${before.lifecycle} → ${state.lifecycle}`).toBe(true);
      if (envelope.type === "STEP_ADVANCED" && envelope.payload.outcome === "passed") assertPassed(before);
    }
    assertOwed(state);
  }
  assertReplayed(log, state);
  explain(log);
  for (const envelope of log) buildTimelineRow(envelope);
  buildStatusView(state, { now: state.lastAt });
}

function assertOwed(state: State): void {
  const effects = listDueEffects(state);
  const keys = effects.map(({ key }) => key);
  expect(new Set(keys).size, `keys are unique: ${keys}`).toBe(keys.length);
  if (state.lifecycle === "WAITING_HUMAN") expect(state.questions.length).toBeGreaterThan(0);
  if (isFinal(state.lifecycle)) expect(keys.at(-1)).toBe("close");
  if (state.lifecycle !== "RUNNING") return;
  expect(state.questions).toEqual([]);
  const moving = effects.filter(({ kind }) => !["notify", "deliver", "pair-session", "clock"].includes(kind));
  expect(moving.length, `something is under way at ${state.position.step}`).toBeGreaterThan(0);
}

/** Each critic of the chain has passed this very tree, and nothing speaks against it. */
function assertPassed(state: State): void {
  if (!state.program.phases) return;
  const { loop, key } = findTask(state, getCurrentStep(state)?.task) ?? {};
  const passed = state.tasks?.[key ?? ""]?.chain?.passed ?? {};
  const chain = loop?.chain ?? [];
  expect(chain.map((_, i) => passed[String(i)])).toEqual(chain.map(() => state.tree?.id));
  expect(listOpenBlocking(state)).toEqual([]);
  expect(listRedGates(state)).toEqual([]);
}

/** From the whole log, and from a cache of its first half, comes the same. */
function assertReplayed(log: readonly Envelope[], state: State): void {
  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
  expect(fold(log)).toEqual(state);
  const half = Math.floor(log.length / 2);
  const cached = fold(log.slice(0, half));
  const again = fold(log.slice(half), cached && copy(cached));
  expect(again && copy(listDueEffects(copy(again)))).toEqual(copy(listDueEffects(state)));
}
