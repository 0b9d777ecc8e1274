// Scripts are written before there is a tree: a script that speaks of it writes {{tree}}, and the id stands in the
// conversation, where a model would have read it.
import type { Asked, Said } from "./model.ts";

export const treeMark = "{{tree}}";

const named = /(?:^Tree |tree you judged: `|with "tree": ")([0-9a-f]{40,64})\b/gm;

/** The tree that the newest prompt names; empty where none does. */
export function treeIn(texts: readonly string[]): string {
  return texts.flatMap((text) => [...text.matchAll(named)].map(([, id = ""]) => id)).at(-1) ?? "";
}

/** The same words with the tree's real id in them. */
export function withTree(said: Said, { texts }: Pick<Asked, "texts">): Said {
  const words = JSON.stringify(said);
  return words.includes(treeMark) ? JSON.parse(words.replaceAll(treeMark, treeIn(texts))) : said;
}
