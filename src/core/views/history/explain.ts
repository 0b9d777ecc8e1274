// Why each round continued or stopped, from the log alone: the referee's own reasons, one sentence a round.
import { evolve } from "../../bubble/evolve.ts";
import { isGreen } from "../../judge/convergence.ts";
import type { Door } from "../../model/door.ts";
import type { Program } from "../../model/program.ts";
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import type { QuestionKind } from "../../model/record/question-kind.ts";
import type { State } from "../../model/state.ts";
import { clip } from "../../model/value/sizes.ts";
import { describePasskey } from "../../permission/proof/door.ts";
import { describeChange, readFrom } from "../../state/settings.ts";
import { getCurrentTask, getIteration } from "../../state/workflow-position.ts";
import { explainWorkflow } from "./explain-workflow.ts";

/** Outcomes that end a round or the loop; the others are moves inside one. */
const telling: Readonly<Record<string, (round: string, why: string) => string>> = {
  revise: (round, why) => `${round} continued: ${why}`,
  fail: (round, why) => `${round} continued: ${why}`,
  refused: (round, why) => `${round}: ${why}`,
  swap: (round, why) => `${round} swapped roles: ${why}`,
  package: (round, why) => `${round} continued: ${why}`,
  tie_break: (round, why) => `${round} asked a human: ${why}`,
  dispute: (round, why) => `${round} asked a human: ${why}`,
  stuck: (round, why) => `${round} asked a human: ${why}`,
  converged: (_round, why) => `converged: ${why}`,
  accept: (round, why) => `${round} ended: ${why}`,
  continue: (round, why) => `${round} continued: ${why}`,
  waive: (round, why) => `${round}: ${why}`,
  fix: (round, why) => `${round} continued: ${why}`,
  uphold: (round, why) => `${round} continued: ${why}`,
  kept: (round, why) => `${round}: ${why}`,
  reject: (round, why) => `${round}: ${why}`,
  exit: (round, why) => `${round} ended the loop: ${why}`,
  subtask: (round, why) => `${round} finished a part: ${why}`,
  switch: (round, why) => `${round} swapped roles: ${why}`,
  unsure: (round, why) => `${round} asked a human: ${why}`,
  signoff: (round, why) => `${round} asked a human to sign: ${why}`,
  failed: (round, why) => `${round} continued: ${why}`,
  approve: (round, why) => `${round}: ${why}`,
  rework: (round, why) => `${round} continued: ${why}`,
  timeout: (round, why) => `${round} ran out of time: ${why}`,
};

export interface Explanation {
  readonly seq: number;
  readonly round: number;
  readonly text: string;
}

export function explain(envelopes: readonly Envelope[]): Explanation[] {
  const lines: Explanation[] = [];
  let round = 0;
  let program: Program | undefined;
  let folded: State | undefined;
  const asked = new Map<string, string>();
  const ending = new Set(envelopes.filter(isStop).map(({ batch }) => batch.id));
  for (const envelope of envelopes) {
    if (envelope.type === "BUBBLE_CREATED") program = envelope.payload.program;
    // The line that ends the bubble says the same.
    const isSaid = ending.has(envelope.batch.id) && isBeforeStop(envelope);
    const text = isSaid
      ? undefined
      : (explainEnvelope(envelope, { round, name: getRoundName(round, folded), program }) ??
        explainQuestion(envelope, asked));
    if (text) lines.push({ seq: envelope.seq, round, text });
    // Only phases have rounds of their own: without them the number on the lines is enough.
    if (program?.phases) folded = evolve(folded, envelope);
    if (envelope.type === "STEP_ADVANCED") round = envelope.payload.round;
  }
  return lines;
}

/** Questions that no step of the workflow asks; the others are told with the step. */
const outsideSteps: readonly QuestionKind[] = [
  "git-settings",
  "base-gates",
  "final-gates",
  "budget",
  "timeout",
];

function explainQuestion(envelope: Envelope, asked: Map<string, string>): string | undefined {
  if (envelope.type === "HUMAN_QUESTION" && outsideSteps.includes(envelope.payload.kind)) {
    asked.set(`q${envelope.seq}`, envelope.payload.kind);
    return `a human was asked: ${getFirstSentence(envelope.payload.question)}`;
  }
  if (envelope.type !== "HUMAN_REPLY" || !asked.has(envelope.payload.question)) return undefined;
  const { choice, message } = envelope.payload;
  return `the human chose ${[choice ?? "to answer", message].filter(Boolean).join(": ")}`;
}

/** Up to the first full stop that ends a sentence, or the end of the line. */
const getFirstSentence = (text: string): string =>
  clip(/^.*?(?=\. |\.?\n|\.?$)/.exec(text)?.[0] ?? text, 300);

const isStop = ({ type }: Envelope) => type === "CANCELLED" || type === "FAILED";

const isBeforeStop = ({ type, payload }: Envelope) =>
  type === "RUN_RESULT" || (type === "STEP_ADVANCED" && payload.outcome === "reject");

/** `round 2`; within a phase as `pipeline status` counts it: `plan, round 2`. */
function getRoundName(round: number, folded: State | undefined): string {
  const phase = folded && getCurrentTask(folded)?.key;
  return folded && phase ? `${phase}, round ${getIteration(folded)}` : `round ${round}`;
}

interface Round {
  readonly round: number;
  readonly name: string;
  readonly program: Program | undefined;
}

