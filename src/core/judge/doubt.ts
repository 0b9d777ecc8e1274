// What must be settled before the newest review can be followed: its critic is not sure of it, or insists on what the
// producer disputes.
import type { State } from "../model/state.ts";
import { listUpheldDisputes } from "../review/findings/ledger.ts";
import { joinWithAnd } from "./convergence.ts";

export interface Doubt {
  readonly outcome: "unsure" | "dispute";
  readonly why: string;
}

export function findDoubt({ reviews, findings }: Pick<State, "reviews" | "findings">): Doubt | undefined {
  const last = reviews.at(-1);
  if (last?.unsure !== undefined && !last.trusted)
    return {
      outcome: "unsure",
      why: `${last.agent} is only ${Math.round(last.unsure * 100)} % sure of its review`,
    };
  const upheld = listUpheldDisputes(findings);
  return upheld.length > 0
    ? { outcome: "dispute", why: `the reviewer upheld what the producer disputes: ${joinWithAnd(upheld)}` }
    : undefined;
}
