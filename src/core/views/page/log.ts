// A part of a bubble's log, newest last, each line with the envelope as it stands: 100,000 lines are never sent whole.
import type { Envelope, EnvelopeType } from "../../model/record/envelope.ts";
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

/** Some lines of a log, and whether there are others around them. */
export interface LogPart extends Pick<LogPage, "before" | "later" | "types"> {
  readonly rows: readonly Envelope[];
}

export const buildLogPage = (header: BubbleHeader, part: LogPart): LogPage => ({
  ...header,
  ...part,
  page: "log",
  rows: part.rows.map((raw) => ({ ...buildTimelineRow(raw), round: raw.round, type: raw.type, raw })),
});

/** Lines that nothing but the log itself shows: no round, finding, way or prompt is told by them. */
const silent: readonly EnvelopeType[] = [
  "EVENT",
  "TURN_SESSION",
  "TURN_USAGE",
  "TURN_WAITING",
  "PAIR_SESSION",
  "DELIVERY",
];
export const isSilent = ({ type }: Envelope): boolean => silent.includes(type);
