// Figures over time as columns, one a week; which figure is chosen. The table below says the same.
import { useSignal } from "@preact/signals";
import type { InsightTable } from "../../../src/core/views/page/insights/table.ts";
import { formatCell } from "./cells.ts";
import { ChartHead, Values } from "./table.tsx";

const height = 160;
const widest = 48;

export function Weeks({ table }: { readonly table: InsightTable }) {
  const column = useSignal(1);
  const chosen = table.columns[column.value];
  if (!chosen || table.rows.length === 0) return null;
  return (
    <section class="chart weeks" aria-labelledby={`chart-${table.key}`}>
      <ChartHead table={table} />
      <p class="bar">
        <span class="quiet">{table.says}</span>
        <label>
          Show
          <select
            value={column.value}
            onChange={(event) => {
              column.value = Number(event.currentTarget.value);
            }}
          >
            {table.columns.slice(1).map(({ name }, at) => (
              <option key={name} value={at + 1}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </p>
      <Columns table={table} at={column.value} />
      <details>
        <summary>Table</summary>
        <Values table={{ ...table, drawn: column.value }} />
      </details>
    </section>
  );
}

function Columns({ table, at }: { readonly table: InsightTable; readonly at: number }) {
  const { rows, columns } = table;
  const unit = columns[at]?.unit ?? "count";
  const values = rows.map((row) => Number(row[at] ?? 0));
  const most = Math.max(...values, 0);
  const step = Math.min(widest, 960 / rows.length);
  const describes = `${columns[at]?.name} by week, at most ${formatCell(most, unit)}. The table below says the same.`;
  return (
    <>
      <p class="scale" aria-hidden="true">
        {formatCell(most, unit)}
      </p>
      <svg
        class="columns"
        role="img"
        aria-label={describes}
        viewBox={`0 0 ${step * rows.length} ${height}`}
        preserveAspectRatio="none"
      >
        <line x1={0} x2={step * rows.length} y1={height} y2={height} />
        {values.map((value, index) => {
          const tall = most > 0 ? (value / most) * height : 0;
          const week = String(rows[index]?.[0]);
          return (
            <rect key={week} x={(index + 0.1) * step} y={height - tall} width={step * 0.8} height={tall}>
              <title>{`${week}: ${formatCell(rows[index]?.[at] ?? null, unit)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="scale" aria-hidden="true">
        <span>{rows[0]?.[0]}</span>
        <span>{rows.length > 1 ? rows.at(-1)?.[0] : ""}</span>
      </p>
    </>
  );
}
