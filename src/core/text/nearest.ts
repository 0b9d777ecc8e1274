// "Did you mean …": the known word closest to a mistyped one.

/** Letters to add, to leave out, to replace or to swap with the next one until `a` is `b`. */
function measureDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const replaced = (row[j - 1] ?? 0) + (isSame ? 0 : 1);
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}

/** The nearest known word, if it is near enough to be meant. */
export function findNearestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, far: measureDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best && best.far <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

/** A clause to append to a message: `; did you mean X?`, the list of known words, or nothing. */
export function suggestWord(word: string, known: readonly string[]): string {
  const best = findNearestWord(word, known);
  if (best) return `; did you mean ${best}?`;
  return known.length > 0 && known.length <= 12 ? `; known: ${known.join(", ")}` : "";
}

/** The known word that a beginning stands for, when it is the only one; else the nearest one. */
export function findBegunWord(word: string, known: readonly string[]): string | undefined {
  const begun = word === "" ? [] : known.filter((one) => one.startsWith(word));
  return begun.length === 1 ? begun[0] : findNearestWord(word, known);
}
