// What the scenarios of the agents' contract stand on: one adapter, its settings, and conversations with its program.
import type { AgentSettings } from "../../core/model/config.ts";
import type { AgentAdapter, TurnEvent } from "../../ports/agent/adapter.ts";
import { buildTurnRequestFor, type PlayedTurn, play, type Recording } from "./play.ts";

export interface AgentRig {
  readonly adapter: AgentAdapter;
  /** Settings that are good and use every ability. */
  readonly settings: AgentSettings;
  /** Conversations with the real program, recorded earlier or held now. */
  recordings(): Promise<readonly Recording[]>;
  /** A conversation whose final answer is this value. */
  answering?(answer: unknown): Promise<Recording>;
  close(): Promise<void>;
}

/** Plays every recording that is wanted. */
export async function playAll(rig: AgentRig, wanted: (recording: Recording) => boolean) {
  const recordings = (await rig.recordings()).filter(wanted);
  return recordings.map((recording) => ({ recording, played: playOn(rig, recording) }));
}

export function playOn(
  { adapter, settings }: AgentRig,
  recording: Recording,
  stopAfter?: number,
): PlayedTurn {
  return play(adapter, buildTurnRequestFor(settings, recording.turn), recording, stopAfter);
}

/** The answer with which a turn ended, or undefined when it ended otherwise. */
export function getTurnAnswer(events: readonly TurnEvent[]): unknown {
  const over = events.find((event) => event.type === "over");
  return over?.type === "over" && over.end.outcome === "answered" ? over.end.answer : undefined;
}
