// The test commands of papers become gates of the run. Pairflow runs them itself, outside the agents' sandbox: what no
// human has approved is asked about first.

import { adoptTestCommands } from "../gates/test-commands.ts";
import type { StepRecord } from "../model/run.ts";
import type { State } from "../model/state.ts";
import type { DecisionBatch } from "./batch.ts";
import type { StepResult } from "./step-result.ts";

export function adoptCommands(batch: DecisionBatch): StepResult {
  const { state } = batch;
  const { gates, unapproved } = adoptTestCommands({
    story: state.papers?.["user-story"]?.value,
    plan: state.papers?.["plan-refined"]?.value,
    profile: state.profile.gates,
    approvedCommands: listAllowedCommands(state),
  });
  if (unapproved.length > 0)
    return {
      outcome: "unapproved",
      why: `no human has approved these commands: ${unapproved.join("; ")}`,
      output: { commands: unapproved },
    };
  const known = JSON.stringify(gates) === JSON.stringify(state.profile.gates);
  if (!known) batch.write("GATES_ADOPTED", { gates: [...gates], from: Object.keys(state.papers ?? {}) });
  return {
    outcome: "adopted",
    why: "the test commands of the plan are gates",
    output: { commands: gates.map(({ command }) => command) },
  };
}

/** The commands that a human has allowed when this run asked: an answer is to the question before it, and to no other. */
function listAllowedCommands(state: State): string[] {
  const { steps } = state.program;
  const asked = findNewest(state, (name) =>
    steps.some((step) => step.name === name && step.kind === "adopt"),
  );
  const answer = findNewest(state, (name) =>
    steps.some((step) => step.name === name && step.kind === "question" && step.ask === "commands"),
  );
  if (!asked || !answer || answer.seq < asked.seq || answer.output?.decision !== "allow") return [];
  const commands = asked.output?.commands;
  return Array.isArray(commands) ? commands.map(String) : [];
}

function findNewest({ steps = {} }: State, wanted: (name: string) => boolean): StepRecord | undefined {
  const records = Object.entries(steps).flatMap(([name, record]) => (wanted(name) ? [record] : []));
  return records.sort((a, b) => a.seq - b.seq).at(-1);
}
