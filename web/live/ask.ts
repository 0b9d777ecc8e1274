// Asking the server: payloads by GET, a person's words by POST. Everything that comes back is a value, also that nothing did.
import type { RefusedPayload } from "../../src/core/views/page/payload.ts";
import { hasAnswered } from "./stream.ts";

export type Answer<T> = (T & { readonly ok: true; readonly at: string }) | RefusedPayload;

/** The server is gone or cannot be reached. */
export const gone: RefusedPayload = {
  ok: false,
  code: "page.gone",
  message: "pairflow ui has ended, or cannot be reached",
  hint: "pairflow ui",
};

const etags = new Map<string, string>();

/** Undefined: what was fetched before is still so. */
export async function fetchPayload<T>(path: string): Promise<Answer<T> | undefined> {
  const known = etags.get(path);
  try {
    const response = await fetch(path, known ? { headers: { "if-none-match": known } } : {});
    hasAnswered();
    if (response.status === 304) return undefined;
    const answer = (await response.json()) as Answer<T>;
    // Only now: what broke off on the way is not known.
    const etag = response.headers.get("etag");
    if (response.ok && etag) etags.set(path, etag);
    return answer;
  } catch {
    return gone;
  }
}

/** The next fetch gets the whole payload, whatever was known. */
export const forget = (path: string): void => void etags.delete(path);

export async function send<T>(path: string, body: unknown): Promise<Answer<T>> {
  try {
    const response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json", "x-pairflow": "1" },
      body: JSON.stringify(body),
      // Also when the tab is closed or led elsewhere a moment later: a note is kept, and a code makes its one session.
      keepalive: path === "/api/notes" || path === "/api/open",
    });
    hasAnswered();
    return (await response.json()) as Answer<T>;
  } catch {
    return gone;
  }
}
