// Facts tied to a tree: handoffs, gate results, and the reviews that count for it.
import { isContinuingChain } from "../../judge/chain.ts";
import { findValidGateEvidence, listRedGates } from "../../judge/convergence.ts";
import { isHandedOverAgain } from "../../judge/gate-runs/repeated.ts";
import type { EnvelopeOf, PayloadOf } from "../../model/record/envelope.ts";
import type { CheckedEvidence } from "../../model/review/finding.ts";
import type { Opinion } from "../../model/review/verdict.ts";
import type { LastReview } from "../../model/run.ts";
import type { Review } from "../../model/state/evidence.ts";
import type { Turn } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";
import { clip, keepEnd } from "../../model/value/sizes.ts";
import { findDueDuty } from "../../review/duties.ts";
import { applyDisputes, applyReview, pruneLedger } from "../../review/findings/ledger.ts";
import { isCriterionId } from "../../review/subjects.ts";
import { isTouched } from "../../review/touched-lines.ts";
import { isRejectedByWord } from "../../review/word.ts";
import { getCodeCommit } from "../../state/code-tree.ts";
import { listOpenBlocking, listOpenFindings } from "../../state/severity.ts";
import { joinPackages } from "../../state/work.ts";
import {
  getCurrentTask,
  getLoop,
  getTaskProgress,
  isCritic,
  isProducer,
} from "../../state/workflow-position.ts";
import { applyBaseResult } from "./base.ts";
import { addProducedRound, addReviewToRound, addScoreToRound } from "./tasks/history.ts";
import { addRemarks } from "./tasks/remarks.ts";
import { addProducedWork, addReviewersOfWork, getWorkTitle, keepRefusedParts } from "./tasks/work.ts";

const keptReviews = 50;
const keptFeedback = 8_000;
const keptPatterns = 20;
const keptSummary = 4_000;

/** A turn's claim takes effect here: the tree after it is known, and nothing about it was refused. */
export function applyHandoff(state: State, envelope: EnvelopeOf<"HANDOFF">): State {
  const turn = state.turn;
  if (turn?.id !== envelope.payload.turn) return state;
  if (envelope.payload.problems.length > 0)
    return isProducer(state, turn.role) ? keepRefusedParts(state, turn) : state;
  return applyEffect(putBackIn(state, turn, envelope), turn, envelope);
}

const keptPutBack = 10;

/** New files that appeared in a turn that only reads do not undo it; they are gone from the tree, and named. */
function putBackIn(state: State, turn: Turn, { payload, round }: EnvelopeOf<"HANDOFF">): State {
  const { put_back: patch, put_back_files: named, files: all } = payload;
  if (patch === undefined) return state;
  const files = named ?? all.map(({ path }) => path);
  const entry = { agent: turn.agent, role: turn.role, round, files: files.slice(0, 20), patch };
  return { ...state, putBack: [...(state.putBack ?? []), entry].slice(-keptPutBack) };
}

/** What the claim does. */
function applyEffect(state: State, turn: Turn, envelope: EnvelopeOf<"HANDOFF">): State {
  if (isCritic(state, turn.role))
    return addRemarks(addReviewToRound(applyReviewed(state, turn, envelope), turn, envelope), turn, envelope);
  return isProducer(state, turn.role)
    ? addProducedRound(applyProduced(state, turn, envelope), turn, envelope)
    : addRemarks(addScoreToRound(state, turn, envelope), turn, envelope);
}

function applyProduced(state: State, turn: Turn, envelope: EnvelopeOf<"HANDOFF">): State {
  const { payload, seq, round } = envelope;
  const pass = turn.claim?.pass;
  const same = state.tree?.id === payload.tree;
  const work = addProducedWork(state, turn, payload);
  // What was claimed and waived was about the work before this handoff.
  const { convergence: _claimed, refusedPackage: _kept, ...rest } = state;
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
      ...(pass?.summary ? { summary: clip(pass.summary, keptSummary) } : {}),
      ...(turn.claim?.refs ? { refs: turn.claim.refs } : {}),
      ...(payload.diff ? { diff: payload.diff } : {}),
      ...(payload.secrets ? { secrets: payload.secrets } : {}),
      ...(payload.context ? { context: payload.context } : {}),
      ...(payload.paper ? { paper: { ...payload.paper, commit: getCodeCommit(state) } } : {}),
    },
    ...acceptPaper(state, turn, envelope),
    reviews: same ? state.reviews : [],
    work,
    package: joinPackages(work, getWorkTitle(state)),
    packageSeq: seq,
    findings: applyDisputes(state.findings, pass?.disputes ?? [], round),
    notes: [],
  };
}

/** The paper that this handoff is about counts from now on. */
function acceptPaper(
  state: State,
  turn: Turn,
  { payload, seq, ts }: EnvelopeOf<"HANDOFF">,
): Pick<State, "papers"> {
  const value = turn.claim?.pass?.paper;
  if (!payload.paper || !value) return {};
  const paper = { value, agent: turn.agent, tree: payload.tree, seq, at: ts };
  return { papers: { ...state.papers, [payload.paper.kind]: paper } };
}

