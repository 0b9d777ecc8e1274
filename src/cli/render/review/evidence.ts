// The evidence of a bubble's reviews as text: one review after the other, one line for each place.
import type { BubbleEvidence } from "../../../app/record/review/evidence.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import type { EvidenceItem } from "../../../core/views/review/evidence.ts";
import { createInk, cut, type Ink, type Look, toPlainLine } from "../../terminal/style.ts";
import { formatCount, renderTable } from "../table.ts";

export function renderEvidence({ bubble, tree, evidence }: BubbleEvidence, look: Look): string {
  const paint = createInk(look.colour);
  const head = `${paint.bold(bubble)}  ${formatCount(evidence.length, "place")}, looked up in tree ${tree.slice(0, 12) || "–"}`;
  const reviews = [...new Set(evidence.map(({ iteration }) => iteration))];
  if (reviews.length === 0) return `${head}\nNo review that counted has named a place yet`;
  const parts = reviews.flatMap((iteration) => {
    const items = evidence.filter((item) => item.iteration === iteration);
    const rows = renderTable(
      items.map((item) => renderRow(item, paint)),
      2,
    );
    return [getHead(items, paint), ...rows.map((line) => cut(`  ${line}`, look.width))];
  });
  return [head, ...parts].join("\n");
}

function getHead([first]: readonly EvidenceItem[], paint: Ink): string {
  if (!first) return "";
  const { iteration, agent, round, decision, tree } = first;
  return `${paint.bold(`Review ${iteration}`)}  ${agent}, round ${round}: ${decision}, tree ${tree.slice(0, 12)}`;
}

function renderRow(item: EvidenceItem, paint: Ink): string[] {
  const { holds, problem = "it was not found", quote = "", why = "", says = "" } = item;
  const said = [says, quote && `\`${keepStart(quote, 60)}\``, keepStart(why, 100)];
  return [
    holds ? "holds" : paint.bold("gone"),
    item.for,
    item.place,
    toPlainLine([...said, holds ? "" : problem].filter(Boolean).join(" · ")),
  ];
}
