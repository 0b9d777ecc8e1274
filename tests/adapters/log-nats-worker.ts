// A process of its own that appends to a log on a server, and kills itself at a named place. Its orders come as JSON.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { createNatsLog } from "../../src/adapters/log/nats/log.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import type { Head } from "../../src/ports/record/log.ts";
import type { buildMessages } from "../../src/testing/messages.ts";

export interface AppendOrders {
  readonly url: string;
  readonly project: string;
  readonly bubble: string;
  readonly expected: Head;
  readonly envelopes: ReturnType<typeof buildMessages>;
  readonly at: string;
}

async function appendAndDie({ url, project, bubble, expected, envelopes, at }: AppendOrders): Promise<void> {
  const connection = await connect({ servers: url });
  const log = createNatsLog({
    ...{ connection, project, js: jetstream(connection), jsm: await jetstreamManager(connection) },
    patiently: createPatience({ server: url }),
    crashPoint(point) {
      if (point === at) process.kill(process.pid, "SIGKILL");
    },
  });
  await log.append(bubble, expected, envelopes);
}

void appendAndDie(JSON.parse(process.argv[2] ?? "") as AppendOrders);
