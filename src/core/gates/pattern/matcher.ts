// A gate's pattern, compiled to an automaton: however it is nested, no output can keep the driver busy.
import { compileSearch, countStates, type Search } from "../../text/nfa.ts";
import { parsePattern } from "./parse.ts";

/** `flaw`: why the pattern cannot be looked for, as the end of a sentence. */
export type Matcher = (Search & { readonly flaw?: undefined }) | { readonly flaw: string };

/** Enough for any pattern that a person can read. */
const mostStates = 600;
/** A second or two in all lines together. Few patterns ever need a thousandth. */
const mostVisits = 10_000_000;
const ignoringCase = "(?i)";

/** The pattern, ready to be looked for. */
export function compileMatcher(pattern: string): Matcher {
  const ignoreCase = pattern.startsWith(ignoringCase);
  const source = ignoreCase ? pattern.slice(ignoringCase.length) : pattern;
  const disorder = findDisorder(source);
  if (disorder !== undefined) return { flaw: `it is no regular expression: ${disorder}` };
  const read = parsePattern(source, ignoreCase);
  if (read.flaw !== undefined) return read;
  if (countStates(read.piece) > mostStates) return { flaw: "it repeats too much" };
  return compileSearch(read.piece, { mostVisits });
}

/** What is wrong with brackets and quantifiers, in the language's own words. */
function findDisorder(source: string): string | undefined {
  try {
    new RegExp(source);
    return undefined;
  } catch (error) {
    return (error instanceof Error ? error.message.split(": ").at(-1) : undefined)?.toLowerCase() ?? "";
  }
}
