// One request, one answer. The fences come first, whatever is asked for; then the page's files, then payloads and commands.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import type { Env } from "../../app/operators/kept.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { Failure, toSystemFailure } from "../../ports/failure.ts";
import { runCommand } from "../commands/command.ts";
import type { Grants } from "../commands/grants.ts";
import { takeNote } from "../commands/notes.ts";
import { answerPayload, answerRefusal } from "../http/answers.ts";
import { parseBubblePath } from "../http/bubble-path.ts";
import type { PageAnswer, PageRequest, WholeAnswer } from "../http/request.ts";
import { findFile, type PageFiles } from "../pages/files.ts";
import type { FactStore } from "../pages/insights/facts.ts";
import { readPage } from "../pages/read.ts";
import { giveChallenge, takeGrant } from "../proof/grant.ts";
import { giveKeyChallenge, type KeyChallenges, readKeys, takeKey } from "../proof/keys.ts";
import { readSign } from "../proof/sign.ts";
import {
  checkHost,
  checkPeer,
  checkSessionCookie,
  checkWriteOrigin,
  type FencedRequest,
  getRpId,
  type Reach,
} from "../session/fence.ts";
import type { Notes } from "../session/notes.ts";
import { openSession } from "../session/open.ts";
import type { PasswordDoor } from "../session/password.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Changes } from "../stream/changes.ts";

/** What answers are made of. */
export interface Site {
  readonly port: () => number;
  readonly reach: Reach;
  /** With --host: what makes a session, beside a code from the terminal. */
  readonly password?: PasswordDoor | undefined;
  readonly env: Env;
  readonly challenges: KeyChallenges;
  readonly sessions: Sessions;
  readonly files: PageFiles;
  readonly changes: Changes;
  readonly notes: Notes;
  readonly facts: FactStore;
  readonly grants: Grants;
  readonly repositories: () => readonly KnownRepository[];
  readonly now: () => string;
  /** Tells the person at the terminal. */
  say(line: string): void;
}

export async function answerRequest(site: Site, request: PageRequest): Promise<PageAnswer> {
  const fence = checkHost(request, site) ?? checkFences(site, request);
  if (fence) return answerRefusal(fence.status, fence.refusal);
  try {
    return await route(site, request);
  } catch (error) {
    const { status, refusal } = buildTrouble(error);
    return answerRefusal(status, refusal);
  }
}

const isApi = (path: string) => path.startsWith("/api/");

/** Files are for everybody who knows the name; all else is for sessions, and writes come from our own page. */
function checkFences({ sessions, reach }: Site, request: PageRequest): FencedRequest | undefined {
  const { method, path } = request;
  if (method !== "GET" && method !== "POST")
    return { status: 405, refusal: refuse("page.method", `${method} is not answered here`) };
  if (method === "POST") {
    const foreign = checkWriteOrigin(request, reach);
    if (foreign) return foreign;
  }
  const agent = () => (method === "POST" ? checkPeer(request) : undefined);
  if (!isApi(path)) return undefined;
  return path === "/api/open" ? agent() : (checkSessionCookie(request, sessions) ?? agent());
}

async function route(site: Site, request: PageRequest): Promise<PageAnswer> {
  const { method, path } = request;
  if (method === "POST") return post(site, request);
  if (path === "/api/events") return openEventStream(site, request);
  if (isApi(path)) return answerPage(site, request);
  return findFile(site.files, path) ?? answerRefusal(404, refuseUnknownPath(path));
}

const refuseUnknownPath = (path: string): Refusal => refuse("page.unknown", `there is no page ${path}`);

async function post(site: Site, request: PageRequest): Promise<PageAnswer> {
  if (request.path === "/api/open") return openSession(site, request);
  if (request.path === "/api/command") return runCommand(site, request);
  if (request.path === "/api/notes") return takeNote(site, request);
  return (await postProof(site, request)) ?? answerRefusal(404, refuseUnknownPath(request.path));
}

/** Keys and what they grant. */
function postProof(site: Site, request: PageRequest): Promise<WholeAnswer> | WholeAnswer | undefined {
  const dependencies = { ...site, rpId: getRpId(site.reach) };
  switch (request.path) {
    case "/api/challenge":
      return giveChallenge(dependencies, request);
    case "/api/grant":
      return takeGrant(dependencies, request);
    case "/api/keys/challenge":
      return giveKeyChallenge(dependencies);
    case "/api/keys":
      return takeKey(dependencies, request);
    default:
      return undefined;
  }
}

function openEventStream({ changes }: Site, { headers, query }: PageRequest): PageAnswer {
  const since = headers["last-event-id"] ?? query.get("since") ?? undefined;
  return {
    status: 200,
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
    open: (send) => changes.listen(since, send),
  };
}

async function answerPage(site: Site, request: PageRequest): Promise<PageAnswer> {
  const found = (await readProof(site, request)) ?? (await readPage(site.repositories(), request, site));
  if (!found) return answerRefusal(404, refuseUnknownPath(request.path));
  return answerPayload(request, site.now(), { words: site.sessions.words, ...found });
}

/** Whose keys there are, and what a signature would be over. */
async function readProof(site: Site, { path }: PageRequest): Promise<object | undefined> {
  const dependencies = { ...site, rpId: getRpId(site.reach) };
  if (path === "/api/keys") return readKeys(dependencies);
  const named = parseBubblePath(path);
  return named?.tab === "sign" ? readSign(dependencies, named.repo, named.id) : undefined;
}

/** A refusal is somebody's rule; a failure is the world's; anything else is ours, and is not told in detail. */
function buildTrouble(thrown: unknown): FencedRequest {
  const error = toSystemFailure(thrown) ?? thrown;
  if (error instanceof Failure) {
    const refusal = refuse(error.code, error.message, error.hint);
    return { status: 503, refusal };
  }
  if (isRefusal(error)) return { status: 409, refusal: error };
  return { status: 500, refusal: refuse("bug", `this is a bug in Pairflow: ${String(error)}`) };
}

const isRefusal = (error: unknown): error is Refusal =>
  typeof error === "object" &&
  error !== null &&
  !(error instanceof Error) &&
  "code" in error &&
  "message" in error;
