// What a step came to: its outcome, and what later steps may refer to.

export interface Came {
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: string | undefined;
}

/** How a step ended, and why. */
export interface Ended extends Came {
  readonly outcome: string;
  readonly why: string;
}
