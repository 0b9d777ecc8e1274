// Everything of a bubble beside its log: the cache of the fold, artifacts, views, the list of bubbles, signs of life.
// Nothing here is truth except artifacts named by an envelope.
import type { State } from "../../core/model/state.ts";
import type { Summary } from "../../core/views/bubble/summary.ts";
import type { Head } from "./log.ts";

export interface StateSnapshot {
  readonly state: State;
  readonly head: Head;
  /** Set by `load` when the log has certainly not been written to since: there is no tail to read. */
  readonly isCurrent?: boolean;
  /** Set by `load` when the log ends where it did and was written to all the same: something in it may have changed. */
  readonly isTouched?: boolean;
  /** Set by `load` where the cache may be of a record that was archived since: to be asked when the log does not hold its head. */
  readonly isStillOpen?: () => Promise<boolean>;
}

export type { Summary } from "../../core/views/bubble/summary.ts";

/**
 * S1 a snapshot is whole or absent: a torn, foreign or hand-edited cache reads as absent
 * S2 save replaces at once; readers see the old or the new one
 * B1 an artifact is durable before `put` returns, and is never overwritten: another content gets another name
 * B2 names cannot leave the bubble's artifact folder
 */
export interface Records {
  load(bubble: string): Promise<StateSnapshot | undefined>;
  save(bubble: string, snapshot: StateSnapshot, summary: Summary): Promise<void>;
  /**
   * From now on the cache is written at most this often; 0: every time, and what waits is written now. A driver whose
   * steps follow one another fast says so; a reader meanwhile folds the rest of the log.
   */
  pace?(everyMs: number): void;
  /** Summaries of all bubbles; `stale` marks those whose log is longer than their cache. */
  summaries(): Promise<{ readonly id: string; readonly summary?: Summary; readonly stale: boolean }[]>;
  exists(bubble: string): Promise<boolean>;
  /** Makes the bubble's folder; throws Failure `bubble.exists` when there is one. */
  create(bubble: string): Promise<void>;
  /** Moves a bubble's record into the archive; returns where it is now. */
  archive(bubble: string): Promise<string>;

  /** Stores under `name` (or, if taken by other bytes, name-2, name-3 …); returns the name used and the sha256. */
  put(bubble: string, name: string, content: string | Uint8Array): Promise<{ name: string; sha256: string }>;
  /** The bytes, or undefined when there is no such artifact. */
  get(bubble: string, name: string): Promise<Uint8Array | undefined>;
  /** The names of everything in one folder of the artifacts, views included. */
  names(bubble: string, folder: string): Promise<string[]>;
  /** The sha256 of an artifact, as this process put it or as it is; undefined for a view and for what is not there. */
  hash(bubble: string, name: string): Promise<string | undefined>;
  /**
   * Replaces a view (inbox.ndjson, review files) at once: for people, never read back. Failing to write one is not an
   * error: it returns why, for callers that want it on the record.
   */
  view(bubble: string, name: string, content: string): Promise<string | undefined>;
  /** Absolute path of an artifact or view on this machine, whether or not it is there. */
  path(bubble: string, name: string): string;
  /** The same, and what another machine has stored is there when it returns: for prompts and notices. */
  here(bubble: string, name: string): Promise<string>;

  readConfig(bubble: string): Promise<string | undefined>;
  writeConfig(bubble: string, toml: string): Promise<void>;
}

/** What a driver leaves for others to see; a missing or old one means nobody drives. */
export interface Beat {
  readonly driver: string;
  readonly pid: number;
  readonly host: string;
  readonly startedAt: string;
  readonly at: string;
  readonly seat: string;
  /** Last sign of life of the running turn: pane output, a file change, a hook. */
  readonly lastSignAt?: string;
  readonly session?: string;
  readonly doing?: string;
}

/**
 * R1 at most one living process holds a bubble's driver place; a dead holder's place is free at once where its process can be asked, otherwise leaseMs after its last beat by the store's clock
 * R2 a beat is readable by any process, whole or absent
 * R3 a beat says whether the place is still held: who was replaced, or gave it back, is told so
 */
export interface Runtime {
  /** Takes the driver's place; returns the living holder instead when there is one. */
  claim(bubble: string, beat: Beat): Promise<{ ok: true } | { ok: false; holder: Beat }>;
  beat(bubble: string, beat: Beat): Promise<boolean>;
  /** How long a place is kept without a beat; absent: as long as its process lives. */
  readonly leaseMs?: number;
  /** The beat of a living driver, or undefined. */
  living(bubble: string): Promise<Beat | undefined>;
  /** The beats of those of these bubbles that have a living driver: one question for a whole list. */
  listLiving(bubbles: readonly string[]): Promise<ReadonlyMap<string, Beat>>;
  release(bubble: string, driver: string): Promise<void>;
  /** Clears what a driver that died left for others to see; a living one is not touched. */
  forget(bubble: string): Promise<void>;
  /** Signs of life written by hooks inside agents' processes. */
  sign(bubble: string): Promise<void>;
  lastSign(bubble: string): Promise<string | undefined>;
  /** A small fact of the moment for the driver, such as that an agent is idle; the newest one under its name counts. */
  note(bubble: string, name: string, text: string): Promise<void>;
  noted(bubble: string, name: string): Promise<string | undefined>;
}
