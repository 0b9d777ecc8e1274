// A comment or a code block of a Markdown file that is never closed, told with its line.
import type { UnclosedBlock } from "../../core/text/markdown.ts";
import { buildUsageError, type UsageError } from "../host/usage.ts";

/** The same sentence for every kind of file that is read section by section. */
export function buildUnclosedError(code: string, file: string, { line, what }: UnclosedBlock): UsageError {
  const fix =
    what === "comment"
      ? "close it with -->; as text, write it in backticks: `<!--`"
      : "close it with the marks it began with";
  return buildUsageError(
    code,
    `${file}:${line}: this ${what} is never closed, and hides everything behind it`,
    fix,
  );
}
