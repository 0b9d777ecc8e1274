// What must hold before a request is answered at all: our own host name, a session, and for writes that our own page sends it
// and that no agent's process does.
import { isInTurn } from "../../app/caller/peer.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { localRpId } from "../../core/permission/proof/check.ts";
import type { PageRequest } from "../http/request.ts";
import type { Sessions } from "./sessions.ts";

export const hostSuffix = ".pairflow.localhost";
export const cookieName = "pairflow";

export interface FencedRequest {
  readonly status: number;
  readonly refusal: Refusal;
}

const again = "pairflow ui";

/** How the page is reached: on this machine by a random name, or by a name of the user's and a password. */
export interface Reach {
  readonly scheme: "http" | "https";
  /** With --host; left out: on this machine alone. */
  readonly name?: string;
}

/** The name that keys are made for; none where what is sent could be changed on the way. */
export function getRpId({ scheme, name }: Reach): string | undefined {
  if (name === undefined) return localRpId;
  return scheme === "https" ? name : undefined;
}

/** The name is exactly ours on every request: another one means that somebody else's page speaks. */
export function checkHost(
  request: PageRequest,
  { sessions, reach, port }: { sessions: Sessions; reach: Reach; port: () => number },
): FencedRequest | undefined {
  const host = request.headers.host ?? "";
  const end = `${hostSuffix}:${port()}`;
  const isOurs =
    reach.name === undefined
      ? host.endsWith(end) && sessions.knowsLabel(host.slice(0, -end.length))
      : listHosts(reach, port()).includes(host);
  if (isOurs) return undefined;
  return { status: 421, refusal: refuse("page.host", "this is not the page's own address", again) };
}

export function checkSessionCookie(request: PageRequest, sessions: Sessions): FencedRequest | undefined {
  if (sessions.knows(readCookie(request))) return undefined;
  const refusal = refuse(
    "page.session",
    "this session has ended; open the page again from a terminal",
    again,
  );
  return { status: 401, refusal };
}

/** Browsers leave out the usual port. */
const listHosts = ({ scheme, name = "" }: Reach, port: number): string[] =>
  port === (scheme === "https" ? 443 : 80) ? [name, `${name}:${port}`] : [`${name}:${port}`];

/** A write comes from our own page, by a script of ours. */
export function checkWriteOrigin({ headers }: PageRequest, { scheme }: Reach): FencedRequest | undefined {
  const isOurs =
    headers.origin === `${scheme}://${headers.host}` &&
    headers["sec-fetch-site"] === "same-origin" &&
    headers["x-pairflow"] === "1" &&
    (headers["content-type"] ?? "").split(";")[0] === "application/json";
  if (isOurs) return undefined;
  return { status: 403, refusal: refuse("page.origin", "only the page itself may send this", again) };
}

/** As for commands: what runs below a turn speaks for no person. A courtesy, not a wall. */
export function checkPeer(request: PageRequest): FencedRequest | undefined {
  const pid = request.peer();
  if (pid === undefined || !isInTurn(pid)) return undefined;
  const message = "this comes from an agent's process; an agent cannot speak for a person";
  return { status: 403, refusal: refuse("operator.inside-agent", message) };
}

export function readCookie({ headers }: PageRequest): string | undefined {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim().split("="));
  return pairs.find(([name]) => name === cookieName)?.[1];
}
