// The one evidence type: a location, the text that is there, and what that shows. Findings, criteria and SOPs are proven by it in
// every dialect; schemas, tools and flags are made of this declaration.
import * as v from "valibot";
import { defineTextField } from "../value/field.ts";

const defineLineNumber = (about: string) =>
  v.pipe(v.number(), v.integer(), v.minValue(1), v.description(about));

export const Evidence = v.strictObject({
  file: defineTextField(400, "path in the reviewed tree"),
  line: v.optional(defineLineNumber("line number, from 1")),
  end_line: v.optional(defineLineNumber("last line of a range; left out for one line")),
  quote: v.optional(defineTextField(2000, "text that stands there, word for word")),
  why: defineTextField(1000, "what it shows, in your own words"),
});
export type Evidence = v.InferOutput<typeof Evidence>;

/** Where something stands. */
export type CodeLocation = Pick<Evidence, "file" | "line" | "end_line" | "quote">;

/** The same parts where nothing is needed: a finding counts without proof, and says so. */
export const looseEvidence = {
  file: v.optional(Evidence.entries.file),
  line: Evidence.entries.line,
  end_line: Evidence.entries.end_line,
  quote: Evidence.entries.quote,
  why: v.optional(Evidence.entries.why),
};

/** `src/cart.ts:39-41`. */
export function formatLocation({ file, line, end_line: end }: CodeLocation): string {
  if (line === undefined) return file;
  return end === undefined || end === line ? `${file}:${line}` : `${file}:${line}-${end}`;
}

/** Evidence in one line of text, as the grammar of sentences reads it back. */
export function formatEvidence({ why, ...place }: Evidence): string {
  const quoted = place.quote === undefined ? "" : ` ${wrapInBackticks(place.quote)}`;
  return `${formatLocation(place)}${quoted} ${why}`;
}

/** Code between back-ticks, as many as its own do not need. */
function wrapInBackticks(quote: string): string {
  const longest = Math.max(0, ...[...quote.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const edge = longest > 0 ? " " : "";
  return `${fence}${edge}${quote}${edge}${fence}`;
}
