// The result of a step: its outcome, and what later steps may refer to.

export interface StepOutput {
  readonly output?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: string | undefined;
}

/** How a step ended, and why. */
export interface StepResult extends StepOutput {
  readonly outcome: string;
  readonly why: string;
}
