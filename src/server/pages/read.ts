// Which payload a path asks for.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { buildGraphView, type GraphPage } from "../../core/views/page/graph.ts";
import { parseBubblePath } from "../http/bubble-path.ts";
import type { PageRequest } from "../http/request.ts";
import { buildCurrentHeader, readLog, readOverview, readPackage, readPrompts } from "./bubble.ts";
import { readBubbles } from "./bubbles.ts";
import { readHeader, readInbox } from "./inbox.ts";
import { type InsightsDependencies, readInsights } from "./insights/page.ts";
import { listLines } from "./lines/kept.ts";
import { parsePlanPath, readOnePlan, readPlansPage } from "./plans.ts";
import { findNamedBubble, loadNamedState, type NamedBubble } from "./record.ts";
import { type ReviewDependencies, readFileDiff, readReviewPage } from "./review.ts";
import { readPanesPage, readPlanPage } from "./work.ts";
import { parseWorkflowPath, readWorkflowPage } from "./workflow.ts";

type Repositories = readonly KnownRepository[];
type ReadTab = (
  repositories: Repositories,
  named: NamedBubble,
  query: URLSearchParams,
  dependencies: ReviewDependencies,
) => Promise<object>;

/** The payloads of one bubble, by the last word of the path. */
const tabs: Readonly<Record<string, ReadTab>> = {
  overview: readOverview,
  log: readLog,
  package: readPackage,
  prompts: readPrompts,
  panes: readPanesPage,
  plan: readPlanPage,
  review: readReviewPage,
  file: readFileDiff,
  workflow: readGraph,
};

/** Undefined when there is no such page. */
export async function readPage(
  repositories: Repositories,
  { path, query }: PageRequest,
  dependencies: ReviewDependencies & InsightsDependencies,
): Promise<object | undefined> {
  if (path === "/api/inbox") return readInbox(repositories, dependencies);
  if (path === "/api/header") return readHeader(repositories);
  if (path === "/api/bubbles") return readBubbles(repositories);
  if (path === "/api/insights") return readInsights(repositories, query, dependencies);
  if (path === "/api/plans") return readPlansPage(repositories);
  const plan = parsePlanPath(path);
  if (plan) return readOnePlan(repositories, plan);
  const workflow = parseWorkflowPath(path);
  if (workflow !== undefined) return readWorkflowPage(repositories, workflow, query);
  const named = parseBubblePath(path);
  const read = named && Object.hasOwn(tabs, named.tab) ? tabs[named.tab] : undefined;
  if (!named || !read) return undefined;
  return read(repositories, await findNamedBubble(repositories, named.repo, named.id), query, dependencies);
}

// The payload of a bubble's workflow as a graph.
async function readGraph(
  repositories: readonly KnownRepository[],
  named: NamedBubble,
): Promise<Omit<GraphPage, "words">> {
  const header = await buildCurrentHeader(repositories, named);
  const graph = buildGraphView(await loadNamedState(named), await listLines(named));
  return { ...header, ...graph, page: "workflow" };
}
