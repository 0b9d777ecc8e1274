// The port: turns what Node hands over into a request value, and an answer value into bytes. Bound to both loopback addresses,
// so that nobody else can take the other one.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { findListener, findProcessAtPort } from "../../app/caller/peer.ts";
import { refuse } from "../../core/model/refusal.ts";
import { safeHeaders } from "./policy.ts";
import { isStream, type PageAnswer, type PageRequest } from "./request.ts";

export type AnswerRequest = (request: PageRequest) => Promise<PageAnswer>;

export interface HttpListener {
  readonly port: number;
  close(): void;
}

/** The largest body there is: a rework with two hundred comments. */
const maxBody = 4 * 1024 * 1024;

/** A name of the user's own, and with it the certificate that makes it HTTPS. */
export interface Outside {
  readonly name: string;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
}

export async function listen(
  wanted: number,
  answer: AnswerRequest,
  outside?: Outside,
): Promise<HttpListener> {
  const first = createServerFor(answer, outside);
  if (outside) return { port: await bind(first, wanted, outside.name), close: () => end(first) };
  const port = await bind(first, wanted, "127.0.0.1");
  const second = createServerFor(answer);
  try {
    const servers = (await bindSecond(second, port)) ? [first, second] : [first];
    return { port, close: () => servers.forEach(end) };
  } catch (error) {
    // Half a page would be somebody else's too.
    end(first);
    throw error;
  }
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/** A machine without IPv6 has no other address that somebody could take. */
async function bindSecond(server: Server, port: number): Promise<boolean> {
  try {
    await bind(server, port, "::1");
    return true;
  } catch (error) {
    if (["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EADDRINUSE" ? refuseTakenPort(port) : (refuseAddress(error, host) ?? error)),
    );
    server.listen({ port, host, ipv6Only: true }, () => resolve((server.address() as AddressInfo).port));
  });
}

function refuseTakenPort(port: number) {
  const pid = findListener(port);
  const who = pid === undefined ? "another program" : `process ${pid}`;
  return refuse("ui.port-taken", `${who} has port ${port} already`, "pairflow ui --port 0");
}

/** The name must lead to this machine. */
function refuseAddress({ code = "" }: NodeJS.ErrnoException, host: string) {
  if (!["ENOTFOUND", "EAI_AGAIN"].includes(code) && (code !== "EADDRNOTAVAIL" || host === "::1"))
    return undefined;
  return refuse("ui.host-unknown", `${host} is no name of this machine`, "pairflow ui --host $(hostname)");
}

function createServerFor(answer: AnswerRequest, outside?: Outside): Server {
  const limits = { requestTimeout: 30_000, maxHeaderSize: 16 * 1024 };
  const take = (request: IncomingMessage, response: ServerResponse) =>
    void respond(answer, request, response);
  const server = outside?.tls
    ? createSecureServer({ ...limits, ...outside.tls }, take)
    : createServer(limits, take);
  server.keepAliveTimeout = 30_000;
  return server;
}

async function respond(
  answer: AnswerRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = await readBody(request);
    if (body === undefined) return send(response, { status: 413, headers: {}, body: "" });
    send(response, await answer(toPageRequest(request, body)));
  } catch {
    // The other end has gone, or something is wrong with us: what is known of it was said by `answer`.
    if (!response.headersSent) send(response, { status: 500, headers: {}, body: "" });
    else response.destroy();
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > maxBody) return undefined;
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts).toString("utf8");
}

function toPageRequest(request: IncomingMessage, body: string): PageRequest {
  // Only path and query are read of it; whatever host it is taken with.
  const url = new URL(request.url ?? "/", "http://page");
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
  const { remotePort, localPort } = request.socket;
  return {
    method: request.method ?? "GET",
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(headers),
    body,
    peer: () => (remotePort && localPort ? findProcessAtPort(remotePort, localPort) : undefined),
  };
}

function send(response: ServerResponse, answer: PageAnswer): void {
  response.writeHead(answer.status, { ...safeHeaders, ...answer.headers });
  if (!isStream(answer)) {
    response.end(answer.body);
    return;
  }
  response.flushHeaders();
  const close = answer.open((text) => void response.write(text));
  response.once("close", close);
}
