// What an agent is told at the start of a turn. One source for every rule told to agents; absolute paths; what a
// role must not see is left out here and nowhere else.
import { lowerHeadings } from "../knowledge/markdown/headings.ts";
import type { Turn } from "../model/state/turn.ts";
import type { State } from "../model/state.ts";
import { findStep, getCurrentTask } from "../state/workflow-position.ts";
import { describeConsequence } from "./consequence.ts";
import { buildDocumentSection } from "./document.ts";
import type { BriefingInputs } from "./inputs.ts";
import { renderBullets, renderSection } from "./parts.ts";
import { buildAuthorSections, describeAuthorAnswer, describeAuthorVerbs } from "./roles/author.ts";
import {
  buildCriticSections,
  buildRepeatReviewSections,
  describeCriticAnswer,
  describeCriticVerbs,
} from "./roles/critic.ts";
import { judgeAnswer, judgeSections, judgeVerbs } from "./roles/judge.ts";
import { buildProducerSections, describeProducerAnswer, describeProducerVerbs } from "./roles/producer.ts";
import { type BriefedSide, findBriefedSide, isMakerSide } from "./side.ts";
import { buildTaskSections } from "./task.ts";

export type { BriefingInputs, Voice } from "./inputs.ts";

/** What each side is told, and the verbs it may end its turn with. */
const sides = {
  producer: {
    tells: buildProducerSections,
    verbs: describeProducerVerbs,
    answer: describeProducerAnswer,
    tools: ["pass", "ask_human"],
  },
  author: {
    tells: buildAuthorSections,
    verbs: describeAuthorVerbs,
    answer: describeAuthorAnswer,
    tools: ["pass", "ask_human"],
  },
  critic: {
    tells: buildCriticSections,
    verbs: describeCriticVerbs,
    answer: describeCriticAnswer,
    tools: ["submit_review", "converged", "ask_human"],
  },
  judge: { tells: judgeSections, verbs: judgeVerbs, answer: judgeAnswer, tools: ["pass", "ask_human"] },
} as const satisfies Record<BriefedSide, object>;

