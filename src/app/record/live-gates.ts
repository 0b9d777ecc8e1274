// What the gates that run now have printed last, for people who wait. Read beside the record, from the driver's note.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { findLastOutputLine, parseRunningGates, runningNote } from "../../core/gates/running.ts";
import { countContinuationBytes } from "../../core/model/value/sizes.ts";
import type { RecordWorld } from "../../engine/world/world.ts";

export interface LiveGate {
  readonly name: string;
  /** When it started. */
  readonly since: string;
  /** The last line it printed; "" when it printed nothing yet. */
  readonly last: string;
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
    last: typeof says === "string" ? says : findLastOutputLine(world.redaction.redact(endOf(output))),
  }));
}

const enough = 16 * 1024;

function endOf(file: string): string {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, enough));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", size > enough ? countContinuationBytes(bytes) : 0);
  } catch {
    return ""; // Just begun, or over: both are shown a moment later.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
