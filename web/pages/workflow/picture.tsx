// The graph as a drawing: the step where the bubble stands is lit, ways it took are firm, what nobody has come to is grey and
// dashed. Who cannot see it has the table below, which says the same.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { GraphEdge, GraphNode, GraphView } from "../../../src/core/views/page/graph.ts";
import {
  buildWayKey,
  drawCurve,
  drawLoop,
  groupWays,
  labelLine,
  type PlacedNode,
  type PlacedWay,
  placeGraph,
} from "./layout.ts";

export function Picture({ graph, describes }: { readonly graph: GraphView; readonly describes: string }) {
  const { nodes, edges } = graph;
  // A count that grows changes no place.
  const shape = JSON.stringify([
    nodes.map(({ id, name, about }) => [id, name, about]),
    edges.map(({ from, to, outcome }) => [from, to, outcome]),
  ]);
  const placed = useMemo(() => placeGraph(nodes, edges), [shape]);
  const ways = groupWays(edges);
  const box = useRef<HTMLElement>(null);
  const lit = nodes.find(({ state }) => state === "now")?.id ?? graph.start;
  // Where there is not room for all, what is lit is seen first; later nobody's scrolling is undone.
  useLayoutEffect(() => {
    const at = placed.nodes.find(({ id }) => id === lit);
    if (box.current && at) box.current.scrollLeft = at.x - box.current.clientWidth / 2;
  }, [placed]);
  const known = new Map(nodes.map((node) => [node.id, node]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture is scrolled with the keyboard too
    <section ref={box} class="graph" tabIndex={0} aria-label="The workflow as a picture">
      <svg
        role="img"
        aria-label={describes}
        width={placed.width}
        height={placed.height}
        viewBox={`0 0 ${placed.width} ${placed.height}`}
      >
        <defs>
          <Arrow name="taken" />
          <Arrow name="ahead" />
        </defs>
        {placed.ways.map((way) => (
          <Way
            key={buildWayKey(way)}
            way={way}
            edges={ways.get(buildWayKey(way)) ?? []}
            self={way.from === way.to ? placed.nodes.find(({ id }) => id === way.from) : undefined}
          />
        ))}
        {placed.nodes.map((place) => {
          const node = known.get(place.id);
          return node ? <Node key={place.id} node={node} place={place} /> : null;
        })}
      </svg>
    </section>
  );
}

function Arrow({ name }: { readonly name: string }) {
  return (
    <marker
      id={`arrow-${name}`}
      class={`arrow ${name}`}
      viewBox="0 0 8 8"
      refX="7"
      refY="4"
      markerWidth="7"
      markerHeight="7"
      orient="auto"
    >
      <path d="M0 0 8 4 0 8z" />
    </marker>
  );
}

interface WayProps {
  readonly way: PlacedWay;
  readonly edges: readonly GraphEdge[];
  /** The step, when it leads to itself. */
  readonly self: PlacedNode | undefined;
}

function Way({ way, edges, self }: WayProps) {
  const taken = edges.some((edge) => edge.taken > 0) ? "taken" : "ahead";
  const { path, label } = self ? drawLoop(self) : { path: drawCurve(way.points), label: way.label };
  const { x, y } = label;
  const top = y - ((edges.length - 1) * labelLine) / 2;
  return (
    <g class={`way ${taken}${self ? " self" : ""}`}>
      <path d={path} marker-end={`url(#arrow-${taken})`} />
      {edges.map((edge, at) => (
        <text key={edge.outcome} class={edge.taken > 0 ? "taken" : "ahead"} x={x} y={top + at * labelLine}>
          {edge.outcome.replaceAll("_", " ")}
          {edge.taken > 1 ? ` ×${edge.taken}` : ""}
        </text>
      ))}
    </g>
  );
}

function Node({ node, place }: { readonly node: GraphNode; readonly place: PlacedNode }) {
  const { x, y, width, height } = place;
  const isPoint = node.kind === "end-point";
  const round = isPoint || node.kind === "question" || node.kind === "approval" ? height / 2 : 8;
  return (
    <g class={`node ${node.state} ${node.kind}`}>
      <rect x={x - width / 2} y={y - height / 2} width={width} height={height} rx={round} />
      <text class="name" x={x} y={node.about ? y - 8 : y}>
        {node.name}
        {node.visits > 1 ? <tspan class="visits">{` ×${node.visits}`}</tspan> : null}
      </text>
      {node.about ? (
        <text class="about" x={x} y={y + 12}>
          {node.about.length > 34 ? `${node.about.slice(0, 33)}…` : node.about}
        </text>
      ) : null}
    </g>
  );
}
