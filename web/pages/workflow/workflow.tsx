// The workflow of a bubble, lit where it stands, and a workflow that nobody runs, with the others that can be chosen.
import { useEffect } from "preact/hooks";
import type { GraphPage } from "../../../src/core/views/page/graph.ts";
import type { WorkflowChoice, WorkflowPage } from "../../../src/core/views/page/workflow.ts";
import { tellHeader } from "../../app/header.ts";
import type { Route } from "../../app/route.ts";
import { usePayload } from "../../live/payload.ts";
import { Refusal } from "../../parts/refusal.tsx";
import { type BubbleAt, BubbleHead, useTab } from "../bubble/head.tsx";
import { Graph } from "./graph.tsx";

export function Workflow({ at }: { readonly at: BubbleAt }) {
  const loaded = useTab<GraphPage>(at, "workflow");
  const { value } = loaded;
  return (
    <div class="bubble workflow">
      <BubbleHead at={at} loaded={loaded} />
      {value ? <Graph graph={value} /> : null}
    </div>
  );
}

type ProgramAt = Extract<Route, { page: "program" }>;

export function ProgramPage({ at }: { readonly at: ProgramAt }) {
  const path = `/api/workflows/${encodeURIComponent(at.name)}${location.search}`;
  const { value, refused } = usePayload<WorkflowPage>(path, () => false);
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return (
    <div class="bubble workflow">
      <h1>{at.name}</h1>
      {refused ? <Refusal refused={refused} /> : null}
      {value ? <Program page={value} /> : null}
    </div>
  );
}

function Program({ page }: { readonly page: WorkflowPage }) {
  const chosen = page.choices.find(({ name, repo }) => name === page.name && repo === page.repo);
  return (
    <>
      <p class="quiet">
        {page.repo ?? "built in"}
        {page.version ? ` · version ${page.version}` : ""}
      </p>
      <p>{page.description}</p>
      <nav class="tabs" aria-label="Workflows">
        {page.choices.map((choice) => (
          <a
            key={`${choice.repo}/${choice.name}`}
            href={pathOf(choice)}
            aria-current={choice === chosen ? "page" : undefined}
          >
            {choice.name}
            {choice.repo ? <span class="quiet"> {choice.repo}</span> : null}
          </a>
        ))}
      </nav>
      {page.graph ? <Graph graph={page.graph} isRun={false} /> : <p class="refusal">{chosen?.problem}</p>}
    </>
  );
}

const pathOf = ({ name, repo }: WorkflowChoice): string =>
  `/workflows/${encodeURIComponent(name)}${repo ? `?repo=${encodeURIComponent(repo)}` : ""}`;
