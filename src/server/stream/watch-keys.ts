// Tells open pages when a key was confirmed or removed at a terminal. Where files cannot be watched, the next look shows it.
import { watch } from "node:fs";

export function watchKeys(folder: string, mark: (key: string) => void, signal: AbortSignal): void {
  try {
    const watcher = watch(folder, { persistent: false, signal }, (_event, name) => {
      if (name === "operators") mark("keys");
    });
    watcher.on("error", () => watcher.close());
  } catch {
    // Nothing is lost but the moment.
  }
}
