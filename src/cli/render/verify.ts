// What a check of the records found: one line a bubble with the head to compare, notes under it.

import type { Problem } from "../../app/verify/chain.ts";
import type { Verified } from "../../app/verify/verify.ts";
import { shownHead } from "../../ports/log.ts";
import { ink, plain } from "../terminal/style.ts";
import { count, table } from "./table.ts";

const notesShown = 10;

export function renderVerified(bubbles: readonly Verified[], colour: boolean): string {
  if (bubbles.length === 0) return "There is no record to check";
  const paint = ink(colour);
  const heads = table(
    bubbles.map(({ bubble, ok, verdict, head, artifacts }) => [
      `${ok ? "✓" : paint.accent("✗")} ${paint.bold(bubble)}`,
      verdict,
      `${verdict === "damaged" || verdict === "newer" ? "good up to" : "head"} ${shownHead(head, head.hash)}`,
      count(artifacts, "artifact"),
    ]),
  );
  return bubbles
    .flatMap((one, i) => [heads[i] ?? "", ...noteLines(notesOf(one)).map((line) => paint.dim(line))])
    .join("\n");
}

/** What is wrong, one line a fact, each with its bubble. */
export function verifyDetails(broken: readonly Verified[]): string[] {
  return broken.flatMap(({ bubble, errors }) => errors.map((error) => `${bubble}: ${sentence(error)}`));
}

function sentence({ line, message }: Problem): string {
  return plain(line === undefined ? message : `line ${line} ${message}`);
}

/** How much of the file does not count any more stands under the lines that never did. */
function notesOf({ notes, behind, verdict }: Verified): Problem[] {
  if (behind === 0) return [...notes];
  const why = verdict === "newer" ? "are behind what a newer version wrote" : "do not count because of it";
  const message =
    behind === 1
      ? `1 line behind it ${why.replace(/^are/, "is").replace(/^do/, "does")}`
      : `${behind} lines behind it ${why}`;
  return [...notes, { message }];
}

function noteLines(notes: readonly Problem[]): string[] {
  const more = notes.length - notesShown;
  const lines = notes.slice(0, notesShown).map((note) => `    ${sentence(note)}`);
  return more > 0 ? [...lines, `    … and ${more} more`] : lines;
}
