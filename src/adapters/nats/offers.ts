// Offers on a NATS server: a work queue, whose subject says what a machine must have. The server hands each to one machine at a
// time. Who works here is told by entries that the server forgets when they are not repeated.
import {
  AckPolicy,
  type Consumer,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  RetentionPolicy,
} from "@nats-io/jetstream";
import { type KV, Kvm } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";
import type { Offer, Offers, WorkingHost } from "../../ports/record/offers.ts";
import type { Patience } from "../../ports/system/patience.ts";
import { ensureStream, toNotReady } from "./streams.ts";

export interface OffersOptions {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly project: string;
  readonly replicas: 1 | 3;
  readonly leaseMs: number;
  readonly patiently: Patience;
  /** Tells of places that ran out. */
  readonly listen: Offers["listen"];
}

/** There is an open offer of this bubble already. */
const ALREADY = 10077;
const NS_PER_MS = 1_000_000;
const NEXT_MS = 1000;

/** Opens the project's queue and its list of machines, or makes them; keeps O1–O4. */
export async function openOffers(options: OffersOptions): Promise<Offers> {
  const { connection, js, jsm, project, patiently, listen } = options;
  const stream = `pf-offer-${project}`;
  const start = `pf.offer.${project}`;
  const hosts = await make(stream, options);
  const consumers = new Map<string, Promise<Consumer>>();
  const open = (needs: string) => {
    const known = consumers.get(needs) ?? openConsumer(options, stream, `${start}.${needs}.*`, needs);
    consumers.set(needs, known);
    known.catch(() => consumers.delete(needs));
    return known;
  };
  const next = (consumer: Consumer) => patiently(() => consumer.next({ expires: NEXT_MS }));
  /** The sets of labels that offers in the queue need. */
  const listNeeds = async (): Promise<string[]> => {
    const info = await patiently(() => jsm.streams.info(stream, { subjects_filter: `${start}.>` }));
    const needs = Object.keys(info.state.subjects ?? {}).map((subject) => subject.split(".")[3] ?? "");
    return [...new Set(needs)];
  };
  /** What nobody was handed yet comes first; what somebody else was handed may be given back, or come again. */
  const takeNow = async (labels: readonly string[]): Promise<Offer | undefined> => {
    const handed: Consumer[] = [];
    for (const needs of shuffle(await listNeeds())) {
      if (!readNeeds(needs).every((label) => labels.includes(label))) continue;
      const consumer = await patiently(() => open(needs));
      const { num_pending, num_ack_pending } = await patiently(() => consumer.info());
      const message = num_pending > 0 ? await next(consumer) : null;
      if (message) return toOffer(message);
      if (num_ack_pending > 0) handed.push(consumer);
    }
    return takeAgain(await Promise.all(handed.map(next)));
  };

  return {
    listen,
    async want(bubble, needs) {
      try {
        await patiently(() => js.publish(`${start}.${writeNeeds(needs)}.${bubble}`, ""));
      } catch (error) {
        if (!(error instanceof JetStreamApiError && error.code === ALREADY)) throw error;
      }
    },
    async take(labels, waitMs) {
      const heard = createBell(connection, `${start}.>`);
      try {
        const found = await takeNow(labels);
        if (found || !(await heard.ring(waitMs))) return found;
        return await takeNow(labels);
      } finally {
        heard.end();
      }
    },
    async announce(host) {
      await patiently(() => hosts.put(writeKey(host.host), JSON.stringify(host)));
    },
    withdraw: (host) => patiently(() => hosts.delete(writeKey(host))),
    hosts: () => patiently(() => listHosts(hosts)),
  };
}

async function make(stream: string, { js, jsm, project, replicas, leaseMs }: OffersOptions): Promise<KV> {
  try {
    await ensureStream(jsm, {
      name: stream,
      subjects: [`pf.offer.${project}.*.*`],
      retention: RetentionPolicy.Workqueue,
      storage: "file",
      num_replicas: replicas,
      max_msgs_per_subject: 1,
      discard: DiscardPolicy.New,
      discard_new_per_subject: true,
    });
    return await new Kvm(js).create(`pf-hosts-${project}`, { replicas, history: 1, ttl: 2 * leaseMs });
  } catch (cause) {
    throw toNotReady(`The queue ${stream}`, cause);
  }
}

async function openConsumer(
  { js, jsm, leaseMs }: OffersOptions,
  stream: string,
  filter: string,
  name: string,
): Promise<Consumer> {
  await jsm.consumers.add(stream, {
    durable_name: name,
    filter_subject: filter,
    ack_policy: AckPolicy.Explicit,
    // A machine that says nothing of it for a lease is lost: another one is handed the offer.
    ack_wait: leaseMs * NS_PER_MS,
  });
  return js.consumers.get(stream, name);
}

/** All of them were waited for at once: the first one that came is taken, others are given back. */
function takeAgain(messages: readonly (JsMsg | null)[]): Offer | undefined {
  const [first, ...others] = messages.filter((message) => message !== null);
  for (const other of others) other.nak();
  return first && toOffer(first);
}

function toOffer(message: JsMsg): Offer {
  return {
    bubble: message.subject.split(".").at(-1) ?? "",
    done: async () => void (await message.ackAck({ timeout: 2000 }).catch(() => false)),
    giveBack: async (afterMs) => message.nak(afterMs),
  };
}

/** Labels as one part of a subject, in one order; `any` for none. */
const writeNeeds = (labels: readonly string[]): string => [...new Set(labels)].sort().join("+") || "any";
const readNeeds = (part: string): string[] => (part === "any" ? [] : part.split("+"));
const writeKey = (host: string): string => Buffer.from(host).toString("base64url");

async function listHosts(kv: KV): Promise<WorkingHost[]> {
  const found: WorkingHost[] = [];
  for await (const key of await kv.keys()) {
    const entry = await kv.get(key);
    if (entry?.operation === "PUT")
      found.push({ ...entry.json<WorkingHost>(), beatAt: entry.created.toISOString() });
  }
  return found.sort((one, other) => (one.host < other.host ? -1 : 1));
}

/** Machines look at the same needs in different orders, and so seldom wait for one another. */
function shuffle<T>(list: readonly T[]): T[] {
  return list
    .map((one) => ({ one, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Rings when something is said under a subject: true for a ring, false when the time is over. */
function createBell(connection: NatsConnection, subject: string) {
  let ring = () => {};
  let hasRung = false;
  const ears = connection.subscribe(subject, {
    callback: () => {
      hasRung = true;
      ring();
    },
  });
  return {
    ring: (waitMs: number) =>
      new Promise<boolean>((resolve) => {
        if (hasRung) return resolve(true);
        const timer = setTimeout(() => resolve(false), waitMs);
        ring = () => {
          clearTimeout(timer);
          resolve(true);
        };
      }),
    end: () => ears.unsubscribe(),
  };
}
