// What the bytes of one line are: an envelope, a line of a newer version, something no writer of this log wrote, or
// the rest of a write that was cut off. Only the last of these is not JSON: a part of a line never is.
import { type Chained, type Envelope, readEnvelope } from "../../core/model/record/envelope.ts";
import { hashOf, maxLineBytes } from "./line.ts";

export type ReadLine =
  | { readonly kind: "envelope"; readonly envelope: Envelope }
  | { readonly kind: "newer"; readonly reason: string; readonly chained?: Chained }
  | { readonly kind: "foreign"; readonly reason: string }
  | Fragment;

export interface Fragment {
  readonly kind: "fragment";
  readonly reason: string;
  /** The place its first part was written for, where it shows. */
  readonly seq?: number;
  /** A whole first line of a batch that was written behind the part before anybody had set it apart. */
  readonly glued?: GluedLine;
}

export interface GluedLine {
  readonly chained: Chained;
  readonly hash: string;
}

export const tooLong = `longer than ${maxLineBytes} bytes`;

const lineStart = /^\{"v":\d+,"seq":(\d+),/;
const startMark = '{"v":';

export function readLogLine(bytes: Buffer): ReadLine {
  if (bytes.length > maxLineBytes) return { kind: "fragment", reason: tooLong };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString("utf8"));
  } catch {
    return readFragment(bytes);
  }
  const read = readEnvelope(value);
  if (!("reason" in read)) return { kind: "envelope", envelope: read };
  const { isNewer, reason, chained } = read;
  return isNewer ? { kind: "newer", reason, ...(chained ? { chained } : {}) } : { kind: "foreign", reason };
}

/** What can be told from bytes that are not JSON; also from those behind the last newline. */
export function readFragment(bytes: Buffer): Fragment {
  const seq = lineStart.exec(bytes.toString("latin1", 0, 40))?.[1];
  const glued = findGluedLine(bytes);
  return {
    kind: "fragment",
    reason: "not JSON",
    ...(seq ? { seq: Number(seq) } : {}),
    ...(glued ? { glued } : {}),
  };
}

/** No text inside a line has this mark: there every quote is escaped. A payload might, so that all of them are tried. */
function findGluedLine(bytes: Buffer): GluedLine | undefined {
  for (let at = bytes.lastIndexOf(startMark); at > 0; at = bytes.lastIndexOf(startMark, at - 1)) {
    const rest = bytes.subarray(at);
    const read = readWhole(rest);
    if (read) return { chained: read, hash: hashOf(rest) };
  }
  return undefined;
}

function readWhole(bytes: Buffer): Chained | undefined {
  try {
    const read = readEnvelope(JSON.parse(bytes.toString("utf8")));
    return "reason" in read ? (read.isNewer ? read.chained : undefined) : read;
  } catch {
    return undefined;
  }
}

/** Whether a whole line stands at the beginning, and behind it something else than the start of another one. */
export function hasLostNewline(tail: Buffer): boolean {
  const end = tail.lastIndexOf("}") + 1;
  if (end === 0 || end === tail.length || tail[end] === 0x7b) return false;
  return readWhole(tail.subarray(0, end)) !== undefined;
}