export function buildPrompt(state: State, turn: Turn, inputs: BriefingInputs): string {
  const side = findBriefedSide(state, turn);
  if (inputs.resumed && turn.attempt > 0) return describeReminder(state, turn, inputs, side);
  if (inputs.resumed && isRepeatReview(state, turn)) return buildRepeatPrompt(state, turn, inputs);
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is the ${turn.role}`,
    inputs.roleText.trim(),
    renderSection("Why it is your turn", describeReason(state, turn, side)),
    renderSection("What was wrong with the last attempt", turn.attempt > 0 ? (turn.problem ?? "") : ""),
    renderSection("From the human", describeMessages(state, turn)),
    renderSection("Task", describeTask(state, inputs)),
    buildDocumentSection(state, inputs, side),
    ...buildTaskSections(state, side),
    renderSection("What this step asks", getStepWords(state, inputs)),
    inputs.knowledge?.trim() ?? "",
    ...sides[side].tells(state, inputs),
    renderSection("What happens with your answer", describeConsequence(state, side)),
    renderSection("How to answer", describeHowToAnswer(state, inputs, side)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

/** A session that continues within its turn knows the rest: only what is new, and how to answer. */
function describeReminder(state: State, turn: Turn, inputs: BriefingInputs, side: BriefedSide): string {
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is still the ${turn.role}`,
    `${describeLastAttempt(turn)} Do not start from the beginning: what you did so far is in ${isMakerSide(side) ? "the worktree and in " : ""}this session.`,
    renderSection("What was wrong", turn.problem ?? ""),
    renderSection("From the human", describeMessages(state, turn)),
    renderSection("How to answer", describeHowToAnswer(state, inputs, side)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

/** What became of the last attempt, as the agent knows it. */
function describeLastAttempt({ ended, problem }: Turn): string {
  if (ended === "asked" && problem === undefined)
    return "You asked, and the human has answered. Continue with the answers.";
  if (ended === "garbage")
    return "You answered, and the answer was refused: nothing of it counts. Correct what is named below and answer again.";
  if (ended === "unfinished")
    return "You said that you were not ready. Continue, and hand over when you are.";
  return "Your process ended before you handed over. Continue where you were.";
}

/** A gate that reviews in the session of its last review. */
function isRepeatReview(state: State, turn: Turn): boolean {
  const step = findStep(state, turn.step);
  return (
    step?.kind === "turn" && step.last_session === "resumed" && findBriefedSide(state, turn) === "critic"
  );
}

/** The gate knows the task and what it judged before: it is told what is new. */
function buildRepeatPrompt(state: State, turn: Turn, inputs: BriefingInputs): string {
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is the ${turn.role} again`,
    "You have judged this before in this session, and the task and your role are the same. Judge it as it stands now: what you said before does not count for it, and what you passed over before may still be wrong.",
    renderSection("Why it is your turn", explainCritic(state, turn)),
    renderSection("From the human", describeMessages(state, turn)),
    ...buildRepeatReviewSections(state, inputs),
    renderSection("What happens with your answer", describeConsequence(state, "critic")),
    renderSection("How to answer", describeHowToAnswer(state, inputs, "critic")),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function describeHowToAnswer(state: State, inputs: BriefingInputs, side: BriefedSide): string {
  if (inputs.voice === "json") return sides[side].answer(state, inputs);
  const verbs = sides[side].verbs(state, inputs);
  return inputs.voice === "verbs" ? verbs : `${describeTools(state, side)}\n\n${verbs}`;
}

/** The one line that goes into a pane or onto a command line. */
export function buildTurnNotice(
  state: State,
  turn: Turn,
  promptPath: string,
  voice: "tools" | "verbs",
): string {
  const how =
    voice === "verbs"
      ? "answer with pairflow pass, converged or ask-human"
      : `answer with the ${joinWithOr(listTools(state, findBriefedSide(state, turn)))} tool of the MCP server pairflow`;
  return `[pairflow] ${state.bubbleId}, round ${state.round}: you are the ${turn.role}. Read ${promptPath} and do what it says; ${how}.`;
}

const joinWithOr = (names: readonly string[]) => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** A loop with conditions of its own ends by them: nobody claims there that it has converged. */
function listTools(state: State, side: BriefedSide): string[] {
  return sides[side].tools.filter((name) => name !== "converged" || !getCurrentTask(state)?.overlay);
}

/** How the tools take what the flags say, where the names differ. */
const likeFlags: Readonly<Record<BriefedSide, string>> = {
  producer: " (`--test-plan` is `package.test_plan`)",
  critic:
    ' (`--fixed F1` is `{"id":"F1","status":"fixed"}` in `answers`; `--checked` and `--finding` are objects with `file`, `line`, `quote` and `why`; a review as a file is the object `review`)',
  author: "",
  judge: "",
};

function describeTools(state: State, side: BriefedSide): string {
  const names = listTools(state, side).map((name) => `\`${name}\``);
  return [
    `End your turn with exactly one call of a tool of the MCP server \`pairflow\` (if you do not see them, search for them): ${joinWithOr(names)}.`,
    `The commands below say the same on a command line, for sessions without that server${likeFlags[side]}:`,
  ].join("\n\n");
}

/** The headings of a task are below those of the prompt. */
function describeTask(state: State, { task, worktree }: BriefingInputs): string {
  return [`Worktree: ${worktree}`, describeWorktreeNotes(state), lowerHeadings(task, 3)]
    .filter(Boolean)
    .join("\n\n");
}

/** The words of the step, where they say more than those of the task it belongs to. */
function getStepWords(state: State, { asked = "" }: BriefingInputs): string {
  return asked.trim() === getCurrentTask(state)?.text?.trim() ? "" : lowerHeadings(asked, 3);
}

/** What an agent would otherwise look for in vain. */
const describeWorktreeNotes = ({ workspace }: State) =>
  renderBullets((workspace?.notes ?? []).filter((note) => note.startsWith("submodules ")));

function describeReason(state: State, turn: Turn, side: BriefedSide): string {
  if (isMakerSide(side)) return turn.why;
  return side === "critic" ? explainCritic(state, turn) : "This tree waits for a score.";
}

/** A critic learns why its last review was refused, and nothing of what others thought of this tree. */
function explainCritic(state: State, turn: Turn): string {
  return state.position.refusals > 0 ? turn.why : "This tree waits for a review.";
}

function describeMessages(state: State, turn: Turn): string {
  const owed = state.deliveries
    .filter((delivery) => delivery.turn === turn.id)
    .map((delivery) => delivery.text);
  return renderBullets([...state.notes, ...owed]);
}
