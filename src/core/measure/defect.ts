// Where a defect stands: the lines in which the changed file differs from what it should be.

/** The lines of `mutated` that differ from `clean`; around a gap the lines on both sides. Lines with a text of `also` count too. */
export function findDefectLines(clean: string, mutated: string, also: readonly string[] = []): number[] {
  const [was, is] = [clean.split("\n"), mutated.split("\n")];
  const shorter = Math.min(was.length, is.length);
  let head = 0;
  while (head < shorter && was[head] === is[head]) head++;
  let tail = 0;
  while (tail < shorter - head && was.at(-1 - tail) === is.at(-1 - tail)) tail++;
  const changed = listRange(head + 1, is.length - tail);
  const around = listRange(Math.max(1, head), Math.min(is.length, head + 1));
  const pointedAt = is.flatMap((line, i) => (also.some((part) => line.includes(part)) ? [i + 1] : []));
  const lines = new Set([...(changed.length > 0 ? changed : around), ...pointedAt]);
  return [...lines].sort((a, b) => a - b);
}

function listRange(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}
