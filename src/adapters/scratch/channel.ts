// Sending lines to a process through a named pipe. What was sent is written down first: a driver that takes over reads
// the whole conversation again and must not say anything twice.
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Channel } from "../../ports/system/scratch.ts";

const fullMs = 5;

/** The channel of the turn that prints to `output`; the pipe is made where the process is started. */
export function createFileChannel(output: string): Channel {
  const journal = `${output}.sent`;
  const known = new Set(existsSync(journal) ? readFileSync(journal, "utf8").split("\n").filter(Boolean) : []);
  let queue: Promise<void> = Promise.resolve();
  let isClosed = false;

  function remember(line: string): boolean {
    if (known.has(line)) return true;
    known.add(line);
    appendFileSync(journal, `${line}\n`, { mode: 0o600 });
    return false;
  }

  return {
    send(line) {
      if (remember(line)) return;
      queue = queue.then(() => write(`${output}.in`, `${line}\n`, () => isClosed));
    },
    forget() {
      known.clear();
      rmSync(journal, { force: true });
    },
    note(word) {
      remember(`# ${word}`);
    },
    noted: (word) => known.has(`# ${word}`),
    async close() {
      isClosed = true;
      await queue;
    },
  };
}

/** Opened for both directions, so that opening never waits and nobody's death breaks the pipe. */
async function write(pipe: string, text: string, isClosed: () => boolean): Promise<void> {
  if (!existsSync(pipe)) return;
  const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  try {
    const bytes = Buffer.from(text);
    for (let sent = 0; sent < bytes.length; ) {
      const count = tryWrite(fd, bytes.subarray(sent));
      sent += count;
      // A full pipe empties when the process reads; after its end nobody does.
      if (count === 0 && isClosed()) return;
      if (count === 0) await pause(fullMs);
    }
  } finally {
    closeSync(fd);
  }
}

function tryWrite(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}
