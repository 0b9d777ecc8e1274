// What an agent reads when its call was accepted: that it counts, and that there is nothing more to do.
import type { ClaimResult } from "../app/caller/claim-result.ts";
import type { EnvelopeType } from "../core/model/record/envelope.ts";
import type { ToolClaim } from "./tools.ts";

/** A claim that was accepted, or that had been accepted before, in words. */
export function describeAccepted({ claim }: ToolClaim, handled: ClaimResult): string {
  if (handled.said === "ask-human" || claim.type === "ask-human") return describeAsked(handled);
  if (handled.said === "converged" || claim.type === "converged")
    return `Convergence claimed (line ${findLine(handled, "CONVERGENCE")}). ${itIsOver}`;
  const passed = handled.repeats === undefined ? "Passed" : "Already passed";
  return [`${passed} (line ${findLine(handled, "PASS")}). ${itIsOver}`, ...listPackageNote(handled)].join(
    "\n",
  );
}

const itIsOver = "Your turn is over; end this session.";

function describeAsked(handled: ClaimResult): string {
  const line = findLine(handled, "HUMAN_QUESTION");
  const isOpen = line === undefined || handled.open.includes(line);
  return isOpen
    ? `Asked (line ${line}). Do nothing more and wait for the answer; it will be delivered to you.`
    : `Already asked (line ${line}) and answered; continue with the answer you were given.`;
}

/** A repeated call is told the line of the first one. */
function findLine({ repeats, envelopes }: ClaimResult, type: EnvelopeType): number | undefined {
  return repeats ?? envelopes.find((envelope) => envelope.type === type)?.seq;
}

/** The package is asked for late; a producer hears early what it still lacks. */
function listPackageNote({ lacks }: ClaimResult): readonly string[] {
  return lacks.length > 0
    ? [`Note: the package still lacks ${lacks.join(", ")}; it is needed before this bubble can converge`]
    : [];
}
