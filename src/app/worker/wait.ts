// Waiting for the first of several things to end.

/** Also over when the signal is given. */
export async function waitForAny(work: readonly Promise<void>[], signal: AbortSignal): Promise<void> {
  const over = new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
  await Promise.race([...work, over]);
}
