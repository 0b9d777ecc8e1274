// What may be changed where two rules hold at once: the project's and a plan's. A plan never widens what its project says.
import type { BubbleConfig } from "../model/config.ts";

type Scope = BubbleConfig["scope"];
export type ScopeLists = Readonly<Record<"in" | "out" | "do_not_touch", readonly string[]>> & {
  readonly also_in?: readonly (readonly string[])[] | undefined;
};

/** What both allow. */
export function intersectScopes(own: ScopeLists, plan: ScopeLists | undefined): Scope {
  const narrower = plan ?? { in: [], out: [], do_not_touch: [] };
  const [first, ...more] = [own, narrower].flatMap(listInLists).filter(isNeeded);
  return {
    in: [...(first ?? [])],
    out: removeDuplicates([...own.out, ...narrower.out]),
    do_not_touch: removeDuplicates([...own.do_not_touch, ...narrower.do_not_touch]),
    ...(more.length > 0 ? { also_in: more.map((list) => [...list]) } : {}),
  };
}

/** Lists of what is in, each of which must hold a file; an empty one says nothing. */
export const listInLists = (scope: ScopeLists): (readonly string[])[] =>
  [scope.in, ...(scope.also_in ?? [])].filter((list) => list.length > 0);

/** A list says nothing new where another one is within it; of two that are the same the first counts. */
const isNeeded = (list: readonly string[], at: number, all: readonly (readonly string[])[]): boolean =>
  !all.some(
    (other, place) => place !== at && areWithin(other, list) && !(areWithin(list, other) && at < place),
  );

const areWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  narrow.every((pattern) => wide.some((other) => isWithin(pattern, other)));

/** Certainly: the same pattern, or one that begins with the folder of the other. A pattern is no path: `src/*` matches `src/**`. */
function isWithin(pattern: string, other: string): boolean {
  if (pattern === other || other === "**") return true;
  const folder = /^([^*?[\]{}()!+@|\\]+\/)\*\*$/.exec(other)?.[1];
  return folder !== undefined && pattern.startsWith(folder) && !/[|()\\]/.test(pattern);
}

const removeDuplicates = (list: readonly string[]): string[] => [...new Set(list)];
