// A reviewer's card as a table: a class a row, counts first, and how far they can be trusted.
import { type Card, type Counts, estimateShare } from "../../../core/measure/card.ts";
import { formatUsage } from "../../../core/views/bubble/usage.ts";
import { renderTable } from "../table.ts";

/** The whole card. */
export function renderCard(card: Card): string {
  const head = ["", "planted", "caught", "recall (95 %)", "clean", "false alarms"];
  const rows = Object.entries(card.classes).map(([name, counts]) => renderRow(name, counts));
  const how = [
    card.adapter,
    card.model ?? "",
    `cases ${card.cases}`,
    card.runs > 1 ? `${card.runs} runs` : "",
  ];
  return [
    `${card.agent} as a reviewer · ${how.filter(Boolean).join(" · ")} · ${card.at.slice(0, 10)}`,
    ...renderTable([head, ...rows, renderRow("all", card)]).map((line) => `  ${line}`),
    ...listNotes(card).map((note) => `  ${note}`),
  ].join("\n");
}

function renderRow(name: string, { planted, caught, controls, false_alarms }: Counts): string[] {
  return [
    name,
    String(planted),
    String(caught),
    recall(caught, planted),
    String(controls),
    String(false_alarms),
  ];
}

function recall(caught: number, planted: number): string {
  if (planted === 0) return "–";
  const { low, high } = estimateShare(caught, planted);
  return `${toPercent(caught / planted)} % (${toPercent(low)}–${toPercent(high)})`;
}

const toPercent = (share: number) => Math.round(share * 100);

function listNotes({ invalid, whole, usage, unmetered }: Card): string[] {
  const reviews = (number: number) => `${number} ${number === 1 ? "review" : "reviews"}`;
  const unknown = unmetered > 0 ? ` · ${reviews(unmetered)} without figures` : "";
  return [
    invalid > 0 ? `no valid review: ${invalid} (in none of the counts above)` : "",
    usage ? `used: ${formatUsage(usage)}${unknown}` : "used: the agent's CLI reports no figures",
    whole ? "" : "only some of the cases were used",
  ].filter(Boolean);
}
