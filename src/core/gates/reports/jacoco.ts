// JaCoCo's XML: counters at every level, those of the whole report after its last package.
import { buildFigures, type Figures } from "./figures.ts";
import { findTag, readAttributes, readCount } from "./xml.ts";

export function readJacoco(text: string): Figures | undefined {
  const end = text.lastIndexOf("</report>");
  if (findTag(text, "report") < 0 || end < 0) return undefined;
  const from = Math.max(text.lastIndexOf("</package>"), text.lastIndexOf("</group>"), 0);
  const counters = text.slice(from, end).matchAll(/<counter\s/g);
  for (const { index } of counters) {
    const { type, missed, covered } = readAttributes(text, from + index);
    if (type === "LINE") return sum(readCount(missed), readCount(covered));
  }
  return undefined;
}

function sum(missed: number | undefined, covered: number | undefined): Figures | undefined {
  return missed === undefined ? undefined : buildFigures(missed + (covered ?? Number.NaN), covered);
}
