// One line of a transcript changed in each of the ways in which disks, editors and people change lines.

export type Mutation = (lines: readonly Buffer[], at: number, dice: number) => readonly Buffer[] | undefined;

const put = (lines: readonly Buffer[], at: number, ...those: Buffer[]) => [
  ...lines.slice(0, at),
  ...those,
  ...lines.slice(at + 1),
];

export const mutations: Readonly<Record<string, Mutation>> = {
  delete: (lines, at) => put(lines, at),
  swap: (lines, at) => {
    const [one, other] = [lines[at], lines[at + 1]];
    return one && other ? [...lines.slice(0, at), other, one, ...lines.slice(at + 2)] : undefined;
  },
  flip: (lines, at, dice) => {
    const line = Buffer.from(lines[at] ?? []);
    const byte = Math.floor(dice / 8) % (line.length - 1);
    line[byte] = (line[byte] ?? 0) ^ (1 << (dice % 8));
    return put(lines, at, line);
  },
  "flip of the newline": (lines, at, dice) => {
    const line = Buffer.from(lines[at] ?? []);
    line[line.length - 1] = 10 ^ (1 << (dice % 8));
    return put(lines, at, line);
  },
  truncate: (lines, at, dice) => {
    const line = lines[at] ?? Buffer.alloc(0);
    return put(lines, at, Buffer.concat([line.subarray(0, dice % (line.length - 1)), Buffer.from("\n")]));
  },
  duplicate: (lines, at) => {
    const line = lines[at] ?? Buffer.alloc(0);
    return put(lines, at, line, line);
  },
};

/** The lines of a file with their newlines; what has none is left out. */
export function splitFileLines(file: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let to = file.indexOf(10); to !== -1; to = file.indexOf(10, from)) {
    lines.push(file.subarray(from, to + 1));
    from = to + 1;
  }
  return lines;
}
