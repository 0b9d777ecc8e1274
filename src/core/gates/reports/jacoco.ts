// JaCoCo's XML: counters at every level, those of the whole report after its last package.
import { type Figures, figures } from "./figures.ts";
import { attributesAt, count, tagAt } from "./xml.ts";

export function jacoco(text: string): Figures | undefined {
  const end = text.lastIndexOf("</report>");
  if (tagAt(text, "report") < 0 || end < 0) return undefined;
  const from = Math.max(text.lastIndexOf("</package>"), text.lastIndexOf("</group>"), 0);
  const counters = text.slice(from, end).matchAll(/<counter\s/g);
  for (const { index } of counters) {
    const { type, missed, covered } = attributesAt(text, from + index);
    if (type === "LINE") return sum(count(missed), count(covered));
  }
  return undefined;
}

function sum(missed: number | undefined, covered: number | undefined): Figures | undefined {
  return missed === undefined ? undefined : figures(missed + (covered ?? Number.NaN), covered);
}