function explainEnvelope(envelope: Envelope, round: Round): string | undefined {
  return envelope.type === "STEP_ADVANCED"
    ? explainAdvance(envelope.payload, round)
    : (explainWorkflow(envelope) ?? explainEnding(envelope));
}

function explainAdvance(
  { from, to, outcome, why, held, swap, round: next }: EnvelopeOf<"STEP_ADVANCED">["payload"],
  { round, name, program }: Round,
): string | undefined {
  if (held) return `${name} was the last of the budget: ${why}`;
  const left = program?.steps.find(({ name }) => name === from);
  const entered = program?.steps.find(({ name }) => name === to);
  // A condition that does not hold is a way through the workflow, not a verdict about a round.
  const told = left?.kind === "branch" ? undefined : telling[outcome]?.(name, why);
  // Whatever led to another round of the same task is why this one was not the last; a new task has a line of its own.
  const isAgain = round > 0 && next > round && left?.task === entered?.task;
  const text = told ?? (isAgain ? `${name} continued: ${why}` : undefined);
  return text && swap && !text.includes("swapped") ? `${text}; the roles swapped` : text;
}

/** The sentences of the package, as they stand on the record. */
const joinSentences = (sentences: readonly string[]): string =>
  sentences.length > 0
    ? `approval is asked for; to know before signing: ${sentences.join("; ")}`
    : "approval is asked for";

function pauseSentence({ type, payload }: EnvelopeOf<"PAUSED"> | EnvelopeOf<"PAUSE_ENDED">): string {
  const { parent, door, message } = payload;
  const who = parent ? `${parent} was ${type === "PAUSED" ? "paused" : "resumed"}, and this with it` : "";
  const did = type === "PAUSED" ? "paused it" : "resumed it";
  return `${who || `a human${door ? ` (${door.user})` : ""} ${did}`}${message ? `: ${message}` : ""}`;
}

function explainEnding(envelope: Envelope): string | undefined {
  switch (envelope.type) {
    case "GATES_RESULT":
      return explainGates(envelope.payload);
    case "PAUSED":
    case "PAUSE_ENDED":
      return pauseSentence(envelope);
    case "GATES_WAIVED": {
      const { gates, reason, via } = envelope.payload;
      return `a human waived ${gates.join(", ")} by ${via}: ${reason}`;
    }
    case "CONFIGURED": {
      const { values, changed, read_at: readAt } = envelope.payload;
      return `settings changed: ${(values?.map(describeChange) ?? changed).join(", ")} (${readFrom(readAt)})`;
    }
    case "TREE_CHANGED":
      return `files changed while no agent was at work: ${envelope.payload.files.join(", ")}`;
    case "TREE_RESTORED":
      return `a human had the tree put back by ${envelope.payload.via}; what was undone is kept as ${envelope.payload.patch}`;
    case "DONE_PACKAGE":
      return joinSentences(envelope.payload.weak);
    case "APPROVAL_DECISION":
      return envelope.payload.decision === "approve"
        ? `a human approved digest ${envelope.payload.digest.slice(0, 12)} by ${envelope.payload.via}${describeDoor(envelope.payload.door)}`
        : undefined;
    case "COMMITTED":
      return `committed ${envelope.payload.commit.slice(0, 10)} on ${envelope.payload.branch}`;
    case "FAILED":
      return `failed: ${envelope.payload.message}`;
    case "CANCELLED":
      return `cancelled: ${envelope.payload.reason}`;
    default:
      return undefined;
  }
}

/** `, bash (process 12) since 09:12 under sshd`, and what is not proven. */
function describeDoor(door: Door | undefined): string {
  if (!door) return "";
  const { user, terminal, leader, ancestors = [], unproven, passkey } = door;
  const above = ancestors.map(({ program }) => program).slice(0, 4);
  const under = above.length > 0 ? ` under ${above.join(" < ")}` : "";
  const session = leader
    ? `, ${leader.program} (process ${leader.pid}) since ${leader.started_at}${under}`
    : "";
  const where = terminal ? ` at ${terminal}` : "";
  const key = passkey ? `, by the ${describePasskey(passkey)}` : "";
  return `: ${user}${where}${session}${key}${unproven ? `; door unproven: ${unproven}` : ""}`;
}

/** Only what the next step does not say: gates that were killed, and those that failed once and passed once. */
function explainGates({
  results,
  again,
  base,
  clean,
}: EnvelopeOf<"GATES_RESULT">["payload"]): string | undefined {
  if (base) return explainBase(results, clean?.problem, base.ran_at);
  const killed = results.filter(({ name }) => again?.includes(name));
  const said = [
    ...killed.map(({ name, hint }) => `${name} was ${hint ?? "killed"}, and is run once more`),
    ...results
      .filter(({ flaky }) => flaky)
      .map(({ name }) => `${name} is flaky: it failed and then passed on the same tree`),
  ];
  return said.length > 0 ? said.join("; ") : undefined;
}

/** Nothing is said of a base that is green. */
function explainBase(
  results: EnvelopeOf<"GATES_RESULT">["payload"]["results"],
  problem: string | undefined,
  ranAt: string | undefined,
): string | undefined {
  if (problem) return `the base could not be made ready for its gates: ${problem.split("\n")[0]}`;
  const red = results.filter((result) => !isGreen(result)).map(({ name }) => name);
  const kept = ranAt ? ` (from the cache, run at ${ranAt})` : "";
  return red.length > 0 ? `red before anybody began: ${red.join(", ")}${kept}` : undefined;
}
