// Secrets that a change brings into the tree. The tree itself is never redacted: a person is told the place instead.
import { type DiffLine, readDiff } from "../text/diff/unified.ts";
import type { Redaction, SecretSpan } from "./redact.ts";

export interface SecretPlace {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
}

type Find = Redaction["find"];

/** One hunk's new side, line by line: a secret may go over several. */
interface NewSide {
  readonly file: string;
  readonly first: number;
  readonly lines: readonly DiffLine[];
}

/** Where added lines of a unified diff hold secrets; each line once, never the value. */
export function findSecretsInDiff(diff: string, find: Find): SecretPlace[] {
  return readDiff(diff).flatMap(({ path, hunks }) =>
    hunks.flatMap(({ after, lines }) => {
      const shown = lines.filter(({ kind }) => kind !== "removed");
      return findInHunk({ file: path, first: after.first, lines: shown }, find);
    }),
  );
}

/** "src/mail.ts:12 (npm-token)": how a place is told to a person. */
export const describePlace = ({ file, line, kind }: SecretPlace): string => `${file}:${line} (${kind})`;

function findInHunk(hunk: NewSide, find: Find): SecretPlace[] {
  const text = hunk.lines.map((line) => line.text).join("\n");
  const places: SecretPlace[] = [];
  for (const span of find(text)) {
    const at = findFirstAdded(text, span, hunk.lines);
    if (at === undefined || places.at(-1)?.line === hunk.first + at) continue;
    places.push({ file: hunk.file, line: hunk.first + at, kind: span.kind });
  }
  return places;
}

/** The first added line of a secret, counted from 0; undefined when all of it was there before. */
function findFirstAdded(
  text: string,
  { from, to }: SecretSpan,
  lines: readonly DiffLine[],
): number | undefined {
  const lineOf = (at: number) => text.slice(0, at).split("\n").length - 1;
  const [first, last] = [lineOf(from), lineOf(to - 1)];
  for (let line = first; line <= last; line++) if (lines[line]?.kind === "added") return line;
  return undefined;
}
