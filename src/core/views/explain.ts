// Why each round went on or stopped, from the log alone: the referee's own reasons, one sentence a round.
import type { Envelope, EnvelopeOf } from "../model/envelope.ts";
import type { Program } from "../model/program.ts";
import { explainWorkflow } from "./explain-workflow.ts";

/** Outcomes that end a round or the loop; the others are moves inside one. */
const telling: Readonly<Record<string, (round: number, why: string) => string>> = {
  revise: (round, why) => `round ${round} went on: ${why}`,
  fail: (round, why) => `round ${round} went on: ${why}`,
  refused: (round, why) => `round ${round}: ${why}`,
  swap: (round, why) => `round ${round} swapped roles: ${why}`,
  package: (round, why) => `round ${round} went on: ${why}`,
  tie_break: (round, why) => `round ${round} asked a human: ${why}`,
  dispute: (round, why) => `round ${round} asked a human: ${why}`,
  stuck: (round, why) => `round ${round} asked a human: ${why}`,
  converged: (_round, why) => `converged: ${why}`,
  accept: (round, why) => `round ${round} ended: ${why}`,
  continue: (round, why) => `round ${round} went on: ${why}`,
  waive: (round, why) => `round ${round}: ${why}`,
  fix: (round, why) => `round ${round} went on: ${why}`,
  uphold: (round, why) => `round ${round} went on: ${why}`,
  kept: (round, why) => `round ${round}: ${why}`,
  reject: (round, why) => `round ${round}: ${why}`,
  exit: (round, why) => `round ${round} ended the loop: ${why}`,
  subtask: (round, why) => `round ${round} finished a part: ${why}`,
  switch: (round, why) => `round ${round} swapped roles: ${why}`,
  unsure: (round, why) => `round ${round} asked a human: ${why}`,
  signoff: (round, why) => `round ${round} asked a human to sign: ${why}`,
  failed: (round, why) => `round ${round} went on: ${why}`,
  approve: (round, why) => `round ${round}: ${why}`,
  rework: (round, why) => `round ${round} went on: ${why}`,
  timeout: (round, why) => `round ${round} ran out of time: ${why}`,
};

export interface Explanation {
  readonly seq: number;
  readonly round: number;
  readonly text: string;
}

export function explain(envelopes: readonly Envelope[]): Explanation[] {
  const lines: Explanation[] = [];
  let round = 0;
  let program: Program | undefined;
  const ending = new Set(envelopes.filter(isStop).map(({ batch }) => batch.id));
  for (const envelope of envelopes) {
    if (envelope.type === "BUBBLE_CREATED") program = envelope.payload.program;
    // The line that ends the bubble says the same.
    const isSaid = ending.has(envelope.batch.id) && leadsToStop(envelope);
    const text = isSaid ? undefined : sentence(envelope, round, program);
    if (text) lines.push({ seq: envelope.seq, round, text });
    if (envelope.type === "STEP_ADVANCED") round = envelope.payload.round;
  }
  return lines;
}

const isStop = ({ type }: Envelope) => type === "CANCELLED" || type === "FAILED";

const leadsToStop = ({ type, payload }: Envelope) =>
  type === "RUN_RESULT" || (type === "STEP_ADVANCED" && payload.outcome === "reject");

function sentence(envelope: Envelope, round: number, program: Program | undefined): string | undefined {
  return envelope.type === "STEP_ADVANCED"
    ? advanced(envelope.payload, round, program)
    : (explainWorkflow(envelope) ?? endings(envelope));
}

function advanced(
  { from, outcome, why, held, swap }: EnvelopeOf<"STEP_ADVANCED">["payload"],
  round: number,
  program: Program | undefined,
): string | undefined {
  if (held) return `round ${round} was the last of the budget: ${why}`;
  const kind = program?.steps.find(({ name }) => name === from)?.kind;
  // A condition that does not hold is a way through the workflow, not a verdict about a round.
  if (kind === "branch") return undefined;
  const text = telling[outcome]?.(round, why);
  return text && swap && !text.includes("swapped") ? `${text}; the roles swapped` : text;
}

function endings(envelope: Envelope): string | undefined {
  switch (envelope.type) {
    case "APPROVAL_DECISION":
      return envelope.payload.decision === "approve"
        ? `a human approved digest ${envelope.payload.digest.slice(0, 12)} by ${envelope.payload.via}`
        : undefined;
    case "COMMITTED":
      return `committed ${envelope.payload.commit.slice(0, 10)} on ${envelope.payload.branch}`;
    case "FAILED":
      return `failed: ${envelope.payload.message}`;
    case "CANCELLED":
      return `cancelled: ${envelope.payload.reason}`;
    default:
      return undefined;
  }
}
