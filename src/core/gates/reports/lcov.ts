// lcov's tracefile: a record a source file, `DA:line,hits` for each line, or only the sums `LF` and `LH`.
import { addFigures, type Figures } from "./figures.ts";

interface Record {
  readonly lines: Map<string, boolean>;
  found: number;
  hit: number;
}

/** Lines covered. A file that several records tell of counts once, a line of it covered if one of them hit it. */
export function readLcov(text: string): Figures | undefined {
  const records = new Map<string, Record>();
  let current: Record | undefined;
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":");
    const [key, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (key === "SF") current = buildRecord(records, value);
    else if (current) take(current, key, value);
  }
  return addFigures([...records.values()].map(sumFigures));
}

function buildRecord(records: Map<string, Record>, file: string): Record {
  const known = records.get(file) ?? { lines: new Map(), found: 0, hit: 0 };
  records.set(file, known);
  return known;
}

function take(record: Record, key: string, value: string): void {
  if (key === "LF") record.found = Math.max(record.found, Number(value));
  if (key === "LH") record.hit = Math.max(record.hit, Number(value));
  if (key !== "DA") return;
  const [line = "", hits] = value.split(",", 2);
  record.lines.set(line, record.lines.get(line) === true || Number(hits) > 0);
}

function sumFigures({ lines, found, hit }: Record): Figures {
  if (lines.size === 0) return { total: found, covered: hit };
  return { total: lines.size, covered: [...lines.values()].filter(Boolean).length };
}
