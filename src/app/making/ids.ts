// The names a bubble's children and successors go by: the bubble's own and what they are for, as an id may be.
import type { Hash } from "../../ports/clock.ts";

const longest = 63;
const tries = 99;

/** Ids to try one after the other: <name>, <name>-2, <name>-3 … */
export function* siblingIds(name: string, hash: Hash): Generator<string> {
  const plain = name.replace(/[^a-z0-9_-]+/gi, "-");
  for (let n = 1; n <= tries; n++) yield shortened(n === 1 ? plain : `${plain}-${n}`, hash);
}

/** A name that is too long is cut, and told apart by its hash. */
function shortened(name: string, hash: Hash): string {
  if (name.length <= longest) return name;
  const mark = hash.sha256(name).slice(0, 8);
  return `${name.slice(0, longest - mark.length - 1)}-${mark}`;
}
