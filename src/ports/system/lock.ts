// Advisory locks between processes of one machine: who holds a name, and whether that process still lives. Nothing here is needed
// for safety; the order of the log is. A lock only keeps losers of a race from working in vain.

/** One process among all that ever had its pid: the pid, when it started, and on which machine. */
export interface ProcessMark {
  readonly pid: number;
  /** Start time in the system's own ticks; empty where the system does not tell. */
  readonly started: string;
  readonly host: string;
}

export interface ProcessMarks {
  of(pid: number): ProcessMark;
  /** False: gone, or its pid belongs to another process now. Undefined: on another machine, it cannot be known. */
  alive(mark: ProcessMark): boolean | undefined;
}

/**
 * K1 a dead holder's name is free at once
 * K2 a living holder is waited for up to a limit; then `undefined`: continue without
 */
export interface Locks {
  /** Never throws: where no lock can be made, everybody continues without. Call what it returns to give the name back. */
  take(name: string): Promise<(() => void) | undefined>;
}
