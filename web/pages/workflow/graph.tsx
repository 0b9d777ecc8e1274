// A workflow: the drawing, where a bubble stands in it now, and the same as a table.
import type { GraphEdge, GraphNode, GraphView } from "../../../src/core/views/page/graph.ts";
import { duration } from "../../live/clock.ts";
import { Age } from "../../parts/age.tsx";
import { Picture } from "./picture.tsx";

const stateWords = { now: "here now", been: "visited", ahead: "not reached" } as const;

interface GraphProps {
  readonly graph: GraphView;
  /** False: nobody runs it, so there is nothing to count. */
  readonly isRun?: boolean;
}

export function Graph({ graph, isRun = true }: GraphProps) {
  const now = graph.nodes.find(({ state }) => state === "now");
  const steps = graph.nodes.filter(({ kind }) => kind !== "end-point");
  const stands = now ? `it stands at ${now.name}` : "it stands at no step";
  const where = isRun ? `; ${stands}` : "";
  return (
    <>
      <section aria-labelledby="graph">
        <h2 id="graph">
          Workflow {graph.workflow} <span class="quiet">{graph.called}</span>
        </h2>
        <Now node={now} graph={graph} />
        <Picture
          graph={graph}
          describes={`Workflow ${graph.workflow} with ${steps.length} steps${where}. The table below says the same.`}
        />
      </section>
      <section aria-labelledby="steps">
        <h2 id="steps">Steps</h2>
        <table class="steps">
          <thead>
            <tr>
              <th scope="col">step</th>
              <th scope="col">who or what</th>
              {isRun ? (
                <>
                  <th scope="col">state</th>
                  <th scope="col">visits</th>
                  <th scope="col">time</th>
                </>
              ) : null}
              <th scope="col">leads to</th>
            </tr>
          </thead>
          <tbody>
            {steps.map((node) => (
              <StepRow key={node.id} node={node} graph={graph} isRun={isRun} />
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

interface StepProps {
  readonly node: GraphNode;
  readonly graph: GraphView;
  readonly isRun: boolean;
}

function StepRow({ node, graph, isRun }: StepProps) {
  return (
    <tr class={isRun ? node.state : ""}>
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
      {isRun ? <Passage node={node} /> : null}
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

/** How the bubble has passed it. */
function Passage({ node }: { readonly node: GraphNode }) {
  return (
    <>
      <td>
        <span class={`stands ${node.state}`}>{stateWords[node.state]}</span>
      </td>
      <td data-label="visits">{node.visits}</td>
      <td data-label="time">{node.spent_ms > 0 ? duration(node.spent_ms) : "–"}</td>
    </>
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
