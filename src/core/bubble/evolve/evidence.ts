// Facts tied to a tree: handoffs, gate results, and the reviews that count for it.
import type { EnvelopeOf, PayloadOf } from "../../model/envelope.ts";
import type { LastReview } from "../../model/run.ts";
import { clip } from "../../model/sizes.ts";
import type { Review, State, Turn } from "../../model/state.ts";
import type { Opinion } from "../../model/verdict.ts";
import { goesOn } from "../../policy/chain.ts";
import { codeCommit } from "../../policy/code.ts";
import { gateEvidence, redGates } from "../../policy/convergence.ts";
import { currentTask, isCritic, isProducer, loopOf, progressOf } from "../../policy/place.ts";
import { openBlocking, openFindings } from "../../policy/severity.ts";
import { dutyDue } from "../../review/duties.ts";
import { isTouched } from "../../review/hunks.ts";
import { applyDisputes, applyReview, kept } from "../../review/ledger.ts";
import { historyProduced, historyReviewed, historyScored } from "./history.ts";

const keptReviews = 50;
const keptFeedback = 8_000;
const keptPatterns = 20;

/** A turn's claim takes effect here: the tree after it is known, and nothing about it was refused. */
export function handoff(state: State, envelope: EnvelopeOf<"HANDOFF">): State {
  const turn = state.turn;
  if (turn?.id !== envelope.payload.turn || envelope.payload.problems.length > 0) return state;
  if (isCritic(state, turn.role)) return historyReviewed(reviewed(state, turn, envelope), turn, envelope);
  return isProducer(state, turn.role)
    ? counted(historyProduced(produced(state, turn, envelope), turn, envelope))
    : historyScored(state, turn, envelope);
}

function produced(state: State, turn: Turn, envelope: EnvelopeOf<"HANDOFF">): State {
  const { payload, seq, round } = envelope;
  const pass = turn.claim?.pass;
  const same = state.tree?.id === payload.tree;
  const pack = { ...state.package, ...defined(pass?.package) };
  // What was claimed and waived was about the work before this handoff.
  const { convergence: _claimed, ...rest } = state;
  return {
    ...rest,
    waivedGates: same ? state.waivedGates : [],
    tree: {
      id: payload.tree,
      commit: payload.commit,
      files: payload.files,
      filesTotal: payload.files_total,
      added: payload.added,
      removed: payload.removed,
      by: turn.agent,
      round,
      seq,
      touched: same && state.tree ? state.tree.touched : payload.touched,
      ...(payload.diff ? { diff: payload.diff } : {}),
      ...(payload.secrets ? { secrets: payload.secrets } : {}),
      ...(payload.context ? { context: payload.context } : {}),
      ...(payload.paper ? { paper: { ...payload.paper, commit: codeCommit(state) } } : {}),
    },
    ...accepted(state, turn, envelope),
    reviews: same ? state.reviews : [],
    package: pack,
    packageSeq: seq,
    findings: applyDisputes(state.findings, pass?.disputes ?? [], round),
    notes: [],
  };
}

/** The paper that this handoff is about counts from now on. */
function accepted(
  state: State,
  turn: Turn,
  { payload, seq, ts }: EnvelopeOf<"HANDOFF">,
): Pick<State, "papers"> {
  const value = turn.claim?.pass?.paper;
  if (!payload.paper || !value) return {};
  const paper = { value, agent: turn.agent, tree: payload.tree, seq, at: ts };
  return { papers: { ...state.papers, [payload.paper.kind]: paper } };
}

/** Drops empty parts, so that a later pass without a part keeps the earlier text. */
function defined<T extends object>(value: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter(([, part]) => part)) as Partial<T>;
}

function reviewed(state: State, turn: Turn, envelope: EnvelopeOf<"HANDOFF">): State {
  const { seq, round, payload } = envelope;
  const claim = turn.claim?.pass ?? turn.claim?.convergence;
  if (!claim) return state;
  const unfit = "invalid" in claim ? claim.invalid : undefined;
  if (unfit)
    return { ...state, lastReview: { ...reviewOf(turn, envelope), approved: false, invalid: unfit } };
  const findings = "findings" in claim ? (claim.findings ?? []) : [];
  const touched = state.tree?.touched ?? [];
  const ledger = applyReview(
    state.findings,
    { findings, answers: claim.answers ?? [] },
    {
      round,
      agent: turn.agent,
      tree: payload.tree,
      ...(round > 1 && touched.length > 0
        ? { touched: (file: string, line: number | undefined) => isTouched(touched, file, line) }
        : {}),
    },
  );
  const next = { ...state, findings: kept(ledger) };
  const byOperator = claim.by_operator ?? false;
  const review: Review = {
    agent: turn.agent,
    round,
    seq,
    tree: payload.tree,
    byOperator,
    clean: !byOperator && openBlocking(next).length === 0 && approves(state, claim),
    openIds: openFindings(next).map((finding) => finding.id),
    ...judgedBy(state, claim.opinion),
  };
  return {
    ...next,
    reviews: [...state.reviews, review].slice(-keptReviews),
    lastReview: { ...reviewOf(turn, envelope), approved: review.clean },
    progress: progressAfter(state.progress, review),
    notes: [],
    ...(turn.claim?.convergence
      ? {
          convergence: {
            seq: turn.claim.seq,
            agent: turn.agent,
            weak: turn.claim.convergence.evidence.weak_alternation ?? false,
          },
        }
      : {}),
  };
}

