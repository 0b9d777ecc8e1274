// Which gates run at this moment, noted beside the record for people who watch.
import { type RunningGate, runningNote } from "../../core/gates/running.ts";
import type { World } from "../world/world.ts";

export interface LiveBoard {
  started(gate: RunningGate): Promise<void>;
  ended(name: string): Promise<void>;
  /** How far this one is, in the place of what was said of it before. */
  shows(one: RunningGate): Promise<void>;
  clear(): Promise<void>;
}

/** A board that holds the gates of one run. */
export function createLiveBoard(world: World, bubble: string): LiveBoard {
  let running: readonly RunningGate[] = [];
  const show = (gates: readonly RunningGate[]) => {
    running = gates;
    return world.runtime.note(bubble, runningNote, gates.length > 0 ? JSON.stringify(gates) : "");
  };
  return {
    started: (gate) => show([...running, gate]),
    ended: (name) => show(running.filter((gate) => gate.name !== name)),
    shows: (one) => show([...running.filter(({ name }) => name !== one.name), one]),
    clear: () => show([]),
  };
}
