// Figures over bubbles and time: what is looked at, a line of figures, and the charts.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { InsightsPage } from "../../../src/core/views/page/insights/view.ts";
import { tellHeader } from "../../app/header.ts";
import { usePayload } from "../../live/payload.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { formatCell } from "./cells.ts";
import { ChartTable } from "./table.tsx";
import { Weeks } from "./weeks.tsx";

export function Insights() {
  const query = useSignal(location.search);
  const { value, refused } = usePayload<InsightsPage>(`/api/insights${query.value}`, () => false);
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  const choose = (name: string, chosen: string) => {
    const next = new URLSearchParams(query.value);
    if (chosen) next.set(name, chosen);
    else next.delete(name);
    query.value = next.size > 0 ? `?${next}` : "";
    history.replaceState(null, "", `/insights${query.value}`);
  };
  return (
    <div class="insights">
      {value ? <Scope page={value} choose={choose} /> : <h1>Insights</h1>}
      {refused ? <Refusal refused={refused} /> : null}
      {value ? <Figures page={value} /> : null}
    </div>
  );
}

interface ScopeProps {
  readonly page: InsightsPage;
  choose(name: string, chosen: string): void;
}

const times = [
  { days: "30", name: "last 30 days" },
  { days: "", name: "last 90 days" },
  { days: "365", name: "last year" },
  { days: "all", name: "all time" },
];

function Scope({ page, choose }: ScopeProps) {
  const days = page.days === null ? "all" : page.days === 90 ? "" : String(page.days);
  return (
    <header class="bar">
      <h1>Insights</h1>
      <Choice name="Time" value={days} choose={(chosen) => choose("days", chosen)}>
        {times.map((time) => [time.days, time.name])}
      </Choice>
      <Choice name="Repository" value={page.repo ?? ""} choose={(chosen) => choose("repo", chosen)}>
        {[["", "all"], ...page.repositories.map((name): [string, string] => [name, name])]}
      </Choice>
      <Choice name="Workflow" value={page.workflow ?? ""} choose={(chosen) => choose("workflow", chosen)}>
        {[["", "all"], ...page.workflows.map((name): [string, string] => [name, name])]}
      </Choice>
    </header>
  );
}

interface ChoiceProps {
  readonly name: string;
  readonly value: string;
  choose(chosen: string): void;
  readonly children: readonly (readonly string[])[];
}

function Choice({ name, value, choose, children }: ChoiceProps) {
  return (
    <label>
      {name}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {children.map(([key = "", words]) => (
          <option key={key} value={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

function Figures({ page }: { readonly page: InsightsPage }) {
  if (page.bubbles === 0)
    return <p class="nothing">No bubble has ended in this time. Figures are of bubbles that are over.</p>;
  return (
    <>
      <dl class="figures">
        {page.figures.map(({ name, unit, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{formatCell(value, unit)}</dd>
          </div>
        ))}
      </dl>
      <Weeks table={page.weeks} />
      <div class="charts">
        {page.tables.map((table) => (
          <ChartTable key={table.key} table={table} />
        ))}
      </div>
    </>
  );
}
