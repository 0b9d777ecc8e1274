// Cobertura's XML, which coverage.py, tarpaulin, jest and many others write. The sums are on the root; older writers
// leave only a rate there, which is taken when there are lines at all.
import { buildFigures, type Figures } from "./figures.ts";
import { findTag, readAttributes, readCount } from "./xml.ts";

export function readCobertura(text: string): Figures | undefined {
  const root = findTag(text, "coverage");
  if (root < 0) return undefined;
  const attributes = readAttributes(text, root);
  const [valid, covered] = [readCount(attributes["lines-valid"]), readCount(attributes["lines-covered"])];
  if (valid !== undefined || covered !== undefined) return buildFigures(valid, covered);
  const rate = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(attributes["line-rate"] ?? "")
    ? Number(attributes["line-rate"])
    : undefined;
  const hasLines = findTag(text, "line") >= 0;
  return rate === undefined || !hasLines ? undefined : buildFigures(1_000_000, Math.floor(rate * 1_000_000));
}
