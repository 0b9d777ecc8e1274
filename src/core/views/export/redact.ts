// Takes secrets out of what is exported: a payload may hold code from git's objects, which nothing has looked through before.
import type { FileDiffPage } from "../page/review/diff.ts";

type Redact = (text: string) => string;

/** The same value with every text in it redacted. */
export function redactAll<T>(value: T, redact: Redact): T {
  if (typeof value === "string") return redact(value) as T;
  if (Array.isArray(value)) return value.map((one) => redactAll(one, redact)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactAll(one, redact)])) as T;
}

/** A key may stand on many lines, so a hunk is looked through as one text; where lines fall away, all of it does. */
export function redactDiff(diff: FileDiffPage, redact: Redact): FileDiffPage {
  if (diff.hunks === null) return diff;
  const hunks = diff.hunks.map((hunk) => {
    const lines = redact(hunk.rows.map(({ text }) => text).join("\n")).split("\n");
    return lines.length === hunk.rows.length
      ? { ...hunk, rows: hunk.rows.map((row, at) => ({ ...row, text: redact(lines[at] ?? "") })) }
      : undefined;
  });
  const kept = hunks.flatMap((hunk) => hunk ?? []);
  return kept.length === hunks.length
    ? { ...diff, hunks: kept }
    : { ...diff, hunks: null, note: "left out: it holds what looks like a secret over several lines" };
}
