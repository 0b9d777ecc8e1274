// The server's configuration is written by the chunk that has the server's client.
import type { ServerInitOptions, WrittenServer } from "./server-init.ts";

export type { WrittenServer } from "./server-init.ts";

export async function initSharedServer(options: ServerInitOptions): Promise<WrittenServer> {
  const { initServer: init } = await import("./nats-store.ts");
  return init(options);
}
