// The clauses of a sentence: commas, semicolons, line breaks, full stops and the words between two statements part them.
// A quote belongs to the places of its own clause.
import type { EvidenceToken } from "./token.ts";

const parting = /[;,\n]|[.!?](?=\s|$)|(?<![\p{L}\p{N}])(?:and|but|while|whereas)(?![\p{L}\p{N}])|&/giu;

/** The number of the clause that a token stands in. What stands inside of tokens parts nothing. */
export function numberClauses(
  sentence: string,
  tokens: readonly EvidenceToken[],
): (token: EvidenceToken) => number {
  const ends = [...sentence.matchAll(parting)]
    .map(({ index }) => index)
    .filter((at) => !tokens.some(({ from, to }) => at >= from && at < to));
  return ({ from }) => ends.filter((at) => at < from).length;
}
