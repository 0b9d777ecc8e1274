// What people are asked and what they answered.
import { measureWorkingMs } from "../../limits/budget.ts";
import { grantRounds } from "../../limits/rounds.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { Delivery, Question, Turn } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import { applyReview, order, settleFindings, waiveFinding } from "../../review/findings/ledger.ts";
import { getCurrentTask, getTaskProgress } from "../../state/workflow-position.ts";
import type { Fresh } from "./fresh.ts";
import { applyGitReply } from "./git.ts";
import { advanceChain } from "./tasks/history.ts";
import { addReviewersOfWork, clearReviewersOfWork } from "./tasks/work.ts";
import { keptNotes, reassignTurn } from "./turns.ts";

const keptStray = 50;

export function applyHumanQuestion(state: State, envelope: EnvelopeOf<"HUMAN_QUESTION">): State {
  const { payload } = envelope;
  const question: Question = {
    id: `q${envelope.seq}`,
    seq: envelope.seq,
    kind: payload.kind,
    from: envelope.sender,
    text: payload.question,
    at: envelope.ts,
    ...(payload.turn ? { turn: payload.turn } : {}),
    ...(payload.options ? { options: payload.options } : {}),
    ...(payload.findings ? { findings: payload.findings } : {}),
    ...(payload.gates ? { gates: payload.gates } : {}),
    ...(payload.waiting ? { waiting: payload.waiting } : {}),
    ...(payload.git ? { git: payload.git } : {}),
  };
  const asking =
    payload.claim && state.turn?.id === payload.turn
      ? { verb: "ask-human" as const, digest: payload.claim, seq: envelope.seq }
      : undefined;
  const next: Fresh = {
    ...state,
    spent: { ...state.spent, workedMs: state.spent.workedMs + measureWorkingMs(state, envelope.ts) },
    questions: [...state.questions, question],
  };
  if (state.turn && state.turn.id === payload.turn)
    next.turn = { ...state.turn, waited: true, ...(asking ? { claim: asking } : {}) };
  if (asking) next.deliveries = listUnread(state);
  return next;
}

/** An agent that speaks has read what was put before it. */
function listUnread(state: State): readonly Delivery[] {
  return state.deliveries.filter(
    (delivery) => delivery.turn !== state.turn?.id || delivery.status === "owed",
  );
}

export function applyHumanReply(state: State, envelope: EnvelopeOf<"HUMAN_REPLY">): State {
  const { payload, round } = envelope;
  const question = state.questions.find((candidate) => candidate.id === payload.question);
  const asked = question?.findings ?? [];
  const decided =
    payload.choice === "uphold"
      ? settleFindings(state.findings, asked)
      : payload.choice === "fix"
        ? order(state.findings, asked)
        : state.findings;
  const findings = payload.waived ? waiveFinding(decided, payload.waived, payload.message, round) : decided;
  const words =
    question?.kind === "agent"
      ? [payload.choice, payload.message].filter(Boolean).join(": ")
      : payload.message;
  const next: Fresh = {
    ...state,
    findings,
    questions: state.questions.filter((candidate) => candidate.id !== payload.question),
    extraBudgets: state.extraBudgets + (payload.budgets ?? 0),
    // Talk with a turn is no decision about the loop: it does not excuse a lack of progress.
    progress: question?.turn ? state.progress : { key: "", repeats: 0 },
    activeSince: envelope.ts,
  };
  if (payload.waived_gates) next.waivedGates = [...new Set([...state.waivedGates, ...payload.waived_gates])];
  Object.assign(
    next,
    applyReviewReply(state, question, envelope),
    resetTurnTries(state, question, payload.agent),
    applyGitReply(state, question, envelope),
    payload.rounds ? grantRounds(state, payload.rounds) : undefined,
    restartTime(state, question, envelope.ts),
    queueHumanMessage(state, envelope.seq, words, question),
  );
  return next;
}

