// The lines of a transcript file as bytes, wherever the file is.
import { closeSync, openSync, readFileSync } from "node:fs";
import type { RawBatch } from "../../../ports/record/raw-log.ts";
import { readFailure } from "../failures.ts";
import { Fold } from "../fold.ts";
import { fileStorage, startPlace } from "../head-position.ts";
import { RawFold } from "./fold.ts";

/** The commands of a transcript, wherever the file is; nothing where there is none. */
export function* readRawFile(bubble: string, path: string): Generator<RawBatch> {
  const bytes = readWhole(path);
  const fold = new RawFold(new Fold(fileStorage, bubble, startPlace), bubble);
  let from = 0;
  for (let to = bytes.indexOf(10); to !== -1; to = bytes.indexOf(10, from)) {
    const found = fold.take(bytes.subarray(from, to), from);
    if (found) yield found;
    from = to + 1;
  }
  fold.end();
}

function readWhole(path: string): Buffer {
  try {
    const fd = openSync(path, "r");
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw readFailure(path, error);
  }
}
