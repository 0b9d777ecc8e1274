// Plans: what was thought out before anybody works, those that nobody has committed to first.
import { useEffect } from "preact/hooks";
import type { ListedPlanRow, PlansPage } from "../../../src/core/views/page/plans.ts";
import { tellHeader } from "../../app/header.ts";
import { planPath, type Route } from "../../app/route.ts";
import { usePayload } from "../../live/payload.ts";
import { Age } from "../../parts/age.tsx";
import { Command } from "../../parts/command.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { OnePlan } from "./plan.tsx";
import { describeTasks } from "./tasks.ts";

export function PlanPages({ at }: { readonly at: Route }) {
  if (at.page !== "plan") return <Plans />;
  return <OnePlan key={`${at.repo}/${at.slug}`} at={at} />;
}

function Plans() {
  const { value, refused } = usePayload<PlansPage>("/api/plans", (key) => key === "plans");
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  const groups = [
    { name: "Not committed", rows: value?.plans.filter(({ state }) => state === "uncommitted") },
    { name: "Cannot be read", rows: value?.plans.filter(({ state }) => state === "unreadable") },
    { name: "Committed", rows: value?.plans.filter(({ state }) => state === "committed") },
    { name: "Superseded", rows: value?.plans.filter(({ state }) => state === "superseded") },
  ];
  return (
    <div class="plans">
      <h1>Plans</h1>
      {refused ? <Refusal refused={refused} /> : null}
      {value?.plans.length === 0 ? <None /> : null}
      {groups.map(({ name, rows = [] }) =>
        rows.length > 0 ? (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul class="rows">
              {rows.map((row) => (
                <PlanLine key={`${row.repo}/${row.slug}`} row={row} />
              ))}
            </ul>
          </section>
        ) : null,
      )}
    </div>
  );
}

function None() {
  return (
    <div class="nothing">
      <p>There is no plan yet. Think one out with an agent, or write one:</p>
      <ol>
        {['pairflow explore "…"', 'pairflow plan "…"'].map((text) => (
          <li key={text}>
            <Command text={text} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function PlanLine({ row }: { readonly row: ListedPlanRow }) {
  const at = row.committed_at ?? row.created_at;
  return (
    <li>
      <span class="name">
        <a href={planPath(row.repo, row.slug)}>{row.slug}</a> <span class="repo">{row.repo}</span>
      </span>
      <span>
        {row.problem ?? row.title}
        {row.tasks ? <span class="quiet"> · {describeTasks(row.tasks)}</span> : null}
        {row.superseded_by ? <span class="quiet"> · by {row.superseded_by}</span> : null}
      </span>
      <span class="quiet">
        {at ? (
          <>
            <Age at={at} /> ago{" "}
          </>
        ) : null}
        {row.state === "superseded" ? null : <Command text={row.next} />}
      </span>
    </li>
  );
}
