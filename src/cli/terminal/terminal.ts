// Output and terminals by file descriptor. Node's own stream objects are not touched until somebody is asked
// something: making them costs a short command more than its whole work.
import { fstatSync, statSync, writeSync } from "node:fs";

/**
 * Writes everything before it returns. A reader that has gone (`| head`) ends the command quietly. Where not even a
 * complaint can be written, the exit code says enough.
 */
export function writeAll(fd: 1 | 2, text: string | Uint8Array): void {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") process.exit(0);
      if (code !== "EAGAIN" && fd === 1) throw error;
      if (code !== "EAGAIN") return;
    }
  }
}

/** A terminal is a character device; what a pipe or a file can tell at once does not need Node's terminals loaded. */
export function isTerminal(fd: number): boolean {
  return isDevice(fd) && process.getBuiltinModule("node:tty").isatty(fd);
}

function isDevice(fd: number): boolean {
  try {
    const open = fstatSync(fd);
    return open.isCharacterDevice() && open.rdev !== statSync("/dev/null", { throwIfNoEntry: false })?.rdev;
  } catch {
    // A closed descriptor is no terminal either.
    return false;
  }
}

/** A screen of one's own, without a cursor; what was on the terminal before comes back with `leaveOwnScreen`. */
export const enterOwnScreen = (): void => writeAll(1, "\u001b[?1049h\u001b[?25l\u001b[2J\u001b[H");

export const leaveOwnScreen = (): void => writeAll(1, "\u001b[?25h\u001b[?1049l");
