// What an agent is told at the start of a turn. One source for every rule told to agents; absolute paths; what a
// role must not see is left out here and nowhere else.
import type { State, Turn } from "../model/state.ts";
import { criterionId } from "../review/subjects.ts";
import { criticAnswer, criticSections, criticVerbs } from "./critic.ts";
import type { BriefingInputs } from "./inputs.ts";
import { bullets, section } from "./parts.ts";
import { producerAnswer, producerSections, producerVerbs } from "./producer.ts";

export type { BriefingInputs, Voice } from "./inputs.ts";

export function briefing(state: State, turn: Turn, inputs: BriefingInputs): string {
  const isCritic = turn.role === state.program.loop.critic;
  if (inputs.resumed && turn.attempt > 0) return reminder(state, turn, inputs, isCritic);
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is the ${turn.role}`,
    inputs.roleText.trim(),
    section("Why it is your turn", isCritic ? criticWhy(state, turn) : turn.why),
    section("What was wrong with the last attempt", turn.attempt > 0 ? (turn.problem ?? "") : ""),
    section("From the human", messages(state, turn)),
    section("Task", `${inputs.task.trim()}\n\nWorktree: ${inputs.worktree}`),
    section("Acceptance criteria", bullets(criteria(state, isCritic))),
    inputs.knowledge?.trim() ?? "",
    ...(isCritic ? criticSections(state, inputs) : producerSections(state)),
    section("How to answer", howToAnswer(state, inputs, isCritic)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

/** A critic proves each criterion by its number. */
function criteria({ task }: State, isCritic: boolean): string[] {
  return isCritic ? task.criteria.map((text, i) => `**${criterionId(i)}** ${text}`) : [...task.criteria];
}

/** A session that goes on within its turn knows the rest: only what is new, and how to answer. */
function reminder(state: State, turn: Turn, inputs: BriefingInputs, isCritic: boolean): string {
  const sections = [
    `# ${state.bubbleId} · round ${state.round} · ${turn.agent} is still the ${turn.role}`,
    "You were interrupted or did not hand over. Go on where you were; do not start from the beginning.",
    section("What was wrong", turn.problem ?? ""),
    section("From the human", messages(state, turn)),
    section("How to answer", howToAnswer(state, inputs, isCritic)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function howToAnswer(state: State, inputs: BriefingInputs, isCritic: boolean): string {
  if (inputs.voice === "json") return isCritic ? criticAnswer(state) : producerAnswer(state, inputs);
  const verbs = isCritic ? criticVerbs(state) : producerVerbs(state, inputs);
  return inputs.voice === "verbs" ? verbs : `${tools(isCritic)}\n\n${verbs}`;
}

/** The one line that goes into a pane or onto a command line. */
export function notice(state: State, turn: Turn, promptPath: string, voice: "tools" | "verbs"): string {
  const isCritic = turn.role === state.program.loop.critic;
  const how =
    voice === "verbs"
      ? "answer with pairflow pass, converged or ask-human"
      : `answer with the ${isCritic ? "submit_review, converged or ask_human" : "pass or ask_human"} tool of the MCP server pairflow`;
  return `[pairflow] ${state.bubbleId}, round ${state.round}: you are the ${turn.role}. Read ${promptPath} and do what it says; ${how}.`;
}

function tools(isCritic: boolean): string {
  return [
    `End your turn with exactly one call of a tool of the MCP server \`pairflow\` (if you do not see them, search for them): ${
      isCritic ? "`submit_review`, `converged` or `ask_human`" : "`pass` or `ask_human`"
    }.`,
    "The commands below say the same on a command line, for sessions without that server:",
  ].join("\n\n");
}

/** A critic learns why its last review was refused, and nothing of what others thought of this tree. */
function criticWhy(state: State, turn: Turn): string {
  return state.position.refusals > 0 ? turn.why : "This tree waits for a review.";
}

function messages(state: State, turn: Turn): string {
  const owed = state.deliveries
    .filter((delivery) => delivery.turn === turn.id)
    .map((delivery) => delivery.text);
  return bullets([...state.notes, ...owed]);
}
