// Wakes a waiting loop: rung by anything that may have changed what is owed.

export class Bell {
  private rung = false;
  private wake: (() => void) | undefined;

  ring(): void {
    this.rung = true;
    this.wake?.();
  }

  /** Returns when rung (also before the call), or when `timer` is over. */
  async wait(timer: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (!this.rung) {
      const abort = new AbortController();
      await Promise.race([timer(abort.signal), new Promise<void>((resolve) => (this.wake = resolve))]);
      abort.abort();
    }
    this.rung = false;
    this.wake = undefined;
  }
}
