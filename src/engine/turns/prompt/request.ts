// What an adapter is told about a turn: put together when the turn starts, and again by a driver that takes it over.
import {
  buildAnswerSchema,
  buildCheckpointSchema,
  buildPaperAnswerSchema,
} from "../../../core/answer/schema.ts";
import { buildTurnNotice } from "../../../core/briefing/prompt.ts";
import { getAnswerKind } from "../../../core/interpreter/interpret.ts";
import { buildFacts } from "../../../core/judge/facts.ts";
import type { AgentSettings } from "../../../core/model/config.ts";
import { assertInvariant } from "../../../core/model/refusal.ts";
import type { Turn } from "../../../core/model/state/turn.ts";
import type { State } from "../../../core/model/state.ts";
import { findAskedPaper } from "../../../core/paper/context.ts";
import { getAgentSettings } from "../../../core/state/agents.ts";
import { findStep, getCurrentTask, isProducer } from "../../../core/state/workflow-position.ts";
import { fillText } from "../../../core/workflow/template.ts";
import type { AgentAdapter, TurnRequest } from "../../../ports/agent/adapter.ts";
import { Failure } from "../../../ports/failure.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";

export interface ChosenAdapter {
  readonly adapter: AgentAdapter;
  readonly settings: AgentSettings;
}

/** The adapter of the agent that has the turn, and its settings. */
export function chooseAdapter(world: World, state: State, turn: Turn): ChosenAdapter {
  const own = getAgentSettings(state.config.agent, turn.agent, Object.keys(world.agents));
  const model = getModel(state, turn);
  const settings = model ? { ...own, model } : own;
  const adapter = world.agents[settings.adapter];
  if (adapter) return { adapter, settings };
  throw new Failure("agent.no-adapter", `there is no adapter ${settings.adapter} for agent ${turn.agent}`, {
    hint: `known: ${Object.keys(world.agents).join(", ")}; set [agent.${turn.agent}] adapter in bubble.toml`,
  });
}

function buildSchema(state: State): TurnRequest["answerSchema"] {
  const kind = getAnswerKind(state);
  if (kind === "paper") {
    const asked = findAskedPaper(state);
    assertInvariant(asked, "a turn that hands in a paper names a kind that exists");
    return buildPaperAnswerSchema(asked);
  }
  return kind === "handoff" && getCurrentTask(state)?.checkpoints === "claim"
    ? buildCheckpointSchema()
    : buildAnswerSchema(kind);
}

/** The model a step names for its turn. */
function getModel(state: State, turn: Turn): string {
  const step = findStep(state, turn.step);
  return step?.kind === "turn" && step.model ? fillText(step.model, buildFacts(state)).text.trim() : "";
}

/** Who hands over files may change them; a reviewer of them, or the author of a paper, may not. */
function mayWriteFiles(state: State, turn: Turn): boolean {
  const step = findStep(state, turn.step);
  return isProducer(state, turn.role) && !(step?.kind === "turn" && step.answer === "paper");
}

export interface Attempt {
  readonly session: string;
  readonly fresh: boolean;
  /** Name of the artifact with the prompt. */
  readonly prompt: string;
  readonly text: string;
  /** A sandbox of ours is there for agents that have none. */
  readonly confined?: boolean;
}

export async function buildTurnRequest(
  world: World,
  state: State,
  turn: Turn,
  { adapter, settings }: ChosenAdapter,
  attempt: Attempt,
): Promise<TurnRequest> {
  const promptFile = await world.records.here(state.bubbleId, attempt.prompt);
  return {
    settings,
    agent: turn.agent,
    role: turn.role,
    session: attempt.session,
    fresh: attempt.fresh,
    notice: buildTurnNotice(state, turn, promptFile, adapter.voice.pane),
    promptFile,
    prompt: attempt.text,
    answerSchema: buildSchema(state),
    worktree: getWorkspacePlace(world, state).path,
    out: world.paths.out(getWorkspacePlace(world, state).path, turn.id),
    readOnly: !mayWriteFiles(state, turn),
    confined: attempt.confined ?? false,
  };
}

/** The line that the attempt in a pane was started with. */
export function buildStartNotice(world: World, state: State, turn: Turn): string {
  const promptFile = world.records.path(state.bubbleId, turn.prompt ?? "");
  return buildTurnNotice(state, turn, promptFile, chooseAdapter(world, state, turn).adapter.voice.pane);
}

/** The request of the attempt that runs now, as it was when it started. */
export async function rebuildRunningRequest(
  world: World,
  state: State,
  turn: Turn,
  chosen: ChosenAdapter,
): Promise<TurnRequest> {
  const prompt = turn.prompt ?? "";
  const bytes = await world.records.get(state.bubbleId, prompt);
  return buildTurnRequest(world, state, turn, chosen, {
    session: turn.session ?? "",
    fresh: turn.fresh ?? true,
    prompt,
    text: bytes ? new TextDecoder().decode(bytes) : "",
    confined: turn.sandboxed ?? false,
  });
}
