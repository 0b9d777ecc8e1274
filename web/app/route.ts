// Which page is shown, by the path alone. Links of the page change it without loading anything anew.
import { signal } from "@preact/signals";

export type Route =
  | { readonly page: "inbox" }
  | { readonly page: "open" }
  | { readonly page: "bubbles" }
  | { readonly page: "keys" }
  | { readonly page: "insights" }
  | { readonly page: "plans" }
  | { readonly page: "plan"; readonly repo: string; readonly slug: string }
  | { readonly page: "program"; readonly name: string }
  | { readonly page: "bubble"; readonly repo: string; readonly id: string; readonly tab: string }
  | { readonly page: "unknown" };

export const route = signal<Route>(routeOf(location.pathname));

export function routeOf(path: string): Route {
  if (path === "/") return { page: "inbox" };
  if (path === "/open") return { page: "open" };
  if (path === "/bubbles") return { page: "bubbles" };
  if (path === "/keys") return { page: "keys" };
  if (path === "/insights") return { page: "insights" };
  if (path === "/plans") return { page: "plans" };
  const [, of, slug] = /^\/p\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  if (of && slug) return { page: "plan", repo: decodePart(of), slug: decodePart(slug) };
  const program = decodePart(/^\/workflows\/([^/]+)$/.exec(path)?.[1]);
  if (program) return { page: "program", name: program };
  const [, repo, id, tab] = /^\/b\/([^/]+)\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  const [repoName, bubble] = [decodePart(repo), decodePart(id)];
  if (!repoName || !bubble) return { page: "unknown" };
  return { page: "bubble", repo: repoName, id: bubble, tab: tab ?? "overview" };
}

/** What cannot be decoded names nothing. */
function decodePart(part = ""): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

export const bubblePath = (repo: string, id: string, tab?: string): string =>
  `/b/${encodeURIComponent(repo)}/${encodeURIComponent(id)}${tab ? `/${tab}` : ""}`;

export const planPath = (repo: string, slug: string): string =>
  `/p/${encodeURIComponent(repo)}/${encodeURIComponent(slug)}`;

export function go(path: string): void {
  history.pushState(null, "", path);
  follow();
  scrollTo(0, 0);
}

function follow(): void {
  route.value = routeOf(location.pathname);
}

addEventListener("popstate", follow);
document.addEventListener("click", (event) => {
  const link = (event.target as Element | null)?.closest?.("a[href]");
  const isPlain = !event.defaultPrevented && event.button === 0;
  const isOther = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || !isPlain || isOther || link.origin !== location.origin) return;
  event.preventDefault();
  go(link.pathname + link.search);
});
