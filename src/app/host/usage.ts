// Bad words and bad files are usage errors (exit 2). They are plain values with a mark, so that the code that prints them
// need not be known here.
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
