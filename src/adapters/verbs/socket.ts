// One question and one answer over a unix socket: how a program inside a sandbox speaks to the driver outside. Each is one
// line of JSON. Who asks waits for a driver that is just being replaced, since the socket lies in a folder that stays.
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Longer questions are cut off: what is handed in with them is a few files. */
const mostBytes = 32 * 1024 * 1024;

export interface SocketListener {
  close(): Promise<void>;
}

/** Answers every question that is asked at this path. A socket that a dead driver left is replaced. */
export function listenAt(
  path: string,
  answer: (question: unknown) => Promise<unknown>,
): Promise<SocketListener> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => socket.destroy());
    void serve(socket, answer);
  });
  server.unref();
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => {
      chmodSync(path, 0o600);
      resolve({ close: () => close(server, open) });
    });
  });
}

function close(server: ReturnType<typeof createServer>, open: ReadonlySet<Socket>): Promise<void> {
  for (const socket of open) socket.destroy();
  return new Promise((resolve) => server.close(() => resolve()));
}

async function serve(socket: Socket, answer: (question: unknown) => Promise<unknown>): Promise<void> {
  const text = await readWholeText(socket).catch(() => undefined);
  if (text === undefined) return void socket.destroy();
  try {
    socket.end(`${JSON.stringify(await answer(JSON.parse(text)))}\n`);
  } catch {
    // Not a question, or nobody can answer it now: who asked tries again and is told in the end.
    socket.destroy();
  }
}

/** What comes until the other side has said all. */
function readWholeText(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > mostBytes) reject(new Error("too long"));
    });
    socket.once("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed")));
  });
}

const againMs = 50;

/** The answer, or undefined when nobody gave one within this time. The same question may be asked several times. */
export async function askAt(path: string, question: unknown, patienceMs: number): Promise<unknown> {
  const text = `${JSON.stringify(question)}\n`;
  for (const end = performance.now() + patienceMs; ; ) {
    const answer = await askOnce(path, text).catch(() => undefined);
    if (answer !== undefined) return answer;
    if (performance.now() + againMs > end) return undefined;
    await sleep(againMs);
  }
}

async function askOnce(path: string, text: string): Promise<unknown> {
  const socket = connect(path);
  socket.end(text);
  try {
    return JSON.parse(await readWholeText(socket));
  } finally {
    socket.destroy();
  }
}
