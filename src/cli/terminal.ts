// Output and terminals by file descriptor. Node's own stream objects are not touched until somebody is asked
// something: making them costs a short command more than its whole work.
import { writeSync } from "node:fs";

/** Writes everything before it returns. A reader that has gone (`| head`) ends the command quietly. */
export function writeAll(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN") throw error;
    }
  }
}

export function isTerminal(fd: number): boolean {
  return process.getBuiltinModule("node:tty").isatty(fd);
}
