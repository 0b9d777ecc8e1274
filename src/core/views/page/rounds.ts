// The rounds of a bubble as a picture: who made and who judged which tree, what the gates said, what was opened and closed,
// and why it continued. Told by the lines alone.
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import { explain } from "../history/explain.ts";
import { type CountedReview, listCountedReviews, type Trail } from "../review/trail.ts";

export interface RoundTurn {
  readonly seq: number;
  readonly at: string;
  readonly agent: string;
  readonly role: string;
  readonly does: "made" | "reviewed";
  readonly tree: string;
  readonly says: string;
  /** Of a review. */
  readonly verdict: "clean" | "findings" | null;
  readonly opened: readonly string[];
  readonly closed: readonly string[];
}

export interface RoundGates {
  readonly seq: number;
  readonly tree: string;
  readonly results: readonly { readonly name: string; readonly status: string; readonly ms: number }[];
}

export interface RoundView {
  readonly round: number;
  readonly turns: readonly RoundTurn[];
  readonly gates: readonly RoundGates[];
  readonly why: readonly string[];
}

type Claim = EnvelopeOf<"PASS"> | EnvelopeOf<"CONVERGENCE">;

export function buildRoundsView(envelopes: readonly Envelope[], trail: Trail): RoundView[] {
  const turns = listTurns(envelopes, trail);
  const gates = envelopes.flatMap(listGates);
  const reasons = explain(envelopes);
  const numbers = [...new Set([...turns, ...gates].map(({ round }) => round))].sort((a, b) => a - b);
  return numbers.map((round) => ({
    round,
    turns: turns.filter((turn) => turn.round === round).map(({ round: _, ...turn }) => turn),
    gates: gates.filter((run) => run.round === round).map(({ round: _, ...run }) => run),
    why: reasons.filter((reason) => reason.round === round).map(({ text }) => text),
  }));
}

type Holder = EnvelopeOf<"TURN_STARTED">["payload"];

/** Only handovers that counted: a refused one is made again. */
function listTurns(envelopes: readonly Envelope[], trail: Trail): (RoundTurn & { round: number })[] {
  const reviews = new Map(listCountedReviews(trail).map((review) => [review.seq, review]));
  const holders = new Map<string, Holder>();
  const claims = new Map<string, Claim["payload"]>();
  return envelopes.flatMap((envelope) => {
    if (envelope.type === "TURN_STARTED") holders.set(envelope.payload.turn, envelope.payload);
    if (envelope.type === "PASS" || envelope.type === "CONVERGENCE")
      claims.set(envelope.payload.turn, envelope.payload);
    if (envelope.type !== "HANDOFF" || envelope.payload.problems.length > 0) return [];
    const { turn } = envelope.payload;
    return [buildTurn(envelope, reviews.get(envelope.seq), claims.get(turn), holders.get(turn))];
  });
}

function buildTurn(
  { round, seq, ts: at, payload }: EnvelopeOf<"HANDOFF">,
  review: CountedReview | undefined,
  claim: Claim["payload"] | undefined,
  holder: Holder | undefined,
): RoundTurn & { round: number } {
  const closed = (claim?.answers ?? []).filter(({ status }) => status !== "open").map(({ id }) => id);
  const said = { agent: holder?.agent ?? "", role: holder?.role ?? "", says: claim?.summary ?? "", closed };
  const common = { round, seq, at, ...said };
  if (!review) return { ...common, does: "made", tree: payload.tree, verdict: null, opened: [] };
  const verdict = review.clean ? "clean" : "findings";
  return { ...common, does: "reviewed", tree: review.tree, verdict, opened: review.newIds };
}

function listGates(envelope: Envelope): (RoundGates & { round: number })[] {
  if (envelope.type !== "GATES_RESULT" || envelope.payload.base) return [];
  const { tree, results } = envelope.payload;
  const told = results.map(({ name, status, duration_ms: ms }) => ({ name, status, ms }));
  return [{ round: envelope.round, seq: envelope.seq, tree, results: told }];
}
