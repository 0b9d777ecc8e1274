// Work that waits for a machine, where several share a project; and which machines there are.

/** A bubble that somebody should drive. */
export interface Offer {
  readonly bubble: string;
  /** Somebody drives it now, or nobody needs to: the offer is gone. */
  done(): Promise<void>;
  /** This machine does not take it after all: it is handed out again after a while. */
  giveBack(afterMs: number): Promise<void>;
}

/** A machine that takes work, as it said itself. */
export interface WorkingHost {
  readonly host: string;
  readonly labels: readonly string[];
  readonly concurrency: number;
  readonly driving: readonly string[];
  readonly isDraining?: boolean;
  readonly version: string;
  readonly pid: number;
  readonly startedAt: string;
  /** By the server's clock. */
  readonly beatAt?: string;
}

/**
 * O1 an offer is a hint: the driver's place alone decides who drives, so one that is lost or doubled costs time and nothing else
 * O2 a bubble has one open offer for the same needs, however often it is wanted
 * O3 an offer goes to one machine at a time, and only to one that has every label it needs
 * O4 a driver's place that ran out is told to every machine that listens
 */
export interface Offers {
  want(bubble: string, needs: readonly string[]): Promise<void>;
  /** The next offer for a machine with these labels; undefined when none came within this time. */
  take(labels: readonly string[], waitMs: number): Promise<Offer | undefined>;
  /** Calls back with each bubble whose driver was not heard of for a lease. */
  listen(onExpired: (bubble: string) => void, signal: AbortSignal): Promise<void>;
  /** Tells the others of this machine; forgotten when it is not repeated. */
  announce(host: WorkingHost): Promise<void>;
  withdraw(host: string): Promise<void>;
  hosts(): Promise<readonly WorkingHost[]>;
}
