// The scripted model on loopback: an HTTP server that speaks every dialect to one model, so that real CLIs can be run
// without a network, an account or chance.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messages } from "./messages.ts";
import type { Asked, Dialect, Model, Said } from "./model.ts";
import { responses } from "./responses.ts";
import { withTree } from "./tree.ts";

export interface ModelServer {
  /** Without a path: http://127.0.0.1:<port> */
  readonly url: string;
  /** Every request so far, side requests left out. */
  readonly asked: readonly Asked[];
  /** Ends all connections too, those that stall included. */
  close(): Promise<void>;
}

const dialects: readonly Dialect[] = [messages, responses];
const besideThePoint: Said = { text: "A short title", usage: { input: 5, output: 3 } };

/** Serves the model until it is closed. */
export async function startModelServer(model: Model): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    answer(request, response, model, asked).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close() {
      const ended = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return ended;
    },
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  model: Model,
  asked: Asked[],
): Promise<void> {
  const path = new URL(request.url ?? "/", "http://loopback").pathname;
  const dialect = dialects.find((one) => one.path === path);
  if (request.method !== "POST" || dialect === undefined) return refuse(request, response, path);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, `${value}`]),
  );
  const understood = dialect.read(JSON.parse(await bodyOf(request)), headers);
  if (understood === undefined) return dialect.write(response, besideThePoint, undefined);
  const counted: Asked = { ...understood, nr: asked.length + 1 };
  asked.push(counted);
  await dialect.write(response, await ask(model, counted), understood);
}

/** A model that throws is a test that is wrong; 400 is the answer that no CLI tries again. */
async function ask(model: Model, asked: Asked): Promise<Said> {
  try {
    return withTree(await model(asked), asked);
  } catch (error) {
    return { error: 400, type: "invalid_request_error", message: `The scripted model threw: ${error}` };
  }
}

/** Some CLIs look whether the server is there at all. */
function refuse(request: IncomingMessage, response: ServerResponse, path: string): void {
  request.resume();
  const found = path === "/" && request.method !== "POST";
  response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
  response.end(
    found ? "{}" : JSON.stringify({ error: { type: "not_found_error", message: `No ${path} here` } }),
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString("utf8");
}
