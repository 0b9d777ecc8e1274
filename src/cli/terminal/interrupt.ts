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

/** Every further Ctrl-C is taken too: the first one is still clearing up. */
export function catchInterrupts(): { readonly signal: AbortSignal; over(): void } {
  const abort = new AbortController();
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const stop = () => abort.abort();
  for (const name of names) process.on(name, stop);
  return {
    signal: abort.signal,
    over: () => {
      for (const name of names) process.off(name, stop);
    },
  };
}
