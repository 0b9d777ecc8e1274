// The record from its first byte, for callers that grant, start or sign: the log itself, and what lies beside it; and the fold of
// lines that somebody else has read.
import { fold } from "../../core/bubble/evolve.ts";
import { type Envelope, parseEnvelope } from "../../core/model/record/envelope.ts";
import { refuse } from "../../core/model/refusal.ts";
import { buildStatusView, type StatusView } from "../../core/views/bubble/status.ts";
import { type FoldedLog, loadGood } from "../../engine/front/command.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { toTroubleFailure } from "../../ports/record/log.ts";
import { findCutEnd, listBesideLog } from "../verify/cut-off.ts";

/** What the good part says, and why that is not all. */
export async function readWhole(world: RecordWorld, repo: string, bubble: string): Promise<FoldedLog> {
  const beside = await listBesideLog(world, repo, bubble);
  const folded = await loadGood(world, bubble, true);
  if (folded.trouble) return folded;
  const trouble = await findCutEnd(world, bubble, beside, folded.state);
  return trouble ? { ...folded, trouble } : folded;
}

/** The same for callers that act: throws `log.damaged` or `log.newer`. */
export async function loadWhole(world: RecordWorld, repo: string, bubble: string): Promise<FoldedLog> {
  const folded = await readWhole(world, repo, bubble);
  if (folded.trouble) throw toTroubleFailure(bubble, folded.trouble);
  return folded;
}

/**
 * The status that lines come to by themselves, for a program that has them in its hands: nothing is read and nobody is asked. They
 * are taken at their word.
 */
export function foldLines(lines: readonly unknown[]): StatusView {
  const envelopes = lines.map((line, i): Envelope => {
    const read = parseEnvelope(line);
    if (typeof read === "string") throw refuseLines(`line ${i + 1} is no line of a record: ${read}`);
    return read;
  });
  const isWhole = envelopes.every(
    ({ type, seq }, i) => (type === "BUBBLE_CREATED") === (i === 0) && seq === i + 1,
  );
  const state = isWhole ? fold(envelopes) : undefined;
  if (!state) throw refuseLines("a record begins with BUBBLE_CREATED, and no line of it may be missing");
  return buildStatusView(state, { now: state.lastAt });
}

const refuseLines = (message: string) =>
  refuse("record.no-line", message, "hand in every line, from the first: readRecord({ repo, bubble })");
