// What can still be read of a pair's session when its state cannot be trusted: rebuilt from the lines that verify, without the
// fold.

import type { ProgramTask } from "../../model/program.ts";
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import type { TaskProgress } from "../../model/run.ts";
import type { PairHistoryEntry } from "./session.ts";

/** Where it stands among the artifacts. */
export const nameSalvagedSession = (task: string): string => `pair-sessions/${task}.salvaged.json`;

export interface SalvagedSession {
  readonly task_id: string;
  readonly problem: string;
  /** Lines of the record that verify, as far as they belong to this task. */
  readonly lines: number;
  readonly history: readonly PairHistoryEntry[];
}

export function salvagePairSession(
  envelopes: readonly Envelope[],
  task: ProgramTask,
  progress: Pick<TaskProgress, "seq" | "firstRound">,
  problem: string,
): SalvagedSession {
  const range = envelopes.filter(({ seq }) => seq >= progress.seq);
  return {
    task_id: task.key,
    problem,
    lines: range.length,
    history: listHistory(range, task, progress.firstRound),
  };
}

type Said = EnvelopeOf<"PASS"> | EnvelopeOf<"CONVERGENCE">;

function listHistory(
  range: readonly Envelope[],
  { loop }: ProgramTask,
  firstRound: number,
): PairHistoryEntry[] {
  const rounds = new Map<number, PairHistoryEntry>();
  for (const said of listAcceptedClaims(range)) {
    const iteration = said.round - firstRound + 1;
    const before = rounds.get(iteration) ?? createEmptyEntry(iteration);
    const isChallenge = said.type === "CONVERGENCE" || said.payload.role === loop.critic;
    rounds.set(
      iteration,
      isChallenge
        ? { ...before, challenger_critique: said.payload.summary, challenger_approved: isApproval(said) }
        : { ...before, driver_output_summary: said.payload.summary },
    );
  }
  return [...rounds.values()].sort((a, b) => a.iteration - b.iteration);
}

const createEmptyEntry = (iteration: number): PairHistoryEntry => ({
  iteration,
  driver_output_summary: "",
  challenger_critique: "",
  challenger_approved: false,
});

/** Claims count when the handoff behind them was not refused. */
function listAcceptedClaims(range: readonly Envelope[]): Said[] {
  const handed = new Set(
    range.flatMap((line) =>
      line.type === "HANDOFF" && line.payload.problems.length === 0
        ? [`${line.payload.turn}.${line.payload.attempt}`]
        : [],
    ),
  );
  return range.filter(
    (line): line is Said =>
      (line.type === "PASS" || (line.type === "CONVERGENCE" && line.sender !== "orchestrator")) &&
      handed.has(`${line.payload.turn}.${line.payload.attempt}`),
  );
}

function isApproval(said: Said): boolean {
  if (said.type === "CONVERGENCE") return true;
  const { opinion, findings = [], answers = [] } = said.payload;
  if (opinion) return opinion.decision === "approve";
  return findings.length === 0 && answers.every(({ status }) => status !== "open");
}
