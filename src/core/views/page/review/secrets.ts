// What looks like a secret is covered in the lines of a change until a person asks to see it. The line itself stays: nothing of
// a change may disappear behind a cover.
import type { SecretSpan } from "../../../redaction/redact.ts";
import type { DiffHunk } from "./diff.ts";

export interface CoveredHunks {
  readonly hunks: readonly DiffHunk[];
  /** How many spots are covered. */
  readonly secrets: number;
}

const cover = "⟦looks like a secret⟧";

/** A key may stand on many lines, so a hunk is looked through as one text. */
export function coverSecrets(
  hunks: readonly DiffHunk[],
  find: (text: string) => readonly SecretSpan[],
): CoveredHunks {
  let secrets = 0;
  const covered = hunks.map((hunk) => {
    const spans = find(hunk.rows.map(({ text }) => text).join("\n"));
    secrets += spans.length;
    return spans.length > 0 ? coverHunk(hunk, spans) : hunk;
  });
  return { hunks: covered, secrets };
}

function coverHunk(hunk: DiffHunk, spans: readonly SecretSpan[]): DiffHunk {
  let start = 0;
  const rows = hunk.rows.map((row) => {
    const [from, to] = [start, start + row.text.length];
    start = to + 1;
    const own = spans.filter((span) => span.from < to && span.to > from);
    if (own.length === 0) return row;
    const local = own.map((span) => ({
      from: Math.max(0, span.from - from),
      to: Math.min(row.text.length, span.to - from),
    }));
    return { ...row, text: coverText(row.text, local) };
  });
  return { ...hunk, rows };
}

function coverText(text: string, spans: readonly { readonly from: number; readonly to: number }[]): string {
  let [result, at] = ["", 0];
  for (const { from, to } of spans) {
    result += text.slice(at, from) + cover;
    at = to;
  }
  return result + text.slice(at);
}
