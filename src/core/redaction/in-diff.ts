// Secrets that a change brings into the tree. The tree itself is never redacted: a person is told the place instead.
import type { Redaction, Span } from "./redact.ts";

export interface SecretPlace {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
}

type Find = Redaction["find"];

/** One hunk's new side, line by line: a secret may go over several. */
interface Hunk {
  readonly file: string;
  readonly first: number;
  readonly lines: string[];
  readonly isAdded: boolean[];
}

const hunkHead = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** Where added lines of a unified diff hold secrets; each line once, never the value. */
export function secretsInDiff(diff: string, find: Find): SecretPlace[] {
  return hunksOf(diff).flatMap((hunk) => inHunk(hunk, find));
}

/** "src/mail.ts:12 (npm-token)": how a place is told to a person. */
export const describePlace = ({ file, line, kind }: SecretPlace): string => `${file}:${line} (${kind})`;

function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = [];
  let file = "";
  let hunk: Hunk | undefined;
  for (const line of diff.split("\n")) {
    // Inside a hunk an added line may itself begin with `++ `.
    if (line.startsWith("diff --git ")) hunk = undefined;
    else if (!hunk && line.startsWith("+++ ")) file = line.slice(4).replace(/^b\//, "");
    const first = hunkHead.exec(line)?.[1];
    if (first !== undefined) {
      hunk = { file, first: Number(first), lines: [], isAdded: [] };
      hunks.push(hunk);
    } else if (hunk && (line.startsWith("+") || line.startsWith(" "))) {
      hunk.lines.push(line.slice(1));
      hunk.isAdded.push(line.startsWith("+"));
    }
  }
  return hunks;
}

function inHunk(hunk: Hunk, find: Find): SecretPlace[] {
  const text = hunk.lines.join("\n");
  const places: SecretPlace[] = [];
  for (const span of find(text)) {
    const at = firstAdded(text, span, hunk.isAdded);
    if (at === undefined || places.at(-1)?.line === hunk.first + at) continue;
    places.push({ file: hunk.file, line: hunk.first + at, kind: span.kind });
  }
  return places;
}

/** The first added line of a secret, counted from 0; undefined when all of it was there before. */
function firstAdded(text: string, { from, to }: Span, isAdded: readonly boolean[]): number | undefined {
  const lineOf = (at: number) => text.slice(0, at).split("\n").length - 1;
  const [first, last] = [lineOf(from), lineOf(to - 1)];
  for (let line = first; line <= last; line++) if (isAdded[line]) return line;
  return undefined;
}
