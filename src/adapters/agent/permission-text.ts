// What a person is asked to allow is shown whole: who allows the beginning of a command allows all of it. What is longer than
// anybody would read, or a line of the record could hold, is refused instead of asked.
import { clip } from "../../core/model/value/sizes.ts";

const longestWish = 12_000;
const shortLine = 300;

/** Why a wish cannot be put before a person; undefined when it can. */
export function checkWishLength(wish: string): string | undefined {
  return wish.length <= longestWish
    ? undefined
    : `it has ${wish.length} characters, more than can be shown to a person (${longestWish}); put it into a script file`;
}

/** The wish on one line, marked where it is cut. */
export function shortenWish(wish: string): string {
  const line = wish.trim().replaceAll(/\s+/g, " ");
  return line.length <= shortLine
    ? line
    : `${clip(line, shortLine)} (${wish.length} characters, whole below)`;
}

/** The whole of it, where the one line does not show it. */
export const getWholeWish = (wish: string): string => (shortenWish(wish) === wish.trim() ? "" : wish);