/** Where conditions end the loop, an approval is its critic's own word: a rejection that leaves little open is none. */
function approves(
  state: State,
  { opinion, answers = [], ...claim }: PayloadOf<"PASS"> | PayloadOf<"CONVERGENCE">,
): boolean {
  const loop = loopOf(state);
  if (!loop.exit && !goesOn(loop)) return true;
  if (opinion) return opinion.decision === "approve";
  const found = "findings" in claim ? (claim.findings ?? []) : [];
  return found.length === 0 && !answers.some(({ status }) => status === "open");
}

/** The review as later steps refer to it: its words, and what it found. */
function reviewOf(turn: Turn, { payload, seq }: EnvelopeOf<"HANDOFF">): Omit<LastReview, "approved"> {
  const claim = turn.claim?.pass ?? turn.claim?.convergence;
  const found = claim && "findings" in claim ? (claim.findings ?? []) : [];
  // A rejection in prose is a finding by its own words: they are not said twice.
  const others = found.filter(({ title, file }) => file !== undefined || title !== claim?.summary);
  const lines = others.map(
    ({ id, severity, title, file, line }) =>
      `${id} ${severity} ${title}${file ? ` (${file}${line ? `:${line}` : ""})` : ""}`,
  );
  return {
    agent: turn.agent,
    tree: payload.tree,
    seq,
    feedback: clip([claim?.summary ?? "", ...lines].filter(Boolean).join("\n"), keptFeedback),
    ...(claim?.opinion ? { opinion: claim.opinion } : {}),
  };
}

/** What the verdict says beyond its findings, as far as the loop looks at it. */
function judgedBy(state: State, opinion: Opinion | undefined): Partial<Review> {
  const duty = dutyDue(state)?.name;
  const confidence = opinion?.confidence ?? 1;
  return {
    ...(duty ? { duty } : {}),
    ...(opinion?.route && opinion.decision === "revise" ? { route: opinion.route } : {}),
    ...(confidence < state.config.review.min_confidence ? { unsure: confidence } : {}),
    ...(opinion?.decision === "approve" && opinion.patterns.length > 0
      ? { patterns: opinion.patterns.slice(0, keptPatterns) }
      : {}),
  };
}

/** How often in a row a review left the same findings open on the same tree. */
function progressAfter(before: State["progress"], review: Review): State["progress"] {
  if (review.openIds.length === 0) return { key: "", repeats: 0 };
  const key = `${review.tree} ${review.openIds.join(",")}`;
  return { key, repeats: key === before.key ? before.repeats + 1 : 0 };
}

export function gatesResult(state: State, { payload, seq }: EnvelopeOf<"GATES_RESULT">): State {
  return counted({
    ...state,
    gates: {
      tree: payload.tree,
      attempt: payload.attempt,
      seq,
      results: slim(payload.results),
      void: payload.changed.length > 0,
      ...(payload.commit_message === undefined ? {} : { commitMessage: payload.commit_message }),
    },
  });
}

/** Red gates, known now or still known of a tree that was handed over once more: they are not run again. */
function counted(state: State): State {
  const isKnown = gateEvidence(state)?.results.every(({ status }) => status !== "error") === true;
  return isKnown && redGates(state).length > 0 ? begunAgain(state) : state;
}

/** Where each turn of the producer is a chain of its own, red gates are the end of that chain. */
function begunAgain(state: State): State {
  const task = currentTask(state);
  const known = progressOf(state);
  if (!task || !known || !goesOn(task.loop) || task.loop.max_attempts !== undefined) return state;
  const chain = { next: 0, passed: {}, ...known.chain, restarts: (known.chain?.restarts ?? 0) + 1 };
  return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, chain } } };
}

/** Enough for a prompt; the artifact has the whole. */
function slim(results: PayloadOf<"GATES_RESULT">["results"]): PayloadOf<"GATES_RESULT">["results"] {
  return results.map((result) =>
    result.status === "passed" ? { ...result, excerpt: result.excerpt.slice(-300) } : result,
  );
}
