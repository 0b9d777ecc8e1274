// Go's coverage profile: `mode: set`, then one block a line: file:from,to, its statements, how often it ran.
import { buildFigures, type Figures } from "./figures.ts";

const mode = /^mode: (?:set|count|atomic)$/;
const block = /^(\S.*:\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/;

/** Statements covered. A block that several test binaries list counts once, covered if one of them ran it. */
export function goProfile(text: string): Figures | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  if (!mode.test(lines[0] ?? "")) return undefined;
  const blocks = new Map<string, { statements: number; ran: boolean }>();
  for (const line of lines.slice(1)) {
    if (line === "" || mode.test(line)) continue;
    const [, place, statements, count] = block.exec(line) ?? [];
    if (place === undefined) return undefined;
    const ran = Number(count) > 0 || blocks.get(place)?.ran === true;
    blocks.set(place, { statements: Number(statements), ran });
  }
  let total = 0;
  let covered = 0;
  for (const { statements, ran } of blocks.values()) {
    total += statements;
    covered += ran ? statements : 0;
  }
  return buildFigures(total, covered);
}
