// What the gates that run now have printed last, for people who wait. Read beside the record, from the driver's note.
import { findLastOutputLine, parseRunningGates, runningNote } from "../../core/gates/running.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { readEnd } from "./output-end.ts";

export interface LiveGate {
  readonly name: string;
  /** When it started. */
  readonly since: string;
  /** The last line it printed; "" when it printed nothing yet. */
  readonly last: string;
}

export interface GateOutput {
  readonly name: string;
  readonly since: string;
  /** The end of what it printed, as it printed it. */
  readonly output: string;
}

/** The gates that run now. Ask only while a driver lives: a dead one leaves its note behind. */
export async function readLiveGates(
  world: Pick<RecordWorld, "runtime" | "redaction">,
  bubble: string,
): Promise<LiveGate[]> {
  const note = await world.runtime.noted(bubble, runningNote);
  return parseRunningGates(note).map(({ name, since, output, says, network }) => ({
    name: network === true ? `${name} (with network)` : name,
    since,
    last:
      typeof says === "string" ? says : findLastOutputLine(world.redaction.redact(readEnd(output, enough))),
  }));
}

/** The gates that run now, with what they printed so far. */
export async function readGateOutputs(
  world: Pick<RecordWorld, "runtime" | "redaction">,
  bubble: string,
): Promise<GateOutput[]> {
  const note = await world.runtime.noted(bubble, runningNote);
  return parseRunningGates(note).map(({ name, since, output, says }) => ({
    name,
    since,
    output: typeof says === "string" ? says : world.redaction.redact(readEnd(output, wholeScreen)),
  }));
}

const wholeScreen = 64 * 1024;
const enough = 16 * 1024;
