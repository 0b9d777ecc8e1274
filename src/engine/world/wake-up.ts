// Wakes a waiting loop when something may have changed what is owed.

const over = "the wait is over";

export class WakeUp {
  private isDue = false;
  private wake: (() => void) | undefined;

  signal(): void {
    this.isDue = true;
    this.wake?.();
  }

  /** Returns after a signal (also one before the call), or when `timer` is over. */
  async wait(timer: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (!this.isDue) {
      const abort = new AbortController();
      await Promise.race([timer(abort.signal), new Promise<void>((resolve) => (this.wake = resolve))]);
      // A reason of our own: Node would make an error with a stack for each of them.
      abort.abort(over);
    }
    this.isDue = false;
    this.wake = undefined;
  }
}
