// What a person can type when a critic says that no producer can fix the work here: its task must be cut, designed or
// split anew, and this workflow has no way of its own for that.
import type { State } from "../model/state.ts";
import { quoteShellText } from "../model/value/shell-word.ts";
import { clip } from "../model/value/sizes.ts";
import { slugifyTitle } from "../plan/slug.ts";

const aims = {
  misscoped: "To give the task other boundaries",
  architectural: "To settle the design first",
  too_big: "To split the task",
} as const;

/** The critic's own words, and the commands that lead on; empty when the newest review names no such way. */
export function describeAlternatives(state: State): string {
  const route = state.reviews.at(-1)?.route;
  if (route === undefined || route === "fixable" || route === "unknown") return "";
  const { lastReview } = state;
  const said = lastReview?.feedback.trim();
  const words = said ? [`What ${lastReview?.agent} says:\n\n${clip(said, 2000)}`] : [];
  const lines = listCommandsFor(state, route).map((command) => `  ${command}`);
  return [...words, `${aims[route]}, choose reject here and type:\n\n${lines.join("\n")}`].join("\n\n");
}

function listCommandsFor(state: State, route: keyof typeof aims): string[] {
  const title = state.task.title;
  const known = state.program.payload?.plan_slug;
  if (typeof known === "string" && known)
    return [`pairflow plan ${quoteShellText(title)} --supersede ${known}`, `pairflow plan show ${known}`];
  const slug = slugifyTitle(title);
  if (route === "too_big") return [`pairflow auto ${quoteShellText(title)}`];
  if (route === "architectural")
    return [`pairflow explore ${quoteShellText(title)}`, `pairflow promote ${slug}`];
  return [`pairflow plan ${quoteShellText(title)}`, `pairflow execute ${slug}`];
}
