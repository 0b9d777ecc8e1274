// Bad words and bad files are usage errors (exit 2). They are plain values with a mark, so that the code that prints them
// need not be known here.
import { readFileSync } from "node:fs";
import { type Refusal, refuse } from "../../core/model/refusal.ts";

export interface UsageError extends Refusal {
  readonly usage: true;
}

export function buildUsageError(
  code: string,
  message: string,
  hint?: string,
  details?: readonly string[],
): UsageError {
  return { usage: true, ...refuse(code, message, hint, details) };
}

/** The text of a file that somebody has named, or the usage error that says why it cannot be read. */
export function readNamedText(
  path: string,
  refuseUnread: (error: NodeJS.ErrnoException) => UsageError,
): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw refuseUnread(error as NodeJS.ErrnoException);
  }
}
