// Running programs: gates, setup commands, notifications. Processes are found again by a marker in their environment.

export interface RunSpec {
  readonly command: string;
  /** Words that stand before the shell that runs the command, such as those of a sandbox. */
  readonly prefix?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Where stdout and stderr go, opened before the spawn. */
  readonly output: string;
  /** `<work>.<attempt>`: set as PAIRFLOW_WORK so that the group can be found after a crash. */
  readonly work: string;
  readonly signal?: AbortSignal;
}

export interface SpawnSpec extends Omit<RunSpec, "command" | "prefix" | "timeoutMs" | "signal"> {
  readonly argv: readonly string[];
  /** A text to read, or a named pipe that stays open although nobody writes; closed if left out. */
  readonly stdin?: string | { readonly pipe: string };
  /** Where standard error goes; into `output` if left out. */
  readonly errors?: string;
}

export interface RunResult {
  readonly status: "exited" | "timeout" | "not-found" | "aborted";
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** The signal that ended it, where it was neither the time limit nor the caller. */
  readonly signal?: string;
}

export interface ExecOptions {
  readonly cwd?: string;
  /** The whole environment of the child; nothing is inherited. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
  readonly timeoutMs?: number;
  /** More than this on stdout and stderr together ends the program with Failure `process.too-much-output`. */
  readonly maxBytes?: number;
  /** `latin1`: each byte of stdout is one character, so that bytes that are no text survive. */
  readonly encoding?: "utf8" | "latin1";
}

/** A short helper program run to its end (git, tmux). A non-zero code is a result, not an exception. */
export interface ExecResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FoundProcess {
  readonly pid: number;
  readonly work: string;
}

/**
 * P1 a command runs in its own process group; at its time limit the whole group ends
 * P2 output is in the file even if the caller dies
 * P3 a living process is found by its work marker, after reparenting too
 * P4 end() ends the group and everything that carries the marker, and returns when it is gone
 * P5 what a run prints takes a few MiB on disk at most, driver or not: its beginning, its end, and how much was between
 */
export interface Processes {
  /** Throws Failure `process.not-found` when the program is missing, `process.timeout` past its time. */
  exec(argv: readonly string[], options?: ExecOptions): Promise<ExecResult>;
  run(spec: RunSpec): Promise<RunResult>;
  /** Starts and returns at once; the process outlives the caller. `exited` tells the code, as shells do 128 + n after signal n. */
  spawn(spec: SpawnSpec): Promise<{ pid: number; exited: Promise<number> }>;
  /** Makes a named pipe that only we may use; harmless when it is there. */
  pipe(path: string): Promise<void>;
  /** A name that ends in `*` stands for every marker that begins so, here and in `end`. */
  find(work: string): Promise<FoundProcess[]>;
  alive(pid: number): boolean;
  end(work: string): Promise<void>;
}