/** Who lets a lost turn or a run that took too long continue gives it its time once more. */
function restartTime(state: State, question: Question | undefined, ts: string): Partial<State> {
  const { position, run } = state;
  if (question?.kind === "lost-agent") return { position: { ...position, at: ts, waitedMs: 0 } };
  return question?.kind === "timeout" && run ? { run: { at: ts, waitedMs: 0 } } : {};
}

/** What a human says about a review that was unsure or could not count, and about a document that was explained. */
function applyReviewReply(
  state: State,
  question: Question | undefined,
  { payload, seq }: EnvelopeOf<"HUMAN_REPLY">,
): Partial<State> {
  const { reviews } = state;
  const last = reviews.at(-1);
  if (question?.kind === "unsure" && last)
    return payload.choice === "trust"
      ? trustReview({ ...state, reviews: [...reviews.slice(0, -1), { ...last, trusted: true }] })
      : { reviews: reviews.slice(0, -1), ...addReviewersOfWork(state, reviews.slice(0, -1)) };
  if (question?.kind === "comprehension" && payload.choice === "understood" && state.tree)
    return { comprehension: { tree: state.tree.id, seq, words: payload.message } };
  return {};
}

/** Another agent takes the turn; or the same one has all its tries again, after answers that were refused. */
function resetTurnTries({ turn }: State, question: Question | undefined, agent?: string): Partial<State> {
  if (!turn || question?.turn !== turn.id) return {};
  if (agent) return { turn: { ...turn, ...reassignTurn(turn, agent), startFresh: true } };
  return question.kind === "refused" ? { turn: { ...turn, refusedReviews: 0, failures: 0, ends: {} } } : {};
}

/** The review counts now: where critics come in a chain, the next one follows. */
function trustReview(state: State): Partial<State> {
  const task = getCurrentTask(state);
  const known = getTaskProgress(state);
  const after = advanceChain(state);
  if (!task || !known || !after.chain) return { reviews: state.reviews };
  return { reviews: state.reviews, tasks: { ...state.tasks, [task.key]: { ...known, ...after } } };
}

/** An answer to a running turn is delivered to it; any other word of a human becomes a note in the next prompt. */
export function queueHumanMessage(
  state: State,
  seq: number,
  text: string,
  question: Question | undefined,
): Pick<State, "deliveries" | "notes"> {
  const turn = state.turn;
  if (!text) return { deliveries: state.deliveries, notes: state.notes };
  if (turn && turn.status !== "claimed" && question?.turn === turn.id) {
    const words =
      question.kind === "agent" ? `Answer to your question "${shortenText(question.text)}": ${text}` : text;
    const owed: Delivery = {
      message: seq,
      turn: turn.id,
      text: words,
      status: "owed",
      tries: 0,
      ...(question.waiting ? { reply: { ...question.waiting, text } } : {}),
    };
    return { deliveries: [...state.deliveries, owed], notes: state.notes };
  }
  return { deliveries: state.deliveries, notes: [...state.notes, text].slice(-keptNotes) };
}

const shortenText = (text: string) => clip(text, 201);

/** Work continues from here: what was worked before the question is counted already. */
export function applyQuestionWithdrawn(
  state: State,
  { payload, ts }: EnvelopeOf<"QUESTION_WITHDRAWN">,
): State {
  const questions = state.questions.filter((question) => question.id !== payload.question);
  return { ...state, questions, activeSince: ts };
}

export function applyResumed(state: State, envelope: EnvelopeOf<"RESUMED">): State {
  const question =
    state.questions.find((candidate) => candidate.turn === state.turn?.id) ?? state.questions[0];
  const text =
    envelope.payload.message ||
    (question?.kind === "agent"
      ? "The operator resumed without an answer; use your judgement and continue"
      : "");
  const first = queueHumanMessage(state, envelope.seq, text, question);
  // A process that asked several things at once waits for all of them.
  const others = state.questions.filter(
    (one) => one !== question && one.waiting && one.turn === state.turn?.id,
  );
  let known: State = {
    ...state,
    questions: [],
    activeSince: envelope.ts,
    ...first,
    ...resetTurnTries(state, question),
    ...strayAfter(state, envelope),
  };
  for (const one of others) known = { ...known, ...queueHumanMessage(known, envelope.seq, text, one) };
  return known;
}

