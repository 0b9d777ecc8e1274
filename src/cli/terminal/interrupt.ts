// Leaving by Ctrl-C: the signal that a command clears up on, what a question that was left throws, and the exit code of both.

/** As a shell tells it of a program that Ctrl-C ended. */
export const interruptedExit = 130;

/** Thrown where a person was asked and pressed Ctrl-C. It answers nothing, so no caller may take it for an answer. */
export interface Interruption {
  readonly interrupted: true;
}

export const interrupted: Interruption = { interrupted: true };

export const isInterrupted = (thrown: unknown): thrown is Interruption =>
  typeof thrown === "object" && thrown !== null && "interrupted" in thrown;

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Aborts at the first Ctrl-C, SIGTERM or SIGHUP; the second one ends the process at once. A command that drives asks for it before it
 * starts anything, so that no moment is left in which Ctrl-C ends it without a word. The driver then ends softly: a headless agent is
 * ended and its turn is owed again in the same session, agents in panes live on and are adopted by the next driver.
 */
export function createStopSignal(): AbortSignal {
  const abort = new AbortController();
  for (const name of names) process.once(name, () => abort.abort());
  return abort.signal;
}

export interface CaughtInterrupts {
  readonly signal: AbortSignal;
  abort(): void;
  over(): void;
}

/** Every further Ctrl-C is taken too: the first one is still clearing up. A signal that is for somebody else is not heard. */
export function catchInterrupts(
  isForOther: (name: NodeJS.Signals) => boolean = () => false,
): CaughtInterrupts {
  const abort = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (!isForOther(name)) abort.abort();
  };
  for (const name of names) process.on(name, stop);
  return {
    signal: abort.signal,
    abort: () => abort.abort(),
    over: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
