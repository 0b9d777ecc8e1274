// Values of a table as people read them, and as a spreadsheet does.
import type { Cell, InsightTable, Unit } from "../../../src/core/views/page/insights/table.ts";
import { duration } from "../../live/clock.ts";
import { dollars, tokens } from "../../parts/money.ts";

export function formatCell(value: Cell, unit: Unit): string {
  if (value === null) return "–";
  if (typeof value === "string") return value;
  switch (unit) {
    case "share":
      return `${Math.round(value * 100)} %`;
    case "ms":
      return duration(value);
    case "tokens":
      return tokens(Math.round(value));
    case "usd":
      return dollars(value);
    default:
      return String(value);
  }
}

/** Raw numbers with their unit in the column's name. */
export function buildCsv({ columns, rows }: InsightTable): string {
  const head = columns.map(({ name, unit }) =>
    unit === "text" || unit === "count" ? name : `${name} (${unit})`,
  );
  return [head, ...rows].map((row) => `${row.map(quoteCell).join(",")}\r\n`).join("");
}

/** A cell that begins like a formula is text: agents choose some of these words. */
function quoteCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
