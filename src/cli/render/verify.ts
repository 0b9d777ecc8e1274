// What a check of the records found: one line a bubble with the head to compare, notes under it.

import type { Problem } from "../../app/verify/chain.ts";
import type { Verified } from "../../app/verify.ts";
import { ink, plain } from "./style.ts";
import { count, table } from "./table.ts";

const notesShown = 10;

export function renderVerified(bubbles: readonly Verified[], colour: boolean): string {
  if (bubbles.length === 0) return "There is no record to check";
  const paint = ink(colour);
  const heads = table(
    bubbles.map(({ bubble, ok, head, artifacts }) => [
      `${ok ? "✓" : paint.accent("✗")} ${paint.bold(bubble)}`,
      `head ${head.seq} · ${shortHash(head.hash)}`,
      count(artifacts, "artifact"),
    ]),
  );
  return bubbles
    .flatMap((one, i) => [heads[i] ?? "", ...noteLines(one.notes).map((line) => paint.dim(line))])
    .join("\n");
}

/** What is wrong, one line a fact, each with its bubble. */
export function verifyDetails(broken: readonly Verified[]): string[] {
  return broken.flatMap(({ bubble, errors }) => errors.map((error) => `${bubble}: ${sentence(error)}`));
}

/** `f3c2 91aa`: enough to compare by eye or on the phone. */
function shortHash(hash: string): string {
  return hash ? `${hash.slice(0, 4)} ${hash.slice(4, 8)}` : "empty";
}

function sentence({ line, message }: Problem): string {
  return plain(line === undefined ? message : `line ${line} ${message}`);
}

function noteLines(notes: readonly Problem[]): string[] {
  const more = notes.length - notesShown;
  const lines = notes.slice(0, notesShown).map((note) => `    ${sentence(note)}`);
  return more > 0 ? [...lines, `    … and ${more} more`] : lines;
}