function applyReviewed(state: State, turn: Turn, envelope: EnvelopeOf<"HANDOFF">): State {
  const { seq, round, payload } = envelope;
  const claim = turn.claim?.pass ?? turn.claim?.convergence;
  if (!claim) return state;
  const unfit = "invalid" in claim ? claim.invalid : undefined;
  if (unfit)
    return { ...state, lastReview: { ...buildReview(turn, envelope), approved: false, invalid: unfit } };
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
  const next = { ...state, findings: pruneLedger(ledger) };
  const byOperator = claim.by_operator ?? false;
  const review: Review = {
    agent: turn.agent,
    round,
    seq,
    tree: payload.tree,
    byOperator,
    ...buildVerdict(state, next, claim),
    openIds: listOpenFindings(next).map((finding) => finding.id),
    ...pickOpinion(state, claim.opinion),
    ...buildProof(claim.checked ?? []),
  };
  const reviews = [...state.reviews, review].slice(-keptReviews);
  return {
    ...next,
    reviews,
    ...addReviewersOfWork(state, reviews),
    lastReview: { ...buildReview(turn, envelope), approved: review.clean },
    progress: buildProgressAfter(state.progress, review),
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

/** Whether it counts as a clean pass; a word that rejects sends it back however little is open. */
function buildVerdict(
  state: State,
  next: State,
  claim: PayloadOf<"PASS"> | PayloadOf<"CONVERGENCE">,
): Pick<Review, "clean" | "rejects"> {
  const isRejected = isRejectedByWord(claim.opinion);
  const isOpen = listOpenBlocking(next).length > 0;
  return {
    clean: !claim.by_operator && !isRejected && !isOpen && isApproving(state, claim),
    ...(isRejected && listOpenFindings(next).length > 0 ? { rejects: true } : {}),
  };
}

/** Where conditions end the loop, an approval is its critic's own word: a rejection that leaves little open is none. */
function isApproving(
  state: State,
  { opinion, answers = [], ...claim }: PayloadOf<"PASS"> | PayloadOf<"CONVERGENCE">,
): boolean {
  const loop = getLoop(state);
  if (!loop.exit && !isContinuingChain(loop)) return true;
  if (opinion) return opinion.decision === "approve";
  const found = "findings" in claim ? (claim.findings ?? []) : [];
  return found.length === 0 && !answers.some(({ status }) => status === "open");
}

/** The review as later steps refer to it: its words, and what it found. */
function buildReview(turn: Turn, { payload, seq }: EnvelopeOf<"HANDOFF">): Omit<LastReview, "approved"> {
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
function pickOpinion(state: State, opinion: Opinion | undefined): Partial<Review> {
  const duty = findDueDuty(state)?.name;
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

/** The criteria that a review names evidence for. */
function buildProof(checked: readonly CheckedEvidence[]): Pick<Review, "proves"> {
  const ids = new Set(checked.flatMap(({ for: subjects = [] }) => subjects.filter(isCriterionId)));
  return ids.size > 0 ? { proves: [...ids] } : {};
}

/** How often in a row a review left the same findings open on the same tree. */
function buildProgressAfter(before: State["progress"], review: Review): State["progress"] {
  if (review.openIds.length === 0) return { key: "", repeats: 0 };
  const key = `${review.tree} ${review.openIds.join(",")}`;
  return { key, repeats: key === before.key ? before.repeats + 1 : 0 };
}

export function applyGatesResult(state: State, envelope: EnvelopeOf<"GATES_RESULT">): State {
  if (envelope.payload.base) return applyBaseResult(state, envelope);
  const { payload, seq } = envelope;
  const next: State = {
    ...state,
    gates: {
      tree: payload.tree,
      attempt: payload.attempt,
      seq,
      results: slim(payload.results),
      void: payload.changed.length > 0,
      ...(payload.commit_message === undefined ? {} : { commitMessage: payload.commit_message }),
      ...(payload.again ? { again: payload.again } : {}),
      ...(payload.clean ? { clean: payload.clean } : {}),
    },
  };
  if (payload.clean) return listRedGates(next).length > 0 ? countRedFinal(next) : next;
  // A second run on a tree whose red result was counted before is not another one, unless the tree was handed over again.
  const isKnown = state.gates?.tree === payload.tree && !state.gates.again && !state.gates.void;
  const isCounted = isKnown && !isHandedOverAgain(state);
  return isCounted ? next : countRedGates(next);
}

/** Red on the same tree again and again is nothing that another round fixes. */
function countRedFinal(state: State): State {
  const tree = state.tree?.id ?? "";
  const count = (state.finalReds?.tree === tree ? state.finalReds.count : 0) + 1;
  return { ...state, finalReds: { tree, count, total: (state.finalReds?.total ?? 0) + 1 } };
}

/** Red gates use up what the loop has; gates that cannot run do not. */
function countRedGates(state: State): State {
  const isKnown = findValidGateEvidence(state)?.results.every(({ status }) => status !== "error") === true;
  return isKnown && listRedGates(state).length > 0 ? restartChain(state) : state;
}

/** Where each turn of the producer is a chain of its own, red gates are the end of that chain. */
function restartChain(state: State): State {
  const task = getCurrentTask(state);
  const known = getTaskProgress(state);
  if (!task || !known || !isContinuingChain(task.loop) || task.loop.max_attempts !== undefined) return state;
  const chain = { next: 0, passed: {}, ...known.chain, restarts: (known.chain?.restarts ?? 0) + 1 };
  return { ...state, tasks: { ...state.tasks, [task.key]: { ...known, chain } } };
}

/** Enough for a prompt; the artifact has the whole. */
function slim(results: PayloadOf<"GATES_RESULT">["results"]): PayloadOf<"GATES_RESULT">["results"] {
  return results.map((result) =>
    result.status === "passed" ? { ...result, excerpt: keepEnd(result.excerpt, 300) } : result,
  );
}
