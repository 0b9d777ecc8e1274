// Which rows are shown, and in which order.
import type { BubbleRow } from "../../../src/core/views/page/bubbles.ts";

export type Sorting = "waits" | "sign" | "name" | "spent";

/** Every word is somewhere in the row. */
export function matches(row: BubbleRow, filter: string): boolean {
  const text = [
    row.id,
    row.repo,
    row.state,
    row.title,
    row.where,
    row.who,
    row.host ?? "",
    row.open && `open ${row.open}`,
  ]
    .join(" ")
    .toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

const urgency = ["waits", "wrong", "silent", "works", "rests", "over"];

const orders: Readonly<Record<Sorting, (a: BubbleRow, b: BubbleRow) => number>> = {
  waits: (a, b) => urgency.indexOf(a.mark) - urgency.indexOf(b.mark) || orders.sign(a, b),
  sign: (a, b) => (b.sign_at ?? "").localeCompare(a.sign_at ?? ""),
  name: (a, b) => a.id.localeCompare(b.id),
  spent: (a, b) => (b.usd ?? 0) - (a.usd ?? 0),
};

export const sorted = (rows: readonly BubbleRow[], order: Sorting): BubbleRow[] =>
  [...rows].sort(orders[order]);
