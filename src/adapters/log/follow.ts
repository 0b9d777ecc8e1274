// Wakes the caller when a file has changed. A watch alone misses changes and polling alone is slow, so both are used.
import { type FSWatcher, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";

/** How often the file is looked at: the watch may miss a change, so its word alone is not enough. */
const POLL_MS = { watched: 3000, unwatched: 1000 };

/**
 * Yields the path once at the start and after every change of the file's size, until `signal` aborts. A change
 * that comes while the consumer works is not lost. Waiting keeps the process alive.
 */
export async function* follow(path: string, signal: AbortSignal): AsyncGenerator<string, void> {
  const wakeUp = createWakeUp(signal);
  let watcher: FSWatcher | undefined;
  let seen: number | undefined;
  try {
    for (;;) {
      if (signal.aborted) return;
      watcher ??= watchFile(path, wakeUp.wake, () => {
        watcher = undefined;
      });
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? -1;
      if (size !== seen) {
        seen = size;
        yield path;
      }
      await wakeUp.wait(watcher ? POLL_MS.watched : POLL_MS.unwatched);
    }
  } finally {
    watcher?.close();
    wakeUp.end();
  }
}

/** Watches the file's folder, since the file may not be there yet; undefined where watching is not possible. */
function watchFile(path: string, onChange: () => void, onEnd: () => void): FSWatcher | undefined {
  const name = basename(path);
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_event, file) => {
      if (file === null || file === name) onChange();
    });
    watcher.on("error", () => {
      watcher.close();
      onEnd();
    });
    return watcher;
  } catch {
    return undefined;
  }
}

/** A wake-up that is remembered when nobody waits for it yet. */
export function createWakeUp(signal: AbortSignal) {
  let isWoken = false;
  let resume: (() => void) | undefined;
  const wake = () => {
    isWoken = true;
    resume?.();
  };
  signal.addEventListener("abort", wake);
  return {
    wake,
    async wait(ms: number): Promise<void> {
      if (!isWoken && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          resume = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      resume = undefined;
      isWoken = false;
    },
    end: () => signal.removeEventListener("abort", wake),
  };
}
