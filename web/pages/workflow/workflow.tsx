// The workflow of a bubble: the drawing, where it stands now, and the same as a table.
import type { GraphEdge, GraphNode, GraphPage, GraphView } from "../../../src/core/views/page/graph.ts";
import { duration } from "../../live/clock.ts";
import { Age } from "../../parts/age.tsx";
import { type BubbleAt, BubbleHead, useTab } from "../bubble/head.tsx";
import { Picture } from "./picture.tsx";

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

const stateWords = { now: "here now", been: "visited", ahead: "not reached" } as const;

function Graph({ graph }: { readonly graph: GraphView }) {
  const now = graph.nodes.find(({ state }) => state === "now");
  const steps = graph.nodes.filter(({ kind }) => kind !== "end-point");
  const where = now ? `it stands at ${now.name}` : "it stands at no step";
  return (
    <>
      <section aria-labelledby="graph">
        <h2 id="graph">
          Workflow {graph.workflow} <span class="quiet">{graph.called}</span>
        </h2>
        <Now node={now} graph={graph} />
        <Picture
          graph={graph}
          describes={`Workflow ${graph.workflow} with ${steps.length} steps; ${where}. The table below says the same.`}
        />
      </section>
      <section aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        <table class="steps">
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">who or what</th>
              <th scope="col">state</th>
              <th scope="col">visits</th>
              <th scope="col">time</th>
              <th scope="col">leads to</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((node) => (
              <StepRow key={node.id} node={node} graph={graph} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function Now({ node, graph }: { readonly node: GraphNode | undefined; readonly graph: GraphView }) {
  if (!node) return null;
  const routes = graph.edges.filter(({ from }) => from === node.id);
  return (
    <p class="here">
      <b>{node.id.replaceAll("_", " ")}</b>
      {node.about ? ` · ${node.about}` : ""}
      {node.since ? (
        <>
          {" · for "}
          <Age at={node.since} />
        </>
      ) : null}
      {node.condition ? ` · ${node.condition}` : ""}
      {routes.length > 0 ? (
        <span class="quiet">
          {" · then "}
          {routes
            .map(({ outcome, to }) => `${outcome.replaceAll("_", " ")} → ${findName(graph, to)}`)
            .join(", ")}
        </span>
      ) : null}
    </p>
  );
}

const findName = (graph: GraphView, id: string): string =>
  graph.nodes.find((node) => node.id === id)?.name ?? id;

function StepRow({ node, graph }: { readonly node: GraphNode; readonly graph: GraphView }) {
  return (
    <tr class={node.state}>
      <th scope="row">
        {node.id.replaceAll("_", " ")}
        {node.id === graph.start ? <span class="quiet"> first</span> : null}
      </th>
      <td>
        {[node.kind, node.about].filter(Boolean).join(" · ")}
        {node.condition ? (
          <span class="title">{`${node.kind === "branch" ? "asks whether" : "only if"} ${node.condition}`}</span>
        ) : null}
      </td>
      <td>
        <span class={`stands ${node.state}`}>{stateWords[node.state]}</span>
      </td>
      <td data-label="visits">{node.visits}</td>
      <td data-label="time">{node.spent_ms > 0 ? duration(node.spent_ms) : "–"}</td>
      <td>
        <ul>
          {graph.edges
            .filter(({ from }) => from === node.id)
            .map((edge) => (
              <Route key={edge.outcome + edge.to} edge={edge} to={findName(graph, edge.to)} />
            ))}
        </ul>
      </td>
    </tr>
  );
}

function Route({ edge, to }: { readonly edge: GraphEdge; readonly to: string }) {
  const marks = edge.marks.length > 0 ? ` (${edge.marks.join(", ")})` : "";
  return (
    <li class={edge.taken > 0 ? "taken" : "quiet"}>
      {edge.outcome.replaceAll("_", " ")} → {to}
      {marks}
      {edge.taken > 0 ? ` · ${edge.taken === 1 ? "once" : `${edge.taken} times`}` : ""}
    </li>
  );
}
