// One plan: how far it is, what to type next, its document, its tasks, and its newest run as a tree.
import { useEffect } from "preact/hooks";
import type { OnePlanPage } from "../../../src/core/views/page/plans.ts";
import { tellHeader } from "../../app/header.ts";
import { planPath, type Route } from "../../app/route.ts";
import { usePayload } from "../../live/payload.ts";
import { Age } from "../../parts/age.tsx";
import { Command } from "../../parts/command.tsx";
import { Markdown } from "../../parts/markdown/markdown.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { Children } from "../bubble/children.tsx";
import { describeTasks } from "./tasks.ts";

export type PlanAt = Extract<Route, { page: "plan" }>;

export function OnePlan({ at }: { readonly at: PlanAt }) {
  const isAbout = (key: string) => key === "plans" || key.startsWith(`bubble/${at.repo}/`);
  const { value, refused } = usePayload<OnePlanPage>(`/api${planPath(at.repo, at.slug)}`, isAbout);
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return (
    <div class="bubble">
      <header>
        <h1>{value?.plan.title || at.slug}</h1>
        <p class="quiet">
          <a href="/plans">Plans</a> · {at.slug} · {at.repo}
          {value ? <Standing plan={value.plan} /> : null}
        </p>
      </header>
      {refused ? <Refusal refused={refused} /> : null}
      {value ? <Parts page={value} /> : null}
    </div>
  );
}

function Standing({ plan }: Pick<OnePlanPage, "plan">) {
  const { state, committed_at: committed, created_at: created, tasks } = plan;
  const at = committed ?? created;
  return (
    <>
      {" · "}
      <b>{state === "uncommitted" ? "not committed" : state}</b>
      {at ? (
        <>
          {" "}
          <Age at={at} /> ago
        </>
      ) : null}
      {tasks ? ` · ${describeTasks(tasks)}` : ""}
    </>
  );
}

function Parts({ page }: { readonly page: OnePlanPage }) {
  const { plan, run, text, amendments } = page;
  return (
    <>
      {plan.problem ? <p class="problem">{plan.problem}</p> : null}
      <p class="next">
        {plan.superseded_by ? (
          <>
            <a href={planPath(plan.repo, plan.superseded_by)}>{plan.superseded_by}</a> has taken its place.
          </>
        ) : (
          <>
            Next: <Command text={plan.next} />
          </>
        )}
      </p>
      {run ? <Children name="Its run" nodes={[run]} repo={plan.repo} /> : null}
      <Tasks page={page} />
      {amendments.length > 0 ? (
        <section aria-labelledby="amended">
          <h2 id="amended">Changed since</h2>
          <ul class="rows">
            {amendments.map(({ bubble, at, by, diagnosis, change }) => (
              <li key={bubble + at}>
                <span class="name">{by}</span>
                <span class="prose">
                  {diagnosis}
                  {"\n"}
                  {change}
                </span>
                <span class="quiet">
                  <Age at={at} /> ago
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {text ? (
        <section aria-labelledby="document">
          <h2 id="document">Document</h2>
          <Markdown text={text} />
        </section>
      ) : null}
    </>
  );
}

/** In the order of the plan; what each waits for stands beside it. */
function Tasks({ page }: { readonly page: OnePlanPage }) {
  if (page.tasks.length === 0) return null;
  const named = (ids: readonly string[]) =>
    ids.map((id) => page.criteria.find((one) => one.id === id)?.text ?? id).join("; ");
  return (
    <section aria-labelledby="tasks">
      <h2 id="tasks">Tasks</h2>
      <ul class="rows">
        {page.tasks.map(({ id, description, files, depends_on: after, covers }) => (
          <li key={id}>
            <span class="name">
              <b>{id}</b>
              {after.length > 0 ? <span class="quiet"> after {after.join(", ")}</span> : null}
            </span>
            <span class="prose">{description}</span>
            <span class="quiet">
              {files.length > 0 ? <code>{files.join(", ")}</code> : null}
              {covers.length > 0 ? (
                <>
                  {" "}
                  <span title={named(covers)}>fulfils {covers.join(", ")}</span>
                </>
              ) : null}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
