// Single keys of a terminal, as they are pressed, without Enter behind them.

/** What one read of a terminal holds: several keys may have been pressed since the last one. */
export function parseKeys(read: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys without a letter begin with an escape
  return read.match(/\u001b\[[0-9;]*[A-Za-z~]|\u001bO[A-Za-z]|[\s\S]/gu) ?? [];
}

/** Ctrl-C and Ctrl-D, which are no signals while single keys are read. */
export const isLeavingKey = (key: string): boolean => key === "\u0003" || key === "\u0004";

export interface KeyReader {
  /** The next key; undefined when the time is over, or something woke it. */
  next(ms: number): Promise<string | undefined>;
  /** Lets whoever waits for a key look again. */
  wake(): void;
  /** The terminal belongs to another program until `start`; what is typed meanwhile is for that one. */
  stop(): void;
  start(): void;
}

/** Reads until it is stopped, from its making on. */
export function listenForKeys(): KeyReader {
  const typed: string[] = [];
  let rouse = () => {};
  const hear = (read: Buffer) => {
    typed.push(...parseKeys(read.toString("utf8")));
    rouse();
  };
  const reader: KeyReader = {
    async next(ms) {
      if (typed.length === 0)
        await new Promise<void>((resolve) => {
          const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
          rouse = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      return typed.shift();
    },
    wake: () => rouse(),
    start() {
      typed.length = 0;
      process.stdin.setRawMode(true);
      process.stdin.resume();
      process.stdin.on("data", hear);
    },
    stop() {
      process.stdin.off("data", hear);
      process.stdin.setRawMode(false);
      process.stdin.pause();
    },
  };
  reader.start();
  return reader;
}
