// Where lines are stored, as far as the rule of which lines count must know: a file and a server name places in their own way.
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { Head } from "../../ports/record/log.ts";

/** A line that counts, wherever it is stored. */
export interface LinePlace {
  readonly seq: number;
  readonly hash: string;
  /** Its ordinal among the stored lines, those that do not count included. */
  readonly line: number;
}

/** How one kind of storage names places: `W` is where it found a line. */
export interface Storage<P extends LinePlace, W> {
  /** `bytes` is the length of the line without its newline. */
  place(line: LinePlace, where: W, bytes: number): P;
  head(place: P): Head;
  /** Why a line does not count here though it continues the record; undefined when it does. */
  refuse?(envelope: Envelope, where: W): string | undefined;
}
