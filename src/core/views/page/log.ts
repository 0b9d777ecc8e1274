// A part of a bubble's log, newest last, each line with the envelope as it stands: 100,000 lines are never sent whole.
import type { Envelope } from "../../model/record/envelope.ts";
import { buildTimelineRow, type TimelineRow } from "../history/timeline.ts";
import type { BubbleHeader } from "./overview.ts";

export interface LogRow extends TimelineRow {
  readonly round: number;
  readonly type: string;
  readonly raw: Envelope;
}

export interface LogPage extends BubbleHeader {
  readonly page: "log";
  readonly rows: readonly LogRow[];
  /** There are earlier lines: ask with `before` set to this. */
  readonly before: number | null;
  /** There are later lines: ask with `before` set to this. Null: these are the newest. */
  readonly later: number | null;
  readonly types: readonly string[];
}

export interface LogWish {
  /** Only lines before this one; the newest if left out. */
  readonly before?: number | undefined;
  readonly count: number;
  /** Only lines of this type. */
  readonly type?: string | undefined;
}

export function buildLogPage(
  header: BubbleHeader,
  envelopes: readonly Envelope[],
  { before, count, type }: LogWish,
): LogPage {
  const wanted = type ? envelopes.filter((envelope) => envelope.type === type) : envelopes;
  const after = before === undefined ? -1 : wanted.findIndex(({ seq }) => seq >= before);
  const end = after === -1 ? wanted.length : after;
  const rows = wanted.slice(Math.max(0, end - count), end);
  const last = wanted[Math.min(wanted.length, end + count) - 1];
  return {
    ...header,
    page: "log",
    rows: rows.map((raw) => ({ ...buildTimelineRow(raw), round: raw.round, type: raw.type, raw })),
    before: end > rows.length ? (rows[0]?.seq ?? null) : null,
    later: end < wanted.length && last ? last.seq + 1 : null,
    types: [...new Set(envelopes.map((envelope) => envelope.type))].sort(),
  };
}
