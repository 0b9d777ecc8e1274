// The TASK line: what is to be done and by which criteria. It is written when the work begins, and again when a phase
// begins by other criteria than were told last, because a paper has brought some.

import { clip, fitting } from "../model/sizes.ts";
import type { State } from "../model/state.ts";
import { criteriaOf } from "../review/subjects.ts";
import { loopOf, taskNamed } from "../state/place.ts";
import type { Batch } from "./batch.ts";

/** Bytes of a line for criteria; the papers have the whole. */
const roomForCriteria = 24_000;

export function tellTask(batch: Batch, phase?: string): undefined {
  const { state } = batch;
  const { task, profile, program, roles, document } = state;
  const { producer } = taskNamed(state, phase)?.loop ?? loopOf(state);
  batch.write(
    "TASK",
    {
      title: task.title,
      text: task.excerpt,
      criteria: toldCriteria(state),
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
export function tellCriteria(batch: Batch, phase: string): undefined {
  const { state } = batch;
  if (state.criteria && !isSame(state.criteria, toldCriteria(state))) tellTask(batch, phase);
}

const toldCriteria = (state: State): string[] => fitting(criteriaOf(state), roomForCriteria);

const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((text, i) => text === b[i]);
