// The transcript as people read it: one line a message, without the referee's housekeeping unless asked for.

import { harmless } from "../../../core/limits/reactions.ts";
import type { Envelope } from "../../../core/model/record/envelope.ts";
import type { TimelineRow } from "../../../core/views/history/timeline.ts";
import { createInk, cut, toPlainLine } from "../../terminal/style.ts";
import { nameSender } from "../sender.ts";
import { pad } from "../table.ts";
import { formatTimeOfDay } from "../time.ts";

/** Lines that say how the machine got there rather than what happened between the people and agents. */
const housekeeping = new Set<Envelope["type"]>([
  "START_REQUESTED",
  "WORKSPACE_READY",
  "DRIVER_CLAIMED",
  "STEP_ADVANCED",
  "TURN_STARTED",
  "TURN_SPAWNED",
  "TURN_SESSION",
  "TURN_USAGE",
  "DELIVERY",
  "CONTEXT_ASSEMBLED",
  "CHILD_STARTED",
  "PAIR_SESSION",
  "FINISHED",
]);

/** A turn that ended without an answer is news, and so is a handoff that changed or broke something. */
export function isHousekeeping(envelope: Envelope): boolean {
  if (envelope.type === "TURN_ENDED") return harmless.includes(envelope.payload.outcome);
  if (envelope.type === "HANDOFF") {
    const { files_total, problems, put_back } = envelope.payload;
    return files_total === 0 && problems.length === 0 && put_back === undefined;
  }
  return housekeeping.has(envelope.type);
}

/** One row: `12  09:18:22  claude        PASS               "…" · P1 Total ignores discount  cart.ts:41`. */
export function renderTimelineRow(
  row: TimelineRow,
  { colour, width = Number.POSITIVE_INFINITY }: { readonly colour: boolean; readonly width?: number },
): string {
  const paint = createInk(colour);
  const who = row.who === "orchestrator" ? paint.dim(nameSender(row.who)) : row.who;
  const what = row.what === row.what.toUpperCase() ? paint.accent(row.what) : row.what;
  const start = [
    String(row.seq).padStart(3),
    paint.dim(formatTimeOfDay(row.ts)),
    pad(who, 12),
    pad(what, 17),
  ].join("  ");
  const unnamed = row.refs.filter((ref) => !row.text.includes(ref));
  const refs = unnamed.length > 0 ? `    ${paint.dim(unnamed.map(toPlainLine).join("  "))}` : "";
  return cut(`${start}  ${toPlainLine(row.text)}${refs}`.trimEnd(), width);
}
