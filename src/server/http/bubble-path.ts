// The path of a payload about one bubble: /api/b/<repo>/<id>/<tab>.
import { tryOr } from "../../core/model/value/try-or.ts";

export interface BubblePath {
  readonly repo: string;
  readonly id: string;
  readonly tab: string;
}

/** Undefined when the path names no bubble. Names are looked up on lists and never used as paths. */
export function parseBubblePath(path: string): BubblePath | undefined {
  const [, repo, id, tab] = /^\/api\/b\/([^/]+)\/([^/]+)\/([a-z]+)$/.exec(path) ?? [];
  return repo && id && tab ? { repo: decodePart(repo), id: decodePart(id), tab } : undefined;
}

/** A name that cannot be decoded names nothing. */
export function decodePart(part: string): string {
  return tryOr(() => decodeURIComponent(part), "");
}
