// The text of state.json: the cache of the fold. Its first line alone is the summary, so that a listing reads a
// page of each bubble; a sum over the line and one over the file tell a whole cache from a torn or edited one.
import type { StateSnapshot, Summary } from "../../ports/record/records.ts";
import { computeChecksum } from "./checksum.ts";

/** As much of the file as a listing reads; a first line is shorter than this. */
export const firstLineBytes = 4096;

const offsetStart = ',"offset":';
const summaryStart = ',"summary":';
const lineSumStart = ',"line_sum":"';
const firstLineEnd = '",\n';
const sumStart = ',"sum":"';
const foldStart = '"fold":';

export interface FirstLine {
  readonly summary: Summary;
  /** The byte of the transcript up to which the cache is folded. */
  readonly offset: number;
}

/** What a snapshot is kept with: when the log that ends at its head was last written to. */
export type StateFile = StateSnapshot & { readonly logMtimeMs?: number };

/** The specification's fields at the top level, then head and sum, then the fold itself: valid JSON over three lines. */
export function writeState({ state, head, logMtimeMs }: StateFile, summary: Summary): string {
  const first = JSON.stringify({
    state: state.lifecycle,
    active_agent: state.turn?.agent ?? null,
    active_since: state.turn ? state.activeSince : null,
    active_role: state.turn?.role ?? null,
    round: state.round,
    last_command_at: state.lastCommandAt,
    seq: state.seq,
    offset: parseTokenOffset(head.token),
    summary,
  });
  // The history grows with the rounds, so it is not on the first line.
  const second = JSON.stringify({ round_role_history: state.roundRoleHistory, head, logMtimeMs });
  return describeFile(addLineSum(first.slice(0, -1)), second.slice(1, -1), JSON.stringify(state));
}

/** The snapshot, or undefined unless every byte is as it was written (S1). */
export function readStateFile(text: string, bubble: string): StateFile | undefined {
  const [first, second, third] = text.split("\n");
  const at = second?.lastIndexOf(sumStart) ?? -1;
  if (!first || !second || !third || at === -1) return undefined;
  const fold = third.slice(foldStart.length, -1);
  const head = second.slice(0, at);
  const isWhole = text === describeFile(first.slice(0, -1), head, fold);
  if (!isWhole) return undefined;
  const state = JSON.parse(fold) as StateSnapshot["state"];
  if (state.v !== 2 || state.bubbleId !== bubble) return undefined;
  const { head: kept, logMtimeMs } = JSON.parse(`{${head}}`) as Pick<StateFile, "head" | "logMtimeMs">;
  return { state, head: kept, ...(logMtimeMs === undefined ? {} : { logMtimeMs }) };
}

/**
 * The summary from the first `length` bytes of the file, or undefined when it is not as it was written. A listing does this
 * for every bubble: on bytes, and of the line only the two fields that are wanted are parsed.
 */
export function readFirstLine(bytes: Buffer, length: number): FirstLine | undefined {
  const end = bytes.indexOf(firstLineEnd);
  const at = end === -1 || end >= length ? -1 : bytes.lastIndexOf(lineSumStart, end);
  if (at === -1) return undefined;
  const sum = bytes.toString("latin1", at + lineSumStart.length, end);
  if (sum !== computeChecksum(bytes, at)) return undefined;
  const offset = bytes.indexOf(offsetStart);
  const summary = bytes.indexOf(summaryStart, offset);
  if (offset === -1 || summary === -1 || summary > at) return undefined;
  return {
    summary: JSON.parse(bytes.toString("utf8", summary + summaryStart.length, at)) as Summary,
    offset: Number(bytes.toString("latin1", offset + offsetStart.length, summary)),
  };
}

/** The number that a token begins with: a byte offset, a stream's sequence; -1 where a log has none, so that its cache is never known to be fresh. */
export function parseTokenOffset(token: string): number {
  return token === "" ? 0 : Number(/^\d+(?=:)/.exec(token)?.[0] ?? -1);
}

/** A listing trusts the first line alone, so that line has a short sum of its own. */
function addLineSum(line: string): string {
  return `${line}${lineSumStart}${sumUp(line)}"`;
}

function describeFile(first: string, head: string, fold: string): string {
  const sum = sumUp(`${first}\n${head}\n${fold}`);
  return `${first},\n${head}${sumStart}${sum}",\n${foldStart}${fold}}\n`;
}

function sumUp(text: string): string {
  const bytes = Buffer.from(text);
  return computeChecksum(bytes, bytes.length);
}
