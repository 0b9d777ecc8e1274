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
  const width = Math.max(step * rows.length, 240);
  const describes = `${columns[at]?.name} by week, at most ${formatCell(most, unit)}. The table below says the same.`;
  return (
    <svg class="columns" role="img" aria-label={describes} viewBox={`0 0 ${width} ${height + 24}`}>
      <line x1={0} x2={width} y1={height} y2={height} />
      <text x={0} y={12}>
        {formatCell(most, unit)}
      </text>
      {values.map((value, index) => {
        const tall = most > 0 ? (value / most) * (height - 24) : 0;
        return (
          <rect
            key={String(rows[index]?.[0])}
            x={index * step + step * 0.1}
            y={height - tall}
            width={step * 0.8}
            height={tall}
            rx={Math.min(3, tall)}
          >
            <title>{`${rows[index]?.[0]}: ${formatCell(rows[index]?.[at] ?? null, unit)}`}</title>
          </rect>
        );
      })}
      <text x={0} y={height + 18}>
        {rows[0]?.[0]}
      </text>
      {rows.length > 4 ? (
        <text class="last" x={step * rows.length} y={height + 18}>
          {rows.at(-1)?.[0]}
        </text>
      ) : null}
    </svg>
  );
}
