// A workflow as a graph: its steps, where each outcome leads, and, in a bubble, where it stands and how often each way was
// taken. The lines alone tell what was taken; how it is laid out is the page's matter.
import type { Program, Step } from "../../model/program.ts";
import type { Envelope, EnvelopeOf } from "../../model/record/envelope.ts";
import type { Lifecycle, State } from "../../model/state.ts";
import { parseTime } from "../../model/value/time.ts";
import { describeCondition } from "../../workflow/condition/words.ts";
import { describeStepWords, listMarks } from "../workflow.ts";
import type { BubbleHeader } from "./overview.ts";

/** Where the bubble is, where it was, and where it may come. */
export type NodeState = "now" | "been" | "ahead";

export interface GraphNode {
  readonly id: string;
  readonly name: string;
  readonly task: string | null;
  readonly kind: Step["kind"] | "end-point";
  /** Who or what it is about: `implementer codex`, `asks a human`. */
  readonly about: string;
  /** Under which condition it is entered, or what it decides, in words. */
  readonly condition: string | null;
  readonly state: NodeState;
  readonly visits: number;
  /** Milliseconds spent there, visits that are over. */
  readonly spent_ms: number;
  /** Since when it is there. */
  readonly since: string | null;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly outcome: string;
  /** What changes on the way: a new round, roles swap. */
  readonly marks: readonly string[];
  readonly taken: number;
}

