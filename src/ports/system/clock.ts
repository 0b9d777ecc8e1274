// Time and randomness, so that tests can control both.

export interface Clock {
  /** ISO 8601 with milliseconds, UTC. */
  now(): string;
  /** Milliseconds that only go forward at their pace, however the clock is set; sleep of the machine counts. Absent: as `now`. */
  steady?(): number;
  /** Resolves after `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Chance {
  /** A short unique id. */
  id(): string;
  /** A secret no one can guess. */
  secret(): string;
  uuid(): string;
}

export interface Hash {
  sha256(text: string | Uint8Array): string;
}
