// The payload of a bubble's workflow as a graph.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { buildGraphView, type GraphPage } from "../../core/views/page/graph.ts";
import { buildCurrentHeader } from "./bubble.ts";
import { listLines } from "./lines/kept.ts";
import { loadNamedState, type NamedBubble } from "./record.ts";

export async function readGraph(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<Omit<GraphPage, "words">> {
  const header = await buildCurrentHeader(repositories, named);
  const graph = buildGraphView(await loadNamedState(named), await listLines(named));
  return { ...header, ...graph, page: "workflow" };
}
