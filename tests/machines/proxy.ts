// A way to the server that can be cut and can lose answers: bytes are passed on over loopback, until they are not.
import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";

export interface ServerProxy {
  readonly url: string;
  /** From now on nothing gets through, either way, and nobody is told: what a broken network looks like. */
  cut(): void;
  /** Lets new connections through again; those that were cut are closed. */
  heal(): void;
  /** What the server says next is lost, with the connection. */
  loseNextAnswer(): void;
  /** Everything that got through, either way, where it listens. */
  heard(): string;
  close(): Promise<void>;
}

export async function openProxy(target: string, { listens = false } = {}): Promise<ServerProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let isCut = false;
  let losesAnswer = false;
  let heard = "";
  const hear = (bytes: Buffer) => {
    if (listens) heard += bytes.toString("latin1");
  };
  const end = (pair: { readonly near: Socket; readonly far: Socket }) => {
    pair.near.destroy();
    pair.far.destroy();
    pairs.delete(pair);
  };
  const server = createServer((near) => {
    const pair = { near, far: dial(Number(port), hostname) };
    pairs.add(pair);
    for (const socket of [near, pair.far]) socket.on("data", hear);
    near.on("data", (bytes) => void (isCut || pair.far.write(bytes)));
    pair.far.on("data", (bytes) => {
      if (isCut) return;
      // Keep-alives are no answers.
      if (!losesAnswer || bytes.subarray(0, 3).toString() !== "MSG") return void near.write(bytes);
      losesAnswer = false;
      end(pair);
    });
    for (const socket of [near, pair.far]) {
      socket.on("error", () => end(pair));
      socket.on("close", () => end(pair));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: () => {
      isCut = true;
    },
    heal() {
      for (const pair of [...pairs]) end(pair);
      isCut = false;
    },
    loseNextAnswer: () => {
      losesAnswer = true;
    },
    heard: () => heard,
    async close() {
      for (const pair of [...pairs]) end(pair);
      server.close();
      await once(server, "close");
    },
  };
}
