// Puts the page together and keeps it up: sessions, files, the stream, and the port that open tabs know.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { findPackageRoot } from "../../app/host/package-root.ts";
import { listKnownRepositories } from "../../app/host/repositories/list.ts";
import { getUserFolder } from "../../app/host/user-folder.ts";
import { isRefusal } from "../../core/model/refusal.ts";
import { type AskTerminal, openGrants } from "../commands/grants.ts";
import { type AnswerRequest, type HttpListener, listen, type Outside } from "../http/listen.ts";
import { readPageFiles } from "../pages/files.ts";
import { openFacts } from "../pages/insights/facts.ts";
import { createKeyChallenges } from "../proof/keys.ts";
import { hostSuffix, type Reach } from "../session/fence.ts";
import { openNotes } from "../session/notes.ts";
import { createPasswordDoor } from "../session/password.ts";
import { openSessions, type Sessions } from "../session/sessions.ts";
import { openChanges } from "../stream/changes.ts";
import { watchRecords } from "../stream/watch.ts";
import { watchKeys } from "../stream/watch-keys.ts";
import { answerRequest, type Site } from "./answer.ts";

export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A port of the person's choice; 0: any that is free. */
  readonly port?: number | undefined;
  /** Ends all sessions that there were. */
  readonly isNew: boolean;
  /** A name of this machine under which others reach the page; left out: this machine alone. */
  readonly host?: (Outside & { readonly password: string }) | undefined;
  say(line: string): void;
  /** Asks the person at the terminal for what a session cannot do; absent where there is none. */
  readonly askTerminal?: AskTerminal | undefined;
}

export interface ServedPage {
  readonly words: string;
  readonly port: number;
  /** The address that opens a page, once; `to`: the page to begin with. */
  address(to?: string): string;
  close(): void;
}

export async function servePage({
  env,
  port,
  isNew,
  say,
  host,
  askTerminal,
}: ServeOptions): Promise<ServedPage> {
  const reach: Reach = { scheme: host?.tls ? "https" : "http", ...(host ? { name: host.name } : {}) };
  const sessions = openSessions({
    file: join(getUserFolder(env), "page", host ? "sessions-outside.json" : "sessions.json"),
    now: () => Date.now(),
    isNew,
  });
  const changes = openChanges(randomBytes(6).toString("hex"));
  const end = new AbortController();
  let listening: HttpListener | undefined;
  const site: Site = {
    port: () => listening?.port ?? 0,
    reach,
    password: host && createPasswordDoor(host.password, () => Date.now()),
    env,
    challenges: createKeyChallenges(),
    sessions,
    files: readPageFiles(join(findPackageRoot(), "dist", "web")),
    changes,
    notes: openNotes(join(getUserFolder(env), "page", "notes")),
    facts: openFacts(join(getUserFolder(env), "page", "facts")),
    grants: openGrants(askTerminal, changes.mark),
    repositories: () => listKnownRepositories(env),
    now: () => new Date().toISOString(),
    say,
  };
  listening = await bind(sessions, port, (request) => answerRequest(site, request), host);
  const label = sessions.begin(listening.port);
  watchKeys(getUserFolder(env), changes.mark, end.signal);
  watchRecords({ repositories: site.repositories, changes, signal: end.signal });
  const { port: bound, close } = listening;
  return {
    words: sessions.words,
    port: bound,
    address: (to) =>
      host
        ? `${reach.scheme}://${host.name}:${bound}/open${buildQuery(to)}`
        : `http://${label}${hostSuffix}:${bound}/open${buildQuery(to)}#${sessions.newCode()}`,
    close: () => {
      end.abort();
      changes.close();
      close();
    },
  };
}

const buildQuery = (to: string | undefined): string => (to ? `?to=${encodeURIComponent(to)}` : "");

/** The port of open tabs first, so that they come back; any free one when somebody else has it now. */
async function bind(
  sessions: Sessions,
  wanted: number | undefined,
  answering: AnswerRequest,
  outside?: Outside,
): Promise<HttpListener> {
  if (wanted !== undefined || sessions.port === undefined) return listen(wanted ?? 0, answering, outside);
  try {
    return await listen(sessions.port, answering, outside);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return listen(0, answering, outside);
  }
}
