// What an agent in a role would be told now, for a person who wants to know: the engine's own text, and beside it what
// the role is kept from seeing.
import { chooseSession } from "../../core/judge/sessions.ts";
import { listWithheld, type Withheld } from "../../core/knowledge/withheld.ts";
import type { StepOf } from "../../core/model/program.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { isProducer } from "../../core/state/workflow-position.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { buildTurnPrompt, chooseAdapter, type PromptOptions } from "../../engine/front/effects.ts";
import { readPinnedKnowledge } from "../../engine/front/facts.ts";
import type { World } from "../../engine/front/world.ts";
import { getOutFolder } from "../host/locate.ts";
import { buildUsageError } from "../host/usage.ts";

export interface Brief {
  readonly role: string;
  readonly agent: string;
  /** It has been told already; it has the turn and is about to be told; or it would be, if it had the turn now. */
  readonly when: "told" | "due" | "would";
  readonly text: string;
  readonly kept: readonly Withheld[];
}

/** Puts it together; nothing is started, and nothing written. */
export async function buildKnowledgeBrief(world: World, state: State, role: string): Promise<Brief> {
  const step = buildStep(state, role);
  const turn = buildTurn(state, step);
  const told = await readToldText(world, state, turn);
  const text =
    told ??
    (await buildTurnPrompt(
      createReadOnlyWorld(world),
      beginFirstRound(state),
      turn,
      buildTelling(world, state, turn, step),
    ));
  const read = await readPinnedKnowledge(world, state);
  if (!read.ok) throw read.refusal;
  const kept = listWithheld(read.knowledge, {
    side: isProducer(state, role) ? "producer" : "critic",
    blind: state.config.review.blind,
    seesSummary: state.config.reviewer_sees_summary,
  });
  const when = told !== undefined ? "told" : turn === state.turn ? "due" : "would";
  return { role, agent: turn.agent, when, text, kept };
}

/** The prompt of an attempt that runs is on the record, word for word. */
async function readToldText(world: World, state: State, turn: Turn): Promise<string | undefined> {
  if (turn.status === "due" || !turn.prompt) return undefined;
  const bytes = await world.records.get(state.bubbleId, turn.prompt);
  return bytes && new TextDecoder().decode(bytes);
}

function buildStep(state: State, role: string): StepOf<"turn"> {
  const turns = state.program.steps.filter((step): step is StepOf<"turn"> => step.kind === "turn");
  const found = turns.find((step) => step.role === role);
  if (found) return found;
  const roles = [...new Set(turns.map((step) => step.role))];
  throw buildUsageError(
    "knowledge.unknown-role",
    `${state.bubbleId} has no role ${role}${suggestWord(role, roles)}`,
  );
}

/**
 * The turn the role has; for a role that has none, the turn it would get if it were its turn now: the agent that is
 * bound to the role, the next turn's number, and no attempt yet.
 */
function buildTurn(state: State, step: StepOf<"turn">): Turn {
  if (state.turn?.role === step.role) return state.turn;
  return {
    id: `t${state.turnCount + 1}`,
    step: step.name,
    role: step.role,
    agent: state.roles[step.role] ?? state.config.agents[step.role] ?? step.role,
    status: "due",
    attempt: 0,
    failures: 0,
    why: state.position.step === null ? "the bubble starts" : state.position.why,
    since: state.lastAt,
  };
}

/** As the engine would: whether the session continues, and how this agent hands over. */
function buildTelling(world: World, state: State, turn: Turn, step: StepOf<"turn">): PromptOptions {
  const { adapter, settings } = chooseAdapter(world, state, turn);
  const isHeadless = world.seats.kind === "process";
  const resumes =
    adapter.resumes?.(settings, isHeadless ? "headless" : "pane") ?? adapter.can.resume === "yes";
  return {
    resumed: chooseSession(state, turn, step).resume !== undefined && resumes,
    voice: isHeadless ? adapter.voice.headless : adapter.voice.pane,
  };
}

/** Before its start a bubble is in no round; the first agent is told of the first round. */
const beginFirstRound = (state: State): State => ({ ...state, round: Math.max(1, state.round) });

/** The folder for files that are handed in is named, not made. */
const createReadOnlyWorld = (world: World): World => ({
  ...world,
  paths: { ...world.paths, out: getOutFolder },
});
