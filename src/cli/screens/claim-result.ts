// What an agent reads when its claim was accepted. A written review may turn out to converge or to ask, whatever the
// verb was: the words are those of what it became.
import type { ClaimResult } from "../../app/caller/claim-result.ts";

const types = { pass: "PASS", converged: "CONVERGENCE", "ask-human": "HUMAN_QUESTION" } as const;
const done = { pass: "Passed", converged: "Convergence claimed", "ask-human": "Asked" } as const;
const next = {
  pass: "Your turn is over; end this session.",
  converged: "Your turn is over; end this session.",
  "ask-human": "Do nothing more and wait for the answer; it will be delivered to you.",
} as const;

/** The line a claim stands on, its type there, and the sentence for the agent. */
export function describeClaimed({ said, repeats, envelopes }: ClaimResult): {
  readonly type: string;
  readonly seq: number | undefined;
  readonly text: string;
} {
  const type = types[said];
  const seq = repeats ?? envelopes.find((envelope) => envelope.type === type)?.seq;
  const words = said === "pass" && repeats !== undefined ? "Already passed" : done[said];
  return { type, seq, text: `${words} (line ${seq}). ${next[said]}` };
}
