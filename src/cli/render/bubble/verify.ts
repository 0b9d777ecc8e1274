// What a check of the records found: one line a bubble with the head to compare, notes under it.

import type { RecordProblem } from "../../../app/verify/chain.ts";
import type { VerifyResult } from "../../../app/verify/record.ts";
import { formatHead } from "../../../ports/record/log.ts";
import { createInk, toPlainLine } from "../../terminal/style.ts";
import { formatCount, renderTable } from "../table.ts";

const notesShown = 10;

export function renderVerified(bubbles: readonly VerifyResult[], colour: boolean): string {
  if (bubbles.length === 0) return "There is no record to check";
  const paint = createInk(colour);
  const heads = renderTable(
    bubbles.map(({ bubble, ok, verdict, head, artifacts }) => [
      `${ok ? "✓" : paint.accent("✗")} ${paint.bold(bubble)}`,
      verdict,
      `${verdict === "damaged" || verdict === "newer" ? "good up to" : "head"} ${formatHead(head, head.hash)}`,
      formatCount(artifacts, "artifact"),
    ]),
  );
  return bubbles
    .flatMap((one, i) => [heads[i] ?? "", ...renderNoteLines(listNotes(one)).map((line) => paint.dim(line))])
    .join("\n");
}

/** What is wrong, one line a fact, each with its bubble. */
export function verifyDetails(broken: readonly VerifyResult[]): string[] {
  return broken.flatMap(({ bubble, errors }) =>
    errors.map((error) => `${bubble}: ${describeSentence(error)}`),
  );
}

function describeSentence({ line, message }: RecordProblem): string {
  return toPlainLine(line === undefined ? message : `line ${line} ${message}`);
}

/** How much of the file does not count any more stands under the lines that never did. */
function listNotes({ notes, behind, verdict }: VerifyResult): RecordProblem[] {
  if (behind === 0) return [...notes];
  const why = verdict === "newer" ? "are behind what a newer version wrote" : "do not count because of it";
  const message =
    behind === 1
      ? `1 line behind it ${why.replace(/^are/, "is").replace(/^do/, "does")}`
      : `${behind} lines behind it ${why}`;
  return [...notes, { message }];
}

function renderNoteLines(notes: readonly RecordProblem[]): string[] {
  const more = notes.length - notesShown;
  const lines = notes.slice(0, notesShown).map((note) => `    ${describeSentence(note)}`);
  return more > 0 ? [...lines, `    … and ${more} more`] : lines;
}
