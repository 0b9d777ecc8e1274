// A person's comments on lines: where each line is in the tree that is shown, and the finding that a comment becomes when the
// work is sent back.
import type { PageComment } from "../../../model/page/notes.ts";
import type { NewFinding } from "../../../model/review/finding.ts";
import { clip } from "../../../model/value/sizes.ts";

export interface PlacedComment extends PageComment {
  /** Where its line is in the tree that is shown; null when it was changed or removed since. */
  readonly at: number | null;
}

const longestTitle = 300;

/** The first line is its title. A line that is gone is not named: its quote says what it was about. */
export function buildCommentFinding({ severity, text, path, quote, at }: PlacedComment): NewFinding {
  const [title = "", ...more] = text.trim().split("\n");
  const advice = [title.length > longestTitle ? title : "", ...more].join("\n").trim();
  return {
    severity,
    title: clip(title, longestTitle),
    file: path,
    ...(at === null ? {} : { line: at }),
    ...(quote.trim() ? { quote: quote.trim() } : {}),
    ...(advice ? { advice: clip(advice, 2000) } : {}),
  };
}
