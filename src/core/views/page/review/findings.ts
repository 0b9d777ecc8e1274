// The whole life of each finding: who opened it, what was answered, disputed and decided, with the tree each word was about.
import type { Envelope, EnvelopeOf } from "../../../model/record/envelope.ts";
import type { Finding } from "../../../model/review/finding.ts";
import type { State } from "../../../model/state.ts";

export interface LifeEvent {
  readonly seq: number;
  readonly at: string;
  readonly round: number;
  readonly who: string;
  readonly what:
    | "opened"
    | "delivered"
    | "acknowledged"
    | "fixed"
    | "open"
    | "withdrawn"
    | "disputed"
    | "waived"
    | "upheld";
  readonly says: string;
  readonly tree: string;
}

export interface FindingLife {
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly status: string;
  readonly proven: boolean;
  readonly file: string | null;
  readonly line: number | null;
  readonly quote: string | null;
  readonly advice: string | null;
  /** The tree it was opened on: its line is a line of that. */
  readonly tree: string;
  readonly life: readonly LifeEvent[];
}

type Claim = EnvelopeOf<"PASS"> | EnvelopeOf<"CONVERGENCE">;

export function buildFindingLives(envelopes: readonly Envelope[], state: State): FindingLife[] {
  const events = collectLifeEvents(envelopes);
  return state.findings.map((finding) => buildLife(finding, events.get(finding.id) ?? []));
}

function buildLife(finding: Finding, life: readonly LifeEvent[]): FindingLife {
  const { id, severity, title, status, proven, file, line, quote, evidence, advice, openedTree } = finding;
  return {
    ...{ id, severity, title, status, proven },
    file: file ?? null,
    line: line ?? null,
    quote: quote ?? evidence ?? null,
    advice: advice ?? null,
    tree: openedTree,
    life,
  };
}

/** What a turn says counts when its handover does. */
function collectLifeEvents(envelopes: readonly Envelope[]): Map<string, LifeEvent[]> {
  const lives = new Map<string, LifeEvent[]>();
  const claims = new Map<string, Claim>();
  const way = followComments();
  let tree = "";
  for (const envelope of envelopes) {
    if (envelope.type === "PASS" || envelope.type === "CONVERGENCE")
      claims.set(envelope.payload.turn, envelope);
    const counts = envelope.type === "HANDOFF" && envelope.payload.problems.length === 0;
    if (counts) tree = envelope.payload.tree;
    const claim = counts ? claims.get(envelope.payload.turn) : undefined;
    for (const [id, event] of [
      ...way(envelope, claim, tree),
      ...(claim ? listSaidEvents(claim, tree) : []),
      ...listDecidedEvents(envelope, tree),
    ])
      lives.set(id, [...(lives.get(id) ?? []), event]);
  }
  return lives;
}

/**
 * The way of a person's comments to the agent: they stand in the prompt of the first turn after them, and the handover of that
 * turn is the agent's word that it has read them. A turn that ended without one leaves them to the next.
 */
function followComments() {
  let open: readonly string[] = [];
  let reader: { readonly turn: string; readonly agent: string } | undefined;
  return (envelope: Envelope, claim: Claim | undefined, tree: string): FindingEvent[] => {
    if (envelope.type === "APPROVAL_DECISION")
      open = [...open, ...(envelope.payload.findings ?? []).map(({ id }) => id)];
    if (open.length === 0) return [];
    const { seq, ts: at, round } = envelope;
    const tell = (who: string, what: LifeEvent["what"], says: string) =>
      open.map((id): FindingEvent => [id, { seq, at, round, who, what, says, tree }]);
    if (envelope.type === "TURN_STARTED") reader = envelope.payload;
    if (envelope.type === "TURN_SPAWNED" && envelope.payload.turn === reader?.turn)
      return tell(reader.agent, "delivered", "in the prompt of its turn");
    if (!claim || claim.payload.turn !== reader?.turn) return [];
    const read = tell(claim.sender, "acknowledged", claim.payload.summary);
    open = [];
    return read;
  };
}

type FindingEvent = [id: string, event: LifeEvent];

function listSaidEvents(claim: Claim, tree: string): FindingEvent[] {
  const { seq, ts: at, round, sender: who } = claim;
  const common = { seq, at, round, who, tree };
  const { answers = [] } = claim.payload;
  const found = claim.type === "PASS" ? (claim.payload.findings ?? []) : [];
  const disputes = claim.type === "PASS" ? (claim.payload.disputes ?? []) : [];
  return [
    ...found.map(
      ({ id, quote, evidence }): FindingEvent => [
        id,
        { ...common, what: "opened", says: quote ?? evidence ?? "" },
      ],
    ),
    ...disputes.map(({ id, reason }): FindingEvent => [id, { ...common, what: "disputed", says: reason }]),
    ...answers.map(
      ({ id, status, reason }): FindingEvent => [
        id,
        { ...common, what: status, says: reason ?? claim.payload.summary },
      ],
    ),
  ];
}

/** A person's word about findings. */
function listDecidedEvents(envelope: Envelope, tree: string): FindingEvent[] {
  const { seq, ts: at, round } = envelope;
  const common = { seq, at, round, who: "human", tree };
  if (envelope.type === "HUMAN_REPLY") {
    const { waived = [], message } = envelope.payload;
    return waived.map((id): FindingEvent => [id, { ...common, what: "waived", says: message }]);
  }
  if (envelope.type === "APPROVAL_DECISION") {
    const { findings = [] } = envelope.payload;
    return findings.map(
      ({ id, quote }): FindingEvent => [id, { ...common, what: "opened", says: quote ?? "" }],
    );
  }
  return [];
}
