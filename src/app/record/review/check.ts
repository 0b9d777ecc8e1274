// A review tried out by hand: the referee decides on it as if the critic had just handed it in, and nothing is written.
import { decide } from "../../../core/bubble/decide.ts";
import { evolve } from "../../../core/bubble/evolve.ts";
import type { Command, ReviewClaim } from "../../../core/model/command.ts";
import type { PayloadOf } from "../../../core/model/record/envelope.ts";
import { type Refusal, refuse } from "../../../core/model/refusal.ts";
import type { Finding } from "../../../core/model/review/finding.ts";
import type { Dialect } from "../../../core/model/review/verdict.ts";
import type { Turn } from "../../../core/model/state/turn.ts";
import type { State } from "../../../core/model/state.ts";
import { type AgentQuestion, formatAskedQuestion } from "../../../core/model/turn-end.ts";
import { redactLeaves } from "../../../core/redaction/values.ts";
import { buildSaidVerdict, type SaidVerdict } from "../../../core/review/claim.ts";
import { parseReview } from "../../../core/review/dialect/read.ts";
import { isApproval } from "../../../core/review/integrity.ts";
import { getDialect, getLoop, isCritic } from "../../../core/state/workflow-position.ts";
import { buildReviewFacts } from "../../../engine/front/facts.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { loadState, readEnvelopes } from "../bubble.ts";

export interface TriedReview {
  readonly text: string;
  /** The bubble's own, unless another is tried. */
  readonly dialect?: Dialect | undefined;
  /** The tree it is about, or its beginning; the newest one that was handed over if left out. */
  readonly tree?: string | undefined;
}

export interface CheckedReview {
  readonly bubble: string;
  readonly tree: string;
  readonly dialect: Dialect;
  readonly refusal?: Refusal;
  /** What it would mean; absent when it would be refused. */
  readonly decision?: "approve" | "revise" | "clarify";
  /** Those it adds, with the ids they would get. */
  readonly findings: readonly Pick<Finding, "id" | "severity" | "title" | "file" | "line" | "proven">[];
  readonly questions: readonly string[];
  readonly notes: readonly string[];
}

/** What the referee would say to this review of a bubble's tree. */
export async function checkReview(
  world: RecordWorld,
  bubble: string,
  review: TriedReview,
): Promise<CheckedReview> {
  const state = putUnderReview(await buildState(world, bubble, review.tree));
  const dialect = review.dialect ?? getDialect(state);
  const claim = parseClaim(dialect, review.text);
  const facts = claim.type === "ask-human" ? {} : { facts: await buildReviewFacts(world, state, claim) };
  const command = { ...claim, ...facts, actor: critic, digest: "" } as Command;
  const decided = decide(state, redactLeaves(command, world.redaction.redact), world.clock.now());
  const about = { bubble, tree: state.tree?.id ?? "", dialect, findings: [], questions: [], notes: [] };
  if (decided.refusal) return { ...about, refusal: decided.refusal };
  if (claim.type === "ask-human") {
    const { question, options = [], others } = claim;
    const questions = [{ question, options }, ...others].map(renderQuestionWords);
    return { ...about, decision: "clarify", questions };
  }
  const said = decided.drafts.find(({ type }) => type === "PASS" || type === "CONVERGENCE")?.payload;
  return { ...about, ...explainMeaning(state, said as PayloadOf<"PASS">) };
}

/** The words of a question, and what may be answered. */
const renderQuestionWords = (asked: Omit<AgentQuestion, "id">): string =>
  [formatAskedQuestion(asked), asked.options?.length ? `answers: ${asked.options.join(" | ")}` : ""]
    .filter(Boolean)
    .join("\n");

/** The bubble as it was before the first review of this tree, or as it is now. */
async function buildState(world: RecordWorld, bubble: string, tree: string | undefined): Promise<State> {
  if (tree === undefined) {
    const now = await loadState(world, bubble);
    if (now.tree) return now;
    throw refuse(
      "review.no-tree",
      `nothing has been handed over in ${bubble} yet: there is no tree to review`,
      `pairflow bubble status --id ${bubble}`,
    );
  }
  const then = await findStateBeforeReview(world, bubble, tree);
  if (then) return then;
  throw refuse(
    "review.unknown-tree",
    `no tree that was handed over in ${bubble} begins with ${tree}`,
    `pairflow log --id ${bubble} --type HANDOFF`,
  );
}

async function findStateBeforeReview(
  world: RecordWorld,
  bubble: string,
  tree: string,
): Promise<State | undefined> {
  let state: State | undefined;
  let found: State | undefined;
  for await (const envelope of readEnvelopes(world, bubble)) {
    state = evolve(state, envelope);
    const isClaimed =
      state.turn !== undefined && isCritic(state, state.turn.role) && state.turn.status === "claimed";
    const isUnjudged = state.tree?.id.startsWith(tree) && state.reviews.length === 0 && !isClaimed;
    if (isUnjudged) found = state;
    else if (found) break;
  }
  return found;
}

const turn = { id: "t0", attempt: 1, capability: "by hand" } as const;
const critic = { kind: "agent", turn: turn.id, attempt: turn.attempt, capability: turn.capability } as const;

/** As if the critic of this round had the turn, whatever the bubble does now. */
function putUnderReview(state: State): State {
  const role = getLoop(state).critic ?? "reviewer";
  const step = state.program.steps.find((one) => one.kind === "turn" && one.role === role);
  const reviewing: Turn = {
    ...turn,
    step: step?.name ?? role,
    role,
    agent: state.roles[role] ?? role,
    status: "running",
    failures: 0,
    why: "",
    since: state.lastAt,
    ...(state.tree ? { tree: state.tree.id } : {}),
  };
  return { ...state, lifecycle: "RUNNING", questions: [], turn: reviewing };
}

type Unreadable = Required<Pick<ReviewClaim, "unreadable" | "contradicts">> & {
  readonly type: "pass";
  readonly summary: string;
};

function parseClaim(dialect: Dialect, text: string): SaidVerdict | Unreadable {
  const parsed = parseReview(dialect, text);
  return parsed.ok
    ? buildSaidVerdict(parsed.verdict)
    : {
        type: "pass",
        summary: "unreadable review",
        unreadable: parsed.problems,
        contradicts: parsed.contradicts ?? false,
      };
}

type Meaning = Pick<CheckedReview, "findings" | "notes"> & { readonly decision: "approve" | "revise" };

function explainMeaning(state: State, { findings = [], answers = [], opinion }: PayloadOf<"PASS">): Meaning {
  const { min_confidence: wanted } = state.config.review;
  const sure = opinion?.confidence ?? 1;
  const percent = (part: number) => `${Math.round(part * 100)} %`;
  return {
    decision: isApproval(state, { findings, answers, ...(opinion ? { opinion } : {}) })
      ? "approve"
      : "revise",
    findings: findings.map(({ id, severity, title, file, line, evidence, proven }) => ({
      id,
      severity,
      title,
      ...(file ? { file } : {}),
      ...(line ? { line } : {}),
      proven: Boolean(evidence) && proven !== false,
    })),
    notes:
      sure < wanted
        ? [
            `it is only ${percent(sure)} sure of itself, ${percent(wanted)} are asked for: a human would decide whether it counts`,
          ]
        : [],
  };
}
