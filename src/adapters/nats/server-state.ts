// What a server tells of itself: its version, its clock, and whether what it has acknowledged is on its disk.
import type { JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { ServerState } from "../../ports/record/server-state.ts";
import type { Clock } from "../../ports/system/clock.ts";
import { SERVER_STATE } from "./server-conf.ts";

const ANSWER_MS = 1000;

interface ToldState {
  readonly server: { readonly name: string; readonly ver: string; readonly time: string };
  readonly data?: { readonly config?: { readonly sync_always?: boolean } };
}

export interface AskedServer {
  readonly connection: NatsConnection;
  readonly jsm: JetStreamManager;
  /** Any stream of the project, for the clock of a server that is asked about nothing else. */
  readonly stream: string;
  /** The clock of this machine. */
  readonly clock: Pick<Clock, "now">;
}

export async function readServerState(asked: AskedServer): Promise<ServerState> {
  const { connection, jsm, stream, clock } = asked;
  const before = Date.parse(clock.now());
  const { ts } = (await jsm.streams.info(stream)) as { readonly ts?: string };
  const after = Date.parse(clock.now());
  const skewMs = ts === undefined ? undefined : measureSkew(Date.parse(ts), before, after);
  const told = await askServers(connection);
  // What is not so is left out.
  const kept = told.map(({ data }) => data?.config && data.config.sync_always === true);
  return {
    version: connection.info?.version ?? "",
    ...(skewMs === undefined ? {} : { skewMs }),
    ...(kept.includes(undefined) || kept.length === 0 ? {} : { isDurable: kept.every(Boolean) }),
    servers: told.map(({ server }) => server.name),
  };
}

/** How far this machine's clock is ahead of the server's; 0 when it may be right. */
function measureSkew(server: number, before: number, after: number): number {
  if (server < before) return before - server;
  return server > after ? after - server : 0;
}

/** Nobody answers where the account was not given this question. */
async function askServers(connection: NatsConnection): Promise<ToldState[]> {
  const told: ToldState[] = [];
  try {
    const asked = JSON.stringify({ config: true });
    const options = { strategy: "stall", maxWait: ANSWER_MS } as const;
    for await (const message of await connection.requestMany(SERVER_STATE, asked, options))
      told.push(message.json());
  } catch {
    // The server was made by hand, without that permission.
  }
  return told.filter(({ server }) => server !== undefined);
}
