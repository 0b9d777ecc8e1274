// The facts of one bubble that has ended, from its lines. Folded once; the state alone forgets findings that closed long ago.
import { isFinal } from "../../../bubble/lifecycle.ts";
import type { FindingFact, ReviewerFact, RunFacts } from "../../../model/page/facts.ts";
import type { Envelope } from "../../../model/record/envelope.ts";
import type { Finding } from "../../../model/review/finding.ts";
import type { Lifecycle, State } from "../../../model/state.ts";
import { isCritic } from "../../../state/workflow-position.ts";
import { buildReviewTrail, noTrail, type Trail } from "../../review/trail.ts";

/** What is gathered on the way through the lines. */
interface Gathered {
  readonly findings: Map<string, Finding>;
  readonly questions: Map<string, number>;
  /** Tokens of critics, by agent. */
  readonly tokens: Map<string, number>;
}

/** Undefined while the bubble has not ended. */
export function buildRunFacts(envelopes: Iterable<Envelope>): RunFacts | undefined {
  const gathered: Gathered = { findings: new Map(), questions: new Map(), tokens: new Map() };
  let trail = noTrail;
  for (const envelope of envelopes) {
    const before = trail.state;
    trail = buildReviewTrail([envelope], trail);
    collectFacts(gathered, envelope, before, trail.state);
  }
  const { state } = trail;
  return state && isEnded(state.lifecycle) ? describeRun(state, state.lifecycle, trail, gathered) : undefined;
}

type Ended = RunFacts["end"];
const isEnded = (lifecycle: Lifecycle): lifecycle is Ended => isFinal(lifecycle);

function collectFacts(
  { findings, questions, tokens }: Gathered,
  envelope: Envelope,
  before: State | undefined,
  state: State | undefined,
): void {
  if (state && state.findings !== before?.findings)
    for (const finding of state.findings) findings.set(finding.id, finding);
  if (envelope.type === "HUMAN_QUESTION") add(questions, envelope.payload.kind, 1);
  if (envelope.type === "TURN_USAGE" && before && isCritic(before, envelope.payload.role)) {
    const { agent, usage } = envelope.payload;
    add(tokens, agent, usage.input + usage.output);
  }
}

const add = (sums: Map<string, number>, key: string, more: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + more);

function describeRun(state: State, end: Ended, trail: Trail, gathered: Gathered): RunFacts {
  const { spent, run } = state;
  const isMeasured = spent.total.input + spent.total.output > 0;
  return {
    v: 1,
    bubble: state.bubbleId,
    workflow: state.program.id,
    end,
    began_at: run?.at ?? state.createdAt,
    ended_at: state.lastAt,
    rounds: state.round,
    converged: trail.end?.decision === "GO",
    questions: Object.fromEntries(gathered.questions),
    waited_ms: run?.waitedMs ?? 0,
    worked_ms: spent.workedMs,
    tokens: isMeasured ? spent.total.input + spent.total.output : null,
    usd: spent.total.usd ?? null,
    findings: [...gathered.findings.values()].map(describeFinding),
    reviewers: listReviewers(trail, gathered.tokens),
  };
}

function describeFinding({ severity, area, status, dispute, openedBy }: Finding): FindingFact {
  return {
    severity,
    area: area ?? "",
    status,
    disputed: dispute !== undefined,
    upheld: dispute?.upheld === true || dispute?.settled === "upheld",
    by_human: openedBy === "human",
  };
}

function listReviewers({ reviews }: Trail, tokens: ReadonlyMap<string, number>): ReviewerFact[] {
  const agents = [...new Set(reviews.map(({ agent }) => agent))].sort();
  return agents.map((agent) => {
    const own = reviews.filter((review) => review.agent === agent);
    const counted = own.filter((review) => review.kind === "counted");
    return {
      agent,
      reviews: counted.length,
      clean: counted.filter((review) => review.clean).length,
      refused: own.filter(({ kind }) => kind === "refused").length,
      tokens: tokens.get(agent) ?? null,
    };
  });
}
