// Cobertura's XML, which coverage.py, tarpaulin, jest and many others write. The sums are on the root; older writers
// leave only a rate there, which is taken when there are lines at all.
import { type Figures, figures } from "./figures.ts";
import { attributesAt, count, tagAt } from "./xml.ts";

export function cobertura(text: string): Figures | undefined {
  const root = tagAt(text, "coverage");
  if (root < 0) return undefined;
  const attributes = attributesAt(text, root);
  const [valid, covered] = [count(attributes["lines-valid"]), count(attributes["lines-covered"])];
  if (valid !== undefined || covered !== undefined) return figures(valid, covered);
  const rate = /^(?:0(?:\.\d+)?|1(?:\.0+)?)$/.test(attributes["line-rate"] ?? "")
    ? Number(attributes["line-rate"])
    : undefined;
  const hasLines = tagAt(text, "line") >= 0;
  return rate === undefined || !hasLines ? undefined : figures(1_000_000, Math.floor(rate * 1_000_000));
}
