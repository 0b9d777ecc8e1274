// The connection to the server that several machines share, and whether that server can keep what is promised.
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { Failure } from "../../ports/failure.ts";
import { toUnreachable } from "./patience.ts";

export interface ServerConnection {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
}

export interface ConnectOptions {
  /** nats://host:port, or several with commas between them. */
  readonly url: string;
  /** Who connects, for the server's own lists. */
  readonly name: string;
}

/** Message TTL with markers and compare-and-set over several subjects came with it. */
const OLDEST = [2, 12] as const;
const ANSWER_MS = 2000;

export async function openConnection({ url, name }: ConnectOptions): Promise<ServerConnection> {
  const connection = await connect({
    ...{ servers: url.split(","), name, timeout: ANSWER_MS },
    ...{ maxReconnectAttempts: -1, reconnectTimeWait: 100, reconnectJitter: 100 },
  }).catch((cause) => {
    throw toUnreachable(url, cause);
  });
  try {
    checkServer(url, connection);
    const jsm = await jetstreamManager(connection, { timeout: ANSWER_MS });
    return { connection, js: jetstream(connection, { timeout: ANSWER_MS }), jsm };
  } catch (error) {
    await connection.close();
    if (error instanceof Failure) throw error;
    throw toUnreachable(url, error);
  }
}

function checkServer(url: string, { info }: NatsConnection): void {
  const version = info?.version ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecent = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  if (!isRecent)
    throw new Failure(
      "store.too-old",
      `The server ${url} is nats-server ${version}; ${OLDEST.join(".")} or newer is needed.`,
      {
        hint: "Update nats-server; its data stays.",
      },
    );
  if (!info?.jetstream)
    throw new Failure("store.not-ready", `The server ${url} keeps nothing: JetStream is off.`, {
      hint: "Add to its configuration: jetstream { sync_interval: always }",
    });
}
