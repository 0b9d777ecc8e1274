// A critic's answer in any of the five dialects, read into one verdict; and how each dialect is told to models.
import type { Dialect } from "../../model/verdict.ts";
import { type Parsed, readReview } from "./read.ts";
import { readAnswer } from "./strict-json.ts";

export { echoes } from "./echo.ts";
export { exampleReviews } from "./examples.ts";
export { type Parsed, readForm, readReview } from "./read.ts";
export { bothShapes, howToSay } from "./say.ts";
export { reviewSchema } from "./schema.ts";

/** The verdict that a text ends with: one JSON object of this dialect, or why it is none. */
export function parseReview(dialect: Dialect, text: string): Parsed {
  const json = readAnswer(text);
  return json.ok ? readReview(dialect, json.value) : { ok: false, problems: [json.problem] };
}
