// One chart with its table: the bars stand in the cells, so that both say the same. What is shown can be had as CSV.
import type { InsightColumn, InsightTable } from "../../../src/core/views/page/insights/table.ts";
import { buildCsv, formatCell } from "./cells.ts";

export function ChartTable({ table }: { readonly table: InsightTable }) {
  const { key, says, rows } = table;
  return (
    <section class="chart" aria-labelledby={`chart-${key}`}>
      <ChartHead table={table} />
      <p class="quiet">{says}</p>
      {rows.length > 0 ? <Values table={table} /> : <p class="none">Nothing yet.</p>}
    </section>
  );
}

export function ChartHead({ table }: { readonly table: InsightTable }) {
  return (
    <header>
      <h2 id={`chart-${table.key}`}>{table.title}</h2>
      {table.rows.length > 0 ? (
        <button
          type="button"
          class="plain"
          aria-label={`CSV of ${table.title}`}
          onClick={() => saveCsv(table)}
        >
          CSV
        </button>
      ) : null}
    </header>
  );
}

function saveCsv(table: InsightTable): void {
  const address = URL.createObjectURL(new Blob([buildCsv(table)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `pairflow-${table.key}.csv`;
  link.click();
  URL.revokeObjectURL(address);
}

export function Values({ table }: { readonly table: InsightTable }) {
  const { columns, rows, drawn } = table;
  const most = Math.max(1, ...rows.map((row) => Number(row[drawn ?? 1] ?? 0)));
  return (
    <div class="values">
      <table>
        <thead>
          <tr>
            {columns.map(({ name, unit }) => (
              <th key={name} scope="col" class={unit}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = "", ...cells]) => (
            <tr key={String(first)}>
              <th scope="row">{first}</th>
              {cells.map((cell, at) => (
                <td
                  key={columns[at + 1]?.name}
                  class={columns[at + 1]?.unit}
                  data-label={columns[at + 1]?.name}
                >
                  {at + 1 === drawn ? <Bar share={Number(cell ?? 0) / most} /> : null}
                  {formatCell(cell, unitOf(columns[at + 1]))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const unitOf = (column: InsightColumn | undefined) => column?.unit ?? "text";

function Bar({ share }: { readonly share: number }) {
  return <span class="bar-of" aria-hidden="true" style={{ "--share": share.toFixed(3) }} />;
}
