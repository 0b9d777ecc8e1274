// The line format of the transcript: the protocol's fields plus seq, v, batch and prev; what a line says is in payloads.ts.
import * as v from "valibot";
import { describeIssue } from "../value/issue-text.ts";
import { count } from "./payloads/parts.ts";
import { payloads } from "./payloads.ts";

export type EnvelopeType = keyof typeof payloads;
export type PayloadOf<T extends EnvelopeType> = v.InferOutput<(typeof payloads)[T]>;

/** The types of the specification's protocol; all others are the referee's own facts. */
export const protocolTypes = [
  "TASK",
  "PASS",
  "HUMAN_QUESTION",
  "HUMAN_REPLY",
  "CONVERGENCE",
  "APPROVAL_REQUEST",
  "APPROVAL_DECISION",
  "DONE_PACKAGE",
] as const satisfies readonly EnvelopeType[];

export const formatVersion = 1;

export interface EnvelopeOf<T extends EnvelopeType> {
  readonly v: number;
  readonly seq: number;
  readonly id: string;
  readonly ts: string;
  readonly bubble_id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly type: T;
  readonly round: number;
  readonly payload: PayloadOf<T>;
  readonly refs: readonly string[];
  /** The sha256 of every artifact among the refs; lines written before there were hashes have none. */
  readonly hashes?: Readonly<Record<string, string>>;
  /** The command that caused this line, and its place among that command's lines. */
  readonly batch: { readonly id: string; readonly i: number; readonly n: number };
  /** Hash of the previous accepted line; empty for the first. */
  readonly prev: string;
}
export type Envelope = { [T in EnvelopeType]: EnvelopeOf<T> }[EnvelopeType];

/** What `decide` returns: an envelope before it has a place in the log. */
export interface DraftOf<T extends EnvelopeType> {
  readonly type: T;
  readonly sender: string;
  readonly recipient: string;
  readonly round: number;
  readonly payload: PayloadOf<T>;
  readonly refs: readonly string[];
}
export type Draft = { [T in EnvelopeType]: DraftOf<T> }[EnvelopeType];

const text = v.string();
const isoTime = v.pipe(v.string(), v.isoTimestamp());

/**
 * As every line of ours has it. The library's expression knows all the other ways too, with Unicode's classes: to make it takes
 * longer than to read a line.
 */
const plainTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;
const isPlainTime = (value: unknown) => typeof value === "string" && plainTime.test(value);

const Head = v.object({
  v: v.literal(formatVersion),
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  id: v.string(),
  ts: v.lazy((value): v.GenericSchema<string> => (isPlainTime(value) ? text : isoTime)),
  bubble_id: v.string(),
  sender: v.string(),
  recipient: v.string(),
  type: v.string(),
  round: count,
  payload: v.unknown(),
  refs: v.array(v.string()),
  hashes: v.optional(v.record(v.string(), v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)))),
  batch: v.strictObject({ id: v.string(), i: count, n: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  prev: v.string(),
});

/** What chains a line to others; readable in lines whose payload is not, and in those of a later format. */
const Chained = v.object({
  seq: v.pipe(v.number(), v.integer(), v.minValue(1)),
  bubble_id: v.string(),
  batch: v.object({ id: v.string(), i: count, n: v.pipe(v.number(), v.integer(), v.minValue(1)) }),
  prev: v.string(),
});
export type Chained = v.InferOutput<typeof Chained>;

/** A value that is no envelope to this version: written by a newer one, or by none. */
export interface Unreadable {
  readonly isNewer: boolean;
  readonly reason: string;
  readonly chained?: Chained;
}

/** An envelope, or the reason why this value is none. */
export function parseEnvelope(value: unknown): Envelope | string {
  const read = readEnvelope(value);
  return "reason" in read ? read.reason : read;
}

/** An envelope, or what else the value is. */
export function readEnvelope(value: unknown): Envelope | Unreadable {
  const head = v.safeParse(Head, value);
  if (!head.success)
    return checkLaterFormat(value) ?? { isNewer: false, reason: explain(value, head.issues) };
  const chained = head.output;
  const schema = payloads[chained.type as EnvelopeType];
  if (!schema) return { isNewer: true, reason: `unknown type ${JSON.stringify(chained.type)}`, chained };
  const payload = v.safeParse(schema, chained.payload);
  if (payload.success) return { ...chained, payload: payload.output } as Envelope;
  const reason = `${chained.type} ${describe(payload.issues)}`;
  return { isNewer: payload.issues.every(isAddition), reason, chained };
}

/** Whether another tool wrote it, into the same folder: lines of this program carry a version and a chain. */
export function isForeignLine(value: unknown): boolean {
  const line = Object(value) as Readonly<Record<string, unknown>>;
  return (
    typeof line.type === "string" && typeof line.bubble_id === "string" && !("v" in line && "prev" in line)
  );
}

const explain = (value: unknown, issues: readonly v.BaseIssue<unknown>[]): string =>
  isForeignLine(value) ? "an earlier tool wrote it; pairflow adopt takes it over" : describe(issues);

function checkLaterFormat(value: unknown): Unreadable | undefined {
  const version = typeof value === "object" && value !== null && "v" in value ? value.v : undefined;
  if (typeof version !== "number" || !(version > formatVersion)) return undefined;
  const chained = v.safeParse(Chained, value);
  return {
    isNewer: true,
    reason: `format version ${version}`,
    ...(chained.success ? { chained: chained.output } : {}),
  };
}

/** A field or a word that this version does not know: what later versions add. Nothing is ever taken away. */
function isAddition({ type, expected }: v.BaseIssue<unknown>): boolean {
  return (type === "strict_object" && expected === "never") || type === "picklist" || type === "literal";
}

export function describe(issues: readonly v.BaseIssue<unknown>[]): string {
  const issue = issues[0];
  if (!issue) return "is not valid";
  const path = v.getDotPath(issue);
  return path ? `${path}: ${describeIssue(issue)}` : describeIssue(issue);
}

/** The drafts as a log will give them back (trimmed, defaults filled in), or why one of them would not count. */
export function parseDrafts(drafts: readonly Draft[]): Draft[] | string {
  const read: Draft[] = [];
  for (const draft of drafts) {
    const payload = v.safeParse(payloads[draft.type], draft.payload);
    if (!payload.success) return `${draft.type} ${describe(payload.issues)}`;
    read.push({ ...draft, payload: payload.output } as Draft);
  }
  return read;
}

/** Gives drafts their place after `seq`: ids in the specification's form msg_<date>_<seq>, one batch per command. */
export function placeDrafts(
  drafts: readonly Draft[],
  after: { seq: number; bubbleId: string; at: string; commandId: string },
): Omit<Envelope, "prev">[] {
  const day = after.at.slice(0, 10).replaceAll("-", "");
  return drafts.map((draft, i) => {
    const seq = after.seq + i + 1;
    return {
      v: formatVersion,
      seq,
      id: `msg_${day}_${String(seq).padStart(3, "0")}`,
      ts: after.at,
      bubble_id: after.bubbleId,
      sender: draft.sender,
      recipient: draft.recipient,
      type: draft.type,
      round: draft.round,
      payload: draft.payload,
      refs: draft.refs,
      batch: { id: after.commandId, i, n: drafts.length },
    } as Omit<Envelope, "prev">;
  });
}
