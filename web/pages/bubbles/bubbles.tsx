// All bubbles as a table: filtered by words, sorted by a column, and each row with what may be done about it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { BubbleRow, BubblesPage } from "../../../src/core/views/page/bubbles.ts";
import { tellHeader } from "../../app/header.ts";
import { usePayload } from "../../live/payload.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { matches, type Sorting, sorted } from "./order.ts";
import { Row } from "./row.tsx";

export function Bubbles() {
  const { value, refused } = usePayload<BubblesPage>("/api/bubbles", (key) => key === "bubbles");
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return (
    <div class="bubbles">
      {refused ? <Refusal refused={refused} /> : null}
      {value ? <Table page={value} /> : <h1>Bubbles</h1>}
    </div>
  );
}

const sortings: readonly { readonly key: Sorting; readonly name: string }[] = [
  { key: "waits", name: "needs you first" },
  { key: "sign", name: "last sign" },
  { key: "name", name: "name" },
  { key: "spent", name: "spent" },
];

function Table({ page }: { readonly page: BubblesPage }) {
  const filter = useSignal("");
  const order = useSignal<Sorting>("waits");
  const rows = sorted(
    page.rows.filter((row) => matches(row, filter.value)),
    order.value,
  );
  return (
    <>
      <header class="bar">
        <h1>Bubbles</h1>
        <p class="quiet" aria-live="polite">
          {filter.value ? `${rows.length} of ` : ""}
          {page.rows.length} · {page.active} active
        </p>
        <label>
          Filter
          <input
            id="filter"
            type="search"
            placeholder="state, repository, agent, P1 …"
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          Sort
          <select
            value={order.value}
            onChange={(event) => {
              order.value = event.currentTarget.value as Sorting;
            }}
          >
            {sortings.map(({ key, name }) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      {rows.length > 0 ? <Rows rows={rows} /> : <p class="nothing">No bubble is like that.</p>}
    </>
  );
}

const columns = ["Bubble", "State", "Where", "Round", "Who", "Open", "Gates", "Spent", "Sign", "Do"];

function Rows({ rows }: { readonly rows: readonly BubbleRow[] }) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={`${row.repo}/${row.id}`} row={row} />
        ))}
      </tbody>
    </table>
  );
}
