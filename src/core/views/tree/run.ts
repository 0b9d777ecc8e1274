// A run with everything it has started, as a tree: its phases, its tasks with the bubbles that do them, the bubbles that continue in
// the place of one, and their parts in turn. Pure: the states of the bubbles come in, nodes come out.
import type { State } from "../../model/state.ts";
import { parsePlanTasks } from "../../plan/tasks/child.ts";
import type { Around, TreeNode, TreeState } from "./node.ts";
import { buildPhaseNodes } from "./phases.ts";
import { listSuccession, sumCost, sumCosts } from "./related.ts";
import { describeDone, describeNow, describeRoute, getStanding } from "./standing.ts";

export type { Around, TreeNode, TreeState } from "./node.ts";

/** The whole run, with `root` at its top. */
export function buildTreeView(root: State, around: Around): TreeNode {
  return runNode(root, around, { kind: "run", key: root.bubbleId });
}

interface As {
  readonly kind: TreeNode["kind"];
  readonly key: string;
}

/** One bubble, and what it has under it. */
function runNode(state: State, around: Around, as: As): TreeNode {
  const children = listPartNodes(state, around);
  const parts = children.filter(({ kind }) => kind === "task");
  const done = parts.filter((node) => node.state === "done").length;
  return {
    ...as,
    title: state.task.title,
    bubble: state.bubbleId,
    lifecycle: state.lifecycle,
    ...getStanding(state),
    ...(parts.length > 0 ? { parts: { done, all: parts.length } } : {}),
    ...describeNow(state),
    driven: around.driven?.has(state.bubbleId) ?? null,
    cost: sumCost(state, around),
    children,
  };
}

/** Phases that come before the parts, the parts, and the phases after them. */
function listPartNodes(state: State, around: Around): TreeNode[] {
  const { before, after } = buildPhaseNodes(state);
  const step = state.program.steps.find(({ kind }) => kind === "children");
  const listed =
    step?.kind === "children" && step.from ? parsePlanTasks(state.papers?.[step.from]?.value) : [];
  const each = state.children?.each ?? [];
  const keys = [
    ...listed.map(({ id }) => id),
    ...Object.keys(state.parts ?? {}),
    ...each.map(({ child }) => child.key),
  ];
  const tasks = [...new Set(keys)].map((key) => {
    const task = listed.find(({ id }) => id === key);
    return buildTaskNode(state, around, {
      key,
      title: task?.description.split("\n")[0] ?? buildTitle(state, key),
      needs: task?.depends_on ?? [],
    });
  });
  return [...before, ...tasks, ...after];
}

const buildTitle = ({ children, program }: State, key: string): string | null =>
  children?.each.find(({ child }) => child.key === key)?.child.brief?.title ??
  program.tasks?.find((task) => task.key === key)?.title ??
  null;

interface Wanted {
  readonly key: string;
  readonly title: string | null;
  readonly needs: readonly string[];
}

function buildTaskNode(parent: State, around: Around, { key, title, needs }: Wanted): TreeNode {
  const [first, ...others] = listSuccession(parent, key, around);
  const own = { kind: "task", key, title } as const;
  if (!first) return { ...buildUnbegunNode(parent, key, needs), ...own };
  const node = { ...runNode(first, around, own), title: title ?? first.task.title };
  const heirs = others.map((state) => runNode(state, around, { kind: "heir", key: state.program.id }));
  const handedOn = heirs
    .slice(0, -1)
    .map((heir) => ({ ...heir, state: "done" as const, says: describeDone(heir) }));
  const last = heirs.at(-1) ?? node;
  return {
    ...node,
    ...describeChildEnding(parent, key, last),
    cost: sumCosts([node, ...heirs].map(({ cost }) => cost)),
    children: [...node.children, ...handedOn, ...heirs.slice(-1)],
  };
}

/** What the parent has been told counts; until then, how the bubble stands that works on it. */
function describeChildEnding(parent: State, key: string, last: TreeNode): Pick<TreeNode, "state" | "says"> {
  const report = parent.children?.each.find(({ child }) => child.key === key)?.report;
  const status = parent.parts?.[key]?.status ?? report?.status;
  if (status === "completed") return { state: "done", says: describeDone(last) };
  if (status !== undefined) return { state: "failed", says: report?.why ?? status };
  return { state: last.state, says: last.kind === "heir" ? describeRoute(last.key) : last.says };
}

/** Nobody has begun it: what it waits for. */
function buildUnbegunNode(
  parent: State,
  key: string,
  needs: readonly string[],
): Omit<TreeNode, "key" | "kind" | "title"> {
  const failed = parent.parts?.[key];
  const open = needs.filter((other) => parent.parts?.[other]?.status !== "completed");
  const each = parent.children?.joined ? [] : (parent.children?.each ?? []);
  const place = each.filter(({ report }) => !report).findIndex(({ child }) => child.key === key);
  const isNext = place >= 0 && place < (parent.children?.maxConcurrent ?? 1);
  const says = failed
    ? failed.status
    : isNext
      ? "begins"
      : open.length > 0
        ? `waits for ${open.join(", ")}`
        : "waits for its turn";
  const state: TreeState = failed ? "failed" : isNext ? "running" : "waiting";
  const none = { bubble: null, lifecycle: null, step: null, phase: null, round: 0, agent: null, role: null };
  return {
    ...{ state, says, ...none, since: null, question: null, driven: null, children: [] },
    cost: { tokens: 0, usd: null },
  };
}

/** Everything that waits for a person, in the order of the tree. */
export function listOpenNodes(node: TreeNode): TreeNode[] {
  const own = node.kind !== "phase" && (node.question !== null || node.state === "approve") ? [node] : [];
  const seen = new Set<string | null>();
  return [...own, ...node.children.flatMap(listOpenNodes)].filter(({ bubble }) => {
    const isNew = !seen.has(bubble);
    seen.add(bubble);
    return isNew;
  });
}
