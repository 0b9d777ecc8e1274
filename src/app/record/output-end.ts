// The end of a file that grows while it is read: what a turn or a gate has printed last.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { countContinuationBytes } from "../../core/model/value/sizes.ts";

/** At most so many bytes of it; "" when it has just begun or is gone. */
export function readEnd(file: string, most: number): string {
  let fd: number | undefined;
  try {
    fd = openSync(file, "r");
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, most));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString("utf8", size > most ? countContinuationBytes(bytes) : 0);
  } catch {
    return ""; // Just begun, or over: both are shown a moment later.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
