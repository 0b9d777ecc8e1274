// What is to be done: the task, its criteria, the plan it belongs to, and the papers that were accepted on the way.
import type { PlanPage } from "../../../src/core/views/page/bubble/plan.ts";
import { bubblePath, planPath } from "../../app/route.ts";
import { Age } from "../../parts/age.tsx";
import { Markdown } from "../../parts/markdown/markdown.tsx";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";

export function Plan({ at }: { readonly at: BubbleAt }) {
  const loaded = useTab<PlanPage>(at, "plan");
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {loaded.value ? <Parts page={loaded.value} /> : null}
    </div>
  );
}

function Parts({ page }: { readonly page: PlanPage }) {
  return (
    <>
      <Origin page={page} />
      <section aria-labelledby="task">
        <h2 id="task">Task</h2>
        <Markdown text={page.task} />
      </section>
      <Criteria page={page} />
      {page.plan ? (
        <section aria-labelledby="plan">
          <h2 id="plan">
            Plan <a href={planPath(page.repo, page.plan.slug)}>{page.plan.slug}</a>{" "}
            <span class="quiet">
              {page.plan.committed_at ? `committed ${page.plan.committed_at.slice(0, 10)}` : "not committed"}
            </span>
          </h2>
          <Markdown text={page.plan.text} />
        </section>
      ) : null}
      {page.papers.map(({ kind, agent, at, text }) => (
        <section key={kind} aria-label={kind}>
          <h2>
            {kind}{" "}
            <span class="quiet">
              {agent}, <Age at={at} /> ago
            </span>
          </h2>
          <pre class="paper">{text}</pre>
        </section>
      ))}
    </>
  );
}

/** Where it comes from: the bubble above, and those it continues. */
function Origin({ page }: { readonly page: PlanPage }) {
  const { parent, lineage, repo } = page;
  if (!parent && lineage.length === 0) return null;
  return (
    <p class="origin">
      {parent ? (
        <>
          Task {parent.key} of <a href={bubblePath(repo, parent.bubble)}>{parent.bubble}</a>
        </>
      ) : null}
      {lineage.length > 0 ? (parent ? ", continues " : "Continues ") : null}
      {lineage.map((bubble) => (
        <a key={bubble} href={bubblePath(repo, bubble)}>
          {bubble}{" "}
        </a>
      ))}
    </p>
  );
}

function Criteria({ page }: { readonly page: PlanPage }) {
  if (page.criteria.length === 0) return null;
  return (
    <section aria-labelledby="criteria">
      <h2 id="criteria">Criteria</h2>
      <ul class="rows">
        {page.criteria.map(({ id, text, evidence }) => (
          <li key={id}>
            <b>{id}</b>
            <span>{text}</span>
            <span class="quiet">
              {evidence === null
                ? "judged in its own task"
                : evidence.length > 0
                  ? `evidence by ${evidence.join(", ")}`
                  : "no evidence on this tree"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
