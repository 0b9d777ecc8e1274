// What the scenarios of the log contract stand on, and the two steps all of them take.
import assert from "node:assert/strict";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { EventLog, Head } from "../../ports/record/log.ts";
import { buildMessages, getMessageText, readAll } from "../messages.ts";

type Unchained = readonly Omit<Envelope, "prev">[];

export interface LogRig {
  readonly log: EventLog;
  /** The log as another process gets it: same storage, no memory. */
  again(): EventLog;
  /** A log whose appends fail after their lines were written, as when an answer is lost. */
  forgetful?(): EventLog;
  /**
   * The places at which `appendAndDie` can die, in the order in which an append passes them, and whether the lines are written
   * there. Between a writer and a server that it does not hear from, nobody knows.
   */
  readonly crashPoints?: Readonly<Record<string, "yes" | "no" | "either">>;
  /** Appends in a process of its own that is killed at the named place. */
  appendAndDie?(bubble: string, expected: Head, envelopes: Unchained, point: string): Promise<void>;
  /** Leaves what a killed writer may leave: all but the last `missing` bytes of its lines. */
  tear?(bubble: string, expected: Head, envelopes: Unchained, missing: number): Promise<void>;
  /** Takes the last message away again, as restoring an old copy does. */
  loseLast?(bubble: string): Promise<void>;
  /** Changes the lines behind everybody's back, as a bad disk or an editor does. */
  edit?(bubble: string, change: (lines: readonly string[]) => readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Appends one command that must win; returns the head behind it. */
export async function append(log: EventLog, head: Head, batch: string, ...texts: string[]): Promise<Head> {
  const done = await log.append("b1", head, buildMessages("b1", head, batch, texts));
  assert.equal(done.ok, true, `append of ${batch}`);
  return done.head;
}

/** The texts of everything that counts. */
export async function readTexts(log: EventLog): Promise<string[]> {
  return (await readAll(log, "b1")).envelopes.map(getMessageText);
}
