// The TASK line: what is to be done and by which criteria. It is written when the work begins, and again when a phase
// begins by other criteria than were told last, because a paper has brought some.

import type { State } from "../model/state.ts";
import { clip, takeFitting } from "../model/value/sizes.ts";
import { listCriteria } from "../review/subjects.ts";
import { findTask, getLoop } from "../state/workflow-position.ts";
import type { DecisionBatch } from "./batch.ts";

/** Bytes of a line for criteria; the papers have the whole. */
const roomForCriteria = 24_000;

export function tellTask(batch: DecisionBatch, phase?: string): undefined {
  const { state } = batch;
  const { task, profile, program, roles, document } = state;
  const { producer } = findTask(state, phase)?.loop ?? getLoop(state);
  batch.write(
    "TASK",
    {
      title: task.title,
      text: task.excerpt,
      criteria: fitCriteria(state),
      gates: profile.gates.map(({ name, required, command }) =>
        clip(`${name}${required ? "" : " (optional)"}: ${command}`, 200),
      ),
      ...(document ? { document } : {}),
    },
    {
      to: (phase ? undefined : program.tasks?.[0]?.roles[producer]) ?? roles[producer] ?? "orchestrator",
      refs: [`artifact://${task.artifact}`],
    },
  );
}

/** A phase begins: its agents are told the criteria that have come since. */
export function tellCriteria(batch: DecisionBatch, phase: string): undefined {
  const { state } = batch;
  if (state.criteria && !isSame(state.criteria, fitCriteria(state))) tellTask(batch, phase);
}

const fitCriteria = (state: State): string[] => takeFitting(listCriteria(state), roomForCriteria);

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, i) => text === b[i]);
