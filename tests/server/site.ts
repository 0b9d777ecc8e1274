// A page without a port: every request is a value, and so is its answer.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KnownRepository } from "../../src/app/host/repositories/list.ts";
import { openGrants } from "../../src/server/commands/grants.ts";
import {
  isStream,
  type PageAnswer,
  type PageRequest,
  type WholeAnswer,
} from "../../src/server/http/request.ts";
import { openFacts } from "../../src/server/pages/insights/facts.ts";
import { createKeyChallenges } from "../../src/server/proof/keys.ts";
import { openNotes } from "../../src/server/session/notes.ts";
import { openSessions, type Sessions } from "../../src/server/session/sessions.ts";
import { answerRequest, type Site } from "../../src/server/site/answer.ts";
import { openChanges } from "../../src/server/stream/changes.ts";

export const port = 4801;

export interface TestSite {
  readonly site: Site;
  readonly sessions: Sessions;
  readonly host: string;
  readonly told: string[];
  readonly folder: string;
  /** Moves the clock of the sessions. */
  later(ms: number): void;
  ask(path: string, more?: Partial<PageRequest>): Promise<PageAnswer>;
  /** As our own page sends it, with a session. */
  post(path: string, body: unknown, more?: Partial<PageRequest>): Promise<WholeAnswer>;
  /** A payload as a session gets it. */
  get(path: string, more?: Partial<PageRequest>): Promise<WholeAnswer>;
  close(): void;
}

export function testSite(repositories: readonly KnownRepository[] = []): TestSite {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-page-"));
  let now = 1_000_000;
  const told: string[] = [];
  const sessions = openSessions({ file: join(folder, "page", "sessions.json"), now: () => now });
  const host = `${sessions.begin(port)}.pairflow.localhost:${port}`;
  const opened = sessions.open(sessions.newCode());
  if (!("token" in opened)) throw new Error("no session");
  const changes = openChanges("start");
  const page = { status: 200, headers: { "content-type": "text/html" }, body: "<!doctype html>" };
  const site: Site = {
    port: () => port,
    reach: { scheme: "http" },
    env: { PAIRFLOW_HOME: join(folder, "user") },
    challenges: createKeyChallenges(),
    sessions,
    files: new Map([["/index.html", page]]),
    changes,
    notes: openNotes(join(folder, "notes")),
    facts: openFacts(join(folder, "facts")),
    grants: openGrants(undefined, changes.mark),
    repositories: () => repositories,
    now: () => new Date(now).toISOString(),
    say: (line) => told.push(line),
  };
  const cookie = `pairflow=${opened.token}`;
  const ask: TestSite["ask"] = (path, more = {}) => {
    const url = new URL(path, "http://page");
    const headers = { host, ...more.headers };
    const blank = { method: "GET", body: "", peer: () => undefined };
    return answerRequest(site, { ...blank, path: url.pathname, query: url.searchParams, ...more, headers });
  };
  const whole = async (asked: Promise<PageAnswer>) => {
    const given = await asked;
    if (isStream(given)) throw new Error("a stream");
    return given;
  };
  return {
    site,
    sessions,
    host,
    told,
    folder,
    later: (ms) => {
      now += ms;
    },
    ask,
    get: (path, more = {}) => whole(ask(path, { ...more, headers: { cookie, ...more.headers } })),
    post: (path, body, more = {}) =>
      whole(
        ask(path, {
          method: "POST",
          body: JSON.stringify(body),
          ...more,
          headers: { ...ownHeaders(host), cookie, ...more.headers },
        }),
      ),
    close: () => {
      changes.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const ownHeaders = (host: string) => ({
  origin: `http://${host}`,
  "sec-fetch-site": "same-origin",
  "x-pairflow": "1",
  "content-type": "application/json",
});

export const bodyOf = (answer: PageAnswer) => JSON.parse(String((answer as WholeAnswer).body));
