// The types of the library. What commands print is described whole in docs/json.md and docs/json.schema.json.

/** The states of a bubble. */
export type Lifecycle =
  | "CREATED"
  | "PREPARING_WORKSPACE"
  | "RUNNING"
  | "WAITING_HUMAN"
  | "READY_FOR_APPROVAL"
  | "APPROVED_FOR_COMMIT"
  | "COMMITTED"
  | "DONE"
  | "FAILED"
  | "CANCELLED";

export interface Options {
  /** A folder of the repository; the current folder if left out. */
  readonly repo?: string;
  /** The environment of the command; this process's own if left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Ends the command, which is then rejected with the signal's AbortError. A bubble that it drives can be resumed. */
  readonly signal?: AbortSignal;
  /** Gets what the command tells people while it works. */
  readonly onNarration?: (text: string) => void;
}

export interface OfBubble extends Options {
  readonly bubble: string;
}

export interface BubbleRow {
  readonly bubble: string;
  readonly state: Lifecycle | null;
  readonly title?: string;
  readonly round?: number;
  readonly max_rounds?: number;
  readonly inbox?: number;
  readonly open_findings?: number;
  readonly problem?: string;
  readonly [key: string]: unknown;
}

export interface Status {
  readonly bubble: string;
  readonly state: Lifecycle;
  readonly title: string;
  readonly seq: number;
  readonly round: number;
  readonly max_rounds: number;
  readonly worktree: string | null;
  readonly branch: string;
  readonly [key: string]: unknown;
}

/** One line of a record, as docs/record.md describes it. */
export interface RecordLine {
  readonly v: number;
  readonly seq: number;
  readonly ts: string;
  readonly bubble_id: string;
  readonly sender: string;
  readonly recipient: string;
  readonly type: string;
  readonly round: number;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly refs: readonly string[];
  readonly [key: string]: unknown;
}

export interface Verified {
  readonly ok: boolean;
  readonly bubbles: readonly {
    readonly bubble: string;
    readonly ok: boolean;
    readonly verdict: "good" | "damaged" | "newer" | "broken";
    readonly head: { readonly seq: number; readonly hash: string };
    readonly errors: readonly { readonly code?: string; readonly message?: string }[];
    readonly [key: string]: unknown;
  }[];
}

export interface CreatedBubble {
  readonly bubble: string;
  readonly base: string;
  readonly base_commit: string;
  readonly branch: string;
  readonly [key: string]: unknown;
}

/** A command that was refused or failed. */
export class PairflowError extends Error {
  readonly kind: "refusal" | "usage" | "failure" | "bug";
  readonly code: string;
  readonly hint?: string;
  readonly details?: readonly string[];
  readonly exitCode: number;
  /** Only the library makes one. */
  private constructor();
}

/** Runs any command with `--json` and returns what it prints: the value, the lines of `log`, or the text of help. Throws PairflowError. */
export function pairflow(words: readonly string[], options?: Options): Promise<unknown>;
/** The bubbles of a repository; with `all` also those that have ended. */
export function listBubbles(options?: Options & { readonly all?: boolean }): Promise<BubbleRow[]>;
/** The state that a record folds to: now, or as of the line `at`. */
export function readStatus(of: OfBubble & { readonly at?: number }): Promise<Status>;
/** Every line of a record, oldest first. */
export function readRecord(of: OfBubble): Promise<RecordLine[]>;
/** Whether records are as they were written. A broken record is a result, not an error. */
export function verifyRecords(of?: Options & { readonly bubble?: string }): Promise<Verified>;
/** The status that lines of a record come to, from the first line on: in memory, without any file. Throws PairflowError. */
export function foldRecord(lines: readonly RecordLine[]): Status;
/** Makes a bubble; `yes` confirms the gates and the setup that were found. */
export function createBubble(
  of: OfBubble & { readonly task: string; readonly yes?: boolean; readonly flags?: readonly string[] },
): Promise<CreatedBubble>;
/** Drives a bubble until it waits for a person or has ended. */
export function runBubble(of: OfBubble & { readonly flags?: readonly string[] }): Promise<Status>;
