// Why each round went on or stopped, from the log alone: the referee's own reasons, one sentence a round.
import type { Envelope } from "../model/envelope.ts";

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
};

export interface Explanation {
  readonly seq: number;
  readonly round: number;
  readonly text: string;
}

export function explain(envelopes: readonly Envelope[]): Explanation[] {
  const lines: Explanation[] = [];
  let round = 0;
  for (const envelope of envelopes) {
    const text = sentence(envelope, round);
    if (text) lines.push({ seq: envelope.seq, round, text });
    if (envelope.type === "STEP_ADVANCED") round = envelope.payload.round;
  }
  return lines;
}

function sentence(envelope: Envelope, round: number): string | undefined {
  if (envelope.type === "STEP_ADVANCED") {
    const { outcome, why, held } = envelope.payload;
    const text = telling[outcome]?.(round, why);
    return held ? `round ${round} was the last of the budget: ${why}` : text;
  }
  return endings(envelope);
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