/** Files that changed outside a turn are kept by a human's word, or are gone. */
function strayAfter({ stray, strayKept = [] }: State, { payload }: EnvelopeOf<"RESUMED">): Partial<State> {
  if (!stray) return {};
  const isKept = payload.how === "keep";
  return {
    stray: [],
    ...(isKept ? { strayKept: [...new Set([...strayKept, ...stray])].slice(-keptStray) } : {}),
  };
}

export function applyDelivery(state: State, { payload, ts }: EnvelopeOf<"DELIVERY">): State {
  const deliveries = state.deliveries.flatMap((owed): Delivery[] => {
    if (owed.message !== payload.message) return [owed];
    if (payload.status === "acknowledged") return [];
    // What nobody read is still owed: a human decides how it gets there.
    return [
      payload.status === "sent"
        ? { ...owed, status: "sent", tries: owed.tries + 1, sentAt: ts }
        : { ...owed, status: "owed" },
    ];
  });
  const { turn, lastTurn } = state;
  return {
    ...state,
    deliveries,
    ...(turn ? { turn: dropUnderWay(turn, payload.message) } : {}),
    ...(lastTurn ? { lastTurn: dropUnderWay(lastTurn, payload.message) } : {}),
  };
}

function dropUnderWay(turn: Turn, message: number): Turn {
  const underWay = turn.underWay?.filter((one) => one !== message);
  return underWay ? { ...turn, underWay } : turn;
}

export function applyDonePackage(state: State, envelope: EnvelopeOf<"DONE_PACKAGE">): State {
  const { tree, artifact, sha256 } = envelope.payload;
  return { ...state, approval: { digest: "", tree, artifact, sha256, seq: envelope.seq, at: envelope.ts } };
}

export function applyApprovalRequest(state: State, envelope: EnvelopeOf<"APPROVAL_REQUEST">): State {
  const { artifact = "", sha256 = "" } = state.approval ?? {};
  const { digest, tree } = envelope.payload;
  return { ...state, approval: { digest, tree, artifact, sha256, seq: envelope.seq, at: envelope.ts } };
}

export function applyApprovalDecision(state: State, envelope: EnvelopeOf<"APPROVAL_DECISION">): State {
  const { decision, message, rounds, door } = envelope.payload;
  const approval = state.approval && {
    ...state.approval,
    decision,
    decidedAt: envelope.ts,
    decidedSeq: envelope.seq,
    ...(door?.passkey ? { passkey: door.passkey } : {}),
  };
  const rework = decision !== "approve";
  const { convergence, ...rest } = state;
  return {
    ...rest,
    ...(approval ? { approval } : {}),
    extraRounds: state.extraRounds + (rounds ?? 0),
    ...(rework
      ? {
          reviews: [],
          ...clearReviewersOfWork(state),
          ...addFindings(state, envelope),
          notes: message ? [message] : [],
        }
      : convergence
        ? { convergence }
        : {}),
  };
}

/** What a human found is fixed whatever its severity, and answered by the next critic. */
function addFindings(
  state: State,
  { payload, round }: EnvelopeOf<"APPROVAL_DECISION">,
): Pick<State, "findings" | "findingCount"> | undefined {
  const { findings = [] } = payload;
  if (findings.length === 0) return undefined;
  const isNew = ({ id }: { id: string }) => !state.findings.some((known) => known.id === id);
  const by = { round, agent: "human", tree: state.approval?.tree ?? "" };
  const ledger = applyReview(state.findings, { findings, answers: [] }, by);
  return {
    findings: order(
      ledger,
      findings.map(({ id }) => id),
    ),
    findingCount: state.findingCount + findings.filter(isNew).length,
  };
}
