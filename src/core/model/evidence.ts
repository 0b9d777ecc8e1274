// The one evidence: where something stands, what stands there, and what that shows. Findings, criteria and SOPs are
// proven by it in every dialect; schemas, tools and flags are made of this declaration.
import * as v from "valibot";

const text = (max: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(max));
const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));

export const Evidence = v.strictObject({
  file: text(400),
  line: v.optional(lineNumber),
  /** The last line of a range that begins at `line`. */
  end_line: v.optional(lineNumber),
  /** Text that stands there. */
  quote: v.optional(text(2000)),
  /** What it shows, in the critic's own words. */
  why: text(1000),
});
export type Evidence = v.InferOutput<typeof Evidence>;

/** Where something stands. */
export type Place = Pick<Evidence, "file" | "line" | "end_line" | "quote">;

/** What each part means, for whoever fills it in. */
export const evidenceWords: Readonly<Record<keyof Evidence, string>> = {
  file: "path in the reviewed tree",
  line: "line number, from 1",
  end_line: "last line of a range; left out for one line",
  quote: "text that stands there, word for word",
  why: "what it shows, in your own words",
};

/** The same parts where nothing is needed: a finding counts without proof, and says so. */
export const looseEvidence = {
  file: v.optional(Evidence.entries.file),
  line: Evidence.entries.line,
  end_line: Evidence.entries.end_line,
  quote: Evidence.entries.quote,
  why: v.optional(Evidence.entries.why),
};

/** `src/cart.ts:39-41`. */
export function placeWords({ file, line, end_line: end }: Place): string {
  if (line === undefined) return file;
  return end === undefined || end === line ? `${file}:${line}` : `${file}:${line}-${end}`;
}

/** Evidence in one line of text, as the grammar of sentences reads it back. */
export function evidenceLine({ why, ...place }: Evidence): string {
  const quoted = place.quote === undefined ? "" : ` ${ticked(place.quote)}`;
  return `${placeWords(place)}${quoted} ${why}`;
}

/** Code between back-ticks, as many as its own do not need. */
function ticked(quote: string): string {
  const longest = Math.max(0, ...[...quote.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const edge = longest > 0 ? " " : "";
  return `${fence}${edge}${quote}${edge}${fence}`;
}