export interface GraphView {
  readonly workflow: string;
  /** What the workflow calls itself. */
  readonly called: string;
  readonly start: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export interface GraphPage extends BubbleHeader, GraphView {
  readonly page: "workflow";
}

type Advance = EnvelopeOf<"STEP_ADVANCED">;

/** What a bubble has made of its workflow. */
interface Walk {
  readonly entered: ReadonlyMap<string, number>;
  readonly spentMs: ReadonlyMap<string, number>;
  readonly taken: readonly GraphEdge[];
}

const nowhere: Walk = { entered: new Map(), spentMs: new Map(), taken: [] };

/** The workflow of a bubble, lit where it stands. */
export function buildGraphView(state: State, envelopes: readonly Envelope[]): GraphView {
  const { program, position } = state;
  const isOver = overStates.includes(state.lifecycle);
  const at = isOver ? null : position.step;
  const view = drawProgram(program, followWalk(envelopes), state.roles);
  const ends = listEndPoints(state);
  return {
    ...view,
    nodes: view.nodes.map((node) => ({
      ...node,
      state: node.id === at ? "now" : node.visits > 0 || ends.includes(node.id) ? "been" : "ahead",
      since: node.id === at ? (position.at ?? null) : null,
    })),
    edges: view.edges.map((edge) =>
      ends.includes(edge.to) ? { ...edge, taken: edge.taken || countEnd(edge, state) } : edge,
    ),
  };
}

/** A workflow that nobody runs. */
export const buildProgramGraph = (program: Program): GraphView => drawProgram(program, nowhere, {});

const overStates: readonly Lifecycle[] = ["COMMITTED", "DONE", "FAILED", "CANCELLED"];
const commitPoint = "$commit";
const points: Readonly<Record<string, string>> = {
  $commit: "commit",
  $cancel: "cancelled",
  $resume: "where it was held",
  $next: "next task",
};

/** End points that this bubble has reached. */
function listEndPoints({ lifecycle, commit }: State): string[] {
  if (commit) return [commitPoint];
  return lifecycle === "CANCELLED" ? ["$cancel"] : [];
}

/** The way to an end point is on no line of its own: it led there from the step where the bubble stood. */
const countEnd = ({ from }: GraphEdge, { position }: State): number => (from === position.step ? 1 : 0);

function drawProgram(program: Program, walk: Walk, roles: Roles): GraphView {
  const routes = program.steps.flatMap(listRoutes);
  const counted = routes.map((route) => ({ ...route, taken: countTaken(walk.taken, route) }));
  // Ways that no route names: a person's word, a spent limit, the next task.
  const others = walk.taken.filter((edge) => !routes.some((route) => isSameWay(route, edge)));
  const edges = [...counted, ...others];
  const known = new Set(program.steps.map(({ name }) => name));
  const ends = [...new Set(edges.map(({ to }) => to))].filter((to) => !known.has(to));
  return {
    workflow: program.id,
    called: program.name,
    start: program.start,
    nodes: [...program.steps.map((step) => drawStep(program, step, walk, roles)), ...ends.map(drawPoint)],
    edges,
  };
}

function listRoutes(step: Step): GraphEdge[] {
  const routes = Object.entries(step.on).map(([outcome, route]) => ({
    from: step.name,
    to: route.to,
    outcome,
    marks: listMarks(route),
    taken: 0,
  }));
  const signed = { from: step.name, to: commitPoint, outcome: "approve", marks: [], taken: 0 };
  return step.kind === "approval" ? [...routes, signed] : routes;
}

const isSameWay = (a: GraphEdge, b: GraphEdge): boolean =>
  a.from === b.from && a.to === b.to && a.outcome === b.outcome;

const countTaken = (taken: readonly GraphEdge[], route: GraphEdge): number =>
  taken.find((edge) => isSameWay(edge, route))?.taken ?? 0;

type Roles = Readonly<Record<string, string>>;

function drawStep(program: Program, step: Step, walk: Walk, roles: Roles): GraphNode {
  const agent = step.kind === "turn" ? roles[step.role] : undefined;
  return {
    id: step.name,
    name: step.name.slice(step.name.lastIndexOf("/") + 1).replaceAll("_", " "),
    task: step.task ?? null,
    kind: step.kind,
    about: [describeStepWords(step), agent].filter(Boolean).join(" · "),
    condition: describeEntry(program, step),
    state: "ahead",
    visits: walk.entered.get(step.name) ?? 0,
    spent_ms: walk.spentMs.get(step.name) ?? 0,
    since: null,
  };
}

function describeEntry({ loop, tasks = [] }: Program, step: Step): string | null {
  const condition = step.kind === "branch" ? step.if : step.when;
  if (condition !== undefined) return describeCondition(condition);
  const limits = [loop, ...tasks.map((task) => task.loop)];
  return limits.some(({ exhausted }) => exhausted === step.name) ? "all rounds are used" : null;
}

const drawPoint = (id: string): GraphNode => ({
  id,
  name: points[id] ?? id,
  task: null,
  kind: "end-point",
  about: "",
  condition: null,
  state: "ahead",
  visits: 0,
  spent_ms: 0,
  since: null,
});

/** Steps that were passed over because their condition did not hold were not visited. */
function followWalk(envelopes: readonly Envelope[]): Walk {
  const advances = envelopes.filter((envelope): envelope is Advance => envelope.type === "STEP_ADVANCED");
  const entered = new Map<string, number>();
  const spentMs = new Map<string, number>();
  const taken = new Map<string, GraphEdge>();
  let since = "";
  for (const { payload, ts } of advances) {
    const { from, to, outcome, unmet } = payload;
    if (from !== null && since !== "") add(spentMs, from, parseTime(ts) - parseTime(since));
    if (to !== null && !unmet) add(entered, to, 1);
    if (from !== null && to !== null) countWay(taken, { from, to, outcome, marks: [], taken: 1 });
    since = ts;
  }
  return { entered, spentMs, taken: [...taken.values()] };
}

const add = (sums: Map<string, number>, key: string, more: number): void =>
  void sums.set(key, (sums.get(key) ?? 0) + more);

function countWay(ways: Map<string, GraphEdge>, way: GraphEdge): void {
  const key = [way.from, way.outcome, way.to].join("\0");
  const known = ways.get(key);
  ways.set(key, known ? { ...known, taken: known.taken + 1 } : way);
}
