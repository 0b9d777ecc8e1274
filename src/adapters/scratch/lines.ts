// A file that another process writes, line by line: read as it grows, from the beginning.
import { closeSync, existsSync, type FSWatcher, openSync, readSync, watch } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { GrowingLines } from "../../ports/system/scratch.ts";

const chunkBytes = 64 * 1024;
/** What is taken at once: who prints without end must not keep its reader from everything else. */
const mostAtOnce = 8 * 1024 * 1024;
/** Where the system reports no changes, or reports them late. */
const pollMs = 100;

export function openGrowingLines(path: string): GrowingLines {
  const decoder = new StringDecoder("utf8");
  let fd: number | undefined;
  let position = 0;
  let rest = "";
  let isMore = false;
  let watcher: FSWatcher | undefined;
  let wake = () => {};

  function grown(): string {
    fd ??= existsSync(path) ? openSync(path, "r") : undefined;
    if (fd === undefined) return "";
    const chunk = Buffer.alloc(chunkBytes);
    let text = "";
    const end = position + mostAtOnce;
    isMore = false;
    for (;;) {
      isMore = position >= end;
      if (isMore) return text;
      const count = readSync(fd, chunk, 0, chunkBytes, position);
      if (count === 0) return text;
      position += count;
      text += decoder.write(chunk.subarray(0, count));
    }
  }

  function listen(): void {
    if (watcher || !existsSync(path)) return;
    try {
      watcher = watch(path, () => wake());
      watcher.on("error", () => watcher?.close());
    } catch {
      // No more watches on this machine: the poll below sees it all the same.
    }
  }

  return {
    read() {
      const lines = (rest + grown()).split("\n");
      rest = lines.pop() ?? "";
      return lines;
    },
    hasMore: () => isMore,
    rest: () => rest,
    changed(signal) {
      listen();
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          wake = () => {};
          resolve();
        };
        const timer = setTimeout(done, pollMs);
        signal.addEventListener("abort", done);
        wake = done;
        if (signal.aborted || isMore) done();
      });
    },
    close() {
      watcher?.close();
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}
