// What may be changed where two rules hold at once: the project's and a plan's. A plan never widens what its project says.
import type { BubbleConfig } from "../model/config.ts";

type Scope = BubbleConfig["scope"];
export type ScopeLists = Readonly<Record<keyof Scope, readonly string[]>>;

/** What both allow. */
export function narrowedScope(own: ScopeLists, plan: ScopeLists | undefined): Scope {
  if (!plan) return { in: [...own.in], out: [...own.out], do_not_touch: [...own.do_not_touch] };
  const both = inBoth(own.in, plan.in);
  return {
    in: [...both.in],
    out: unique([...own.out, ...plan.out, ...both.out]),
    do_not_touch: unique([...own.do_not_touch, ...plan.do_not_touch]),
  };
}

interface Both {
  readonly in: readonly string[];
  readonly out: readonly string[];
}

/** Two lists of what is in cannot be said as one: what the one leaves out goes to the list of what is out. */
function inBoth(own: readonly string[], plan: readonly string[]): Both {
  if (plan.length === 0 || areWithin(own, plan)) return { in: own, out: [] };
  if (own.length === 0 || areWithin(plan, own)) return { in: plan, out: [] };
  const outside = everythingBut(own);
  if (outside !== undefined) return { in: plan, out: [outside] };
  const other = everythingBut(plan);
  return { in: own, out: other === undefined ? [] : [other] };
}

const areWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  narrow.length > 0 && narrow.every((pattern) => wide.some((other) => isWithin(pattern, other)));

/** Certainly: the same pattern, or one that begins with the folder of the other. A pattern is no path: `src/*` matches `src/**`. */
function isWithin(pattern: string, other: string): boolean {
  if (pattern === other || other === "**") return true;
  const folder = /^([^*?[\]{}()!+@|\\]+\/)\*\*$/.exec(other)?.[1];
  return folder !== undefined && pattern.startsWith(folder);
}

/** One pattern for every path that none of these matches; undefined when there is none. */
function everythingBut(patterns: readonly string[]): string | undefined {
  const [first = ""] = patterns;
  if (patterns.length === 1 && !first.startsWith("(")) return `!${first}`;
  // Within braces a sign of negation is a letter like any other.
  if (patterns.some((pattern) => pattern.startsWith("!"))) return undefined;
  return `!{${[...patterns, first].map(asMember).join(",")}}`;
}

/** A comma of its own, not within braces, would end the member. */
function asMember(pattern: string): string {
  let depth = 0;
  return [...pattern]
    .map((sign) => {
      depth += sign === "{" ? 1 : sign === "}" ? -1 : 0;
      return sign === "," && depth === 0 ? "[,]" : sign;
    })
    .join("");
}

const unique = (list: readonly string[]): string[] => [...new Set(list)];
