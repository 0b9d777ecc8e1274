// The server's configuration is written by the chunk that has the server's client.
import type { ServerInitOptions, WrittenServer } from "./server-init.ts";

export type { WrittenServer } from "./server-init.ts";

export async function makeServer(options: ServerInitOptions): Promise<WrittenServer> {
  const { writeServer } = await import("./nats-store.ts");
  return writeServer(options);
}
