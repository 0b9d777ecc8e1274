// Which payload a path asks for.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import type { PageRequest } from "../http/request.ts";
import { readLog, readOverview, readPackage, readPrompts } from "./bubble.ts";
import { readBubbles } from "./bubbles.ts";
import { readInbox } from "./inbox.ts";
import { findNamedBubble, type NamedBubble } from "./record.ts";
import { type ReviewDesk, readFileDiff, readReviewPage } from "./review.ts";

type Repositories = readonly KnownRepository[];
type ReadTab = (
  repositories: Repositories,
  named: NamedBubble,
  query: URLSearchParams,
  desk: ReviewDesk,
) => Promise<object>;

/** The payloads of one bubble, by the last word of the path. */
const tabs: Readonly<Record<string, ReadTab>> = {
  overview: readOverview,
  log: readLog,
  package: readPackage,
  prompts: readPrompts,
  review: readReviewPage,
  file: readFileDiff,
};

/** Undefined when there is no such page. */
export async function readPage(
  repositories: Repositories,
  { path, query }: PageRequest,
  desk: ReviewDesk,
): Promise<object | undefined> {
  if (path === "/api/inbox") return readInbox(repositories, desk);
  if (path === "/api/bubbles") return readBubbles(repositories);
  const [, repo, id, tab = ""] = /^\/api\/b\/([^/]+)\/([^/]+)\/([a-z]+)$/.exec(path) ?? [];
  const read = Object.hasOwn(tabs, tab) ? tabs[tab] : undefined;
  if (!repo || !id || !read) return undefined;
  return read(
    repositories,
    await findNamedBubble(repositories, decodePart(repo), decodePart(id)),
    query,
    desk,
  );
}

/** A name that cannot be decoded names nothing. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}
