// Where each step and each way of a workflow is drawn. The library that computes it is loaded with this page alone, in the
// browser: only here is it known how wide a text is.
import { Graph, layout } from "@dagrejs/dagre";
import type { GraphEdge, GraphNode } from "../../../src/core/views/page/graph.ts";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface PlacedNode extends Point {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** All routes from one step to another, drawn as one line. */
export interface PlacedWay {
  readonly from: string;
  readonly to: string;
  readonly points: readonly Point[];
  readonly label: Point;
}

export interface Placed {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly ways: readonly PlacedWay[];
}

export const labelLine = 16;
const pen = document.createElement("canvas").getContext("2d");

function measure(text: string, font: string): number {
  if (!pen) return text.length * 8;
  pen.font = font;
  return Math.ceil(pen.measureText(text).width);
}

const buildFont = (weight: number, size: number): string =>
  `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;

/** Room for ` ×12` behind a name and behind each outcome: a count that grows moves nothing. */
const countWidth = 32;

function measureNode({ kind, name, about }: GraphNode): { width: number; height: number } {
  if (kind === "end-point") return { width: measure(name, buildFont(400, 13)) + 32, height: 32 };
  const text = Math.max(measure(name, buildFont(650, 14)) + countWidth, measure(about, buildFont(400, 12)));
  return { width: Math.max(112, Math.min(text, 224) + 32), height: about ? 56 : 40 };
}

/** Routes between the same two steps, together. */
export function groupWays(edges: readonly GraphEdge[]): Map<string, GraphEdge[]> {
  const ways = new Map<string, GraphEdge[]>();
  for (const edge of edges) ways.set(buildWayKey(edge), [...(ways.get(buildWayKey(edge)) ?? []), edge]);
  return ways;
}

export const buildWayKey = ({ from, to }: Pick<GraphEdge, "from" | "to">): string => `${from}\0${to}`;

export function placeGraph(nodes: readonly GraphNode[], edges: readonly GraphEdge[]): Placed {
  const graph = new Graph({ directed: true, multigraph: false, compound: false });
  graph.setGraph({ rankdir: "TB", nodesep: 32, ranksep: 32, edgesep: 16, marginx: 16, marginy: 16 });
  for (const node of nodes) graph.setNode(node.id, measureNode(node));
  for (const together of groupWays(edges).values()) {
    const [first] = together;
    if (!first) continue;
    const width =
      Math.max(...together.map(({ outcome }) => measure(outcome, buildFont(400, 12)))) + countWidth;
    graph.setEdge(first.from, first.to, { width, height: together.length * labelLine + 8, labelpos: "c" });
  }
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: graph.nodes().map((id) => ({ id, ...(graph.node(id) as Omit<PlacedNode, "id">) })),
    ways: graph.edges().map(({ v: from, w: to }) => {
      const { points, x, y } = graph.edge(from, to) as { points: Point[]; x: number; y: number };
      return { from, to, points, label: { x, y } };
    }),
  };
}

/** A line through all points, without corners; so the middle one, where its words stand, is on it. */
export function drawCurve(points: readonly Point[]): string {
  const at = (index: number): Point =>
    points[Math.min(Math.max(index, 0), points.length - 1)] ?? { x: 0, y: 0 };
  const bends = points.slice(1).map((end, index) => {
    const lead = nudge(at(index), at(index - 1), end);
    const tail = nudge(end, at(index + 2), at(index));
    return `C ${formatPoint(lead)} ${formatPoint(tail)} ${formatPoint(end)}`;
  });
  return [`M ${formatPoint(at(0))}`, ...bends].join(" ");
}

/** A sixth of the way from one neighbour to the other: the usual handle of a curve through points. */
const nudge = (point: Point, from: Point, to: Point): Point => ({
  x: point.x + (to.x - from.x) / 6,
  y: point.y + (to.y - from.y) / 6,
});

/** A step that leads to itself: a loop at its right side. */
export function drawLoop({ x, y, width }: PlacedNode): { readonly path: string; readonly label: Point } {
  const right = x + width / 2;
  const path = `M ${right} ${y - 10} C ${right + 32} ${y - 20} ${right + 32} ${y + 20} ${right} ${y + 10}`;
  return { path, label: { x: right + 32, y } };
}

const formatPoint = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
