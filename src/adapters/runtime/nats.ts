// Who drives which bubble, where several machines share a server: a lease that the server keeps. A place is one message that
// expires; each beat replaces it, and is taken only if nobody else had the place since. The server's clock alone decides when a
// lease is over: it then leaves a marker, behind which exactly one of those who want the place gets it.
import {
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  type StoredMsg,
  type StreamConfig,
} from "@nats-io/jetstream";
import { headers } from "@nats-io/transport-node";
import type { Beat, Runtime } from "../../ports/record/records.ts";
import type { ProcessMark, ProcessMarks } from "../../ports/system/lock.ts";
import type { Patience } from "../../ports/system/patience.ts";

export interface NatsRuntimeOptions {
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly project: string;
  /** How long a place is kept without a beat: whole seconds, as the server counts. */
  readonly leaseMs: number;
  readonly patiently: Patience;
  /** Tells of processes of this host whether they live: their places are free at once when they do not. */
  readonly marks: ProcessMarks;
  /** Signs of life and notes come from hooks on this host and stay here. */
  readonly local: Pick<Runtime, "sign" | "lastSign" | "note" | "noted" | "forget">;
}

interface Held {
  readonly beat: Beat;
  readonly mark: ProcessMark;
}

/** What is in a place: the newest message of its subject. */
interface Place {
  readonly sequence: number;
  /** Undefined when nobody has it: never taken, given back or expired. */
  readonly held: Held | undefined;
  readonly isExpired: boolean;
}

const CONFLICTS: readonly number[] = [10071, 10164];
const MARKER = "Nats-Marker-Reason";
const MARKER_SECONDS = 3600;
/** How often a server that has nothing to tell says that it is there. */
const HEARTBEAT_MS = 1000;
/** How many subjects the server answers for at once. */
const MOST_SUBJECTS = 500;

const nameStream = (project: string) => `pf-place-${project}`;

/** What makes streams: the client itself, or what looks first whether they are there. */
interface StreamMaker {
  readonly streams: { add(config: Partial<StreamConfig> & { readonly name: string }): Promise<unknown> };
}

/** Makes the stream of a project's places, or leaves the one that is there. */
export async function ensurePlaceStream(
  jsm: StreamMaker,
  { project, replicas }: { readonly project: string; readonly replicas: 1 | 3 },
): Promise<void> {
  await jsm.streams.add({
    name: nameStream(project),
    subjects: [`pf.place.${project}.*`],
    storage: "file",
    num_replicas: replicas,
    max_msgs_per_subject: 1,
    allow_direct: true,
    allow_msg_ttl: true,
    subject_delete_marker_ttl: MARKER_SECONDS * 1_000_000_000,
  });
}

/**
 * Calls back with each bubble whose place runs out from now on, until the signal says stop. Who hears of it late, since its
 * machine slept, is told only of places that nobody has had since.
 */
export async function listenForExpired(
  { js, jsm, project, patiently }: Pick<NatsRuntimeOptions, "js" | "jsm" | "project" | "patiently">,
  onExpired: (bubble: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const stream = nameStream(project);
  const start = `pf.place.${project}.`;
  let seen = (await patiently(() => jsm.streams.info(stream))).state.last_seq;
  const hear = async () => {
    // From where it heard last: a server that leads no more takes its consumers along, and markers stay for a while.
    const consumer = await js.consumers.get(stream, {
      ...{ deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: seen + 1 },
      filter_subjects: `${start}*`,
    });
    const messages = await consumer.consume({ expires: 4 * HEARTBEAT_MS, idle_heartbeat: HEARTBEAT_MS });
    const stop = () => messages.stop();
    signal.addEventListener("abort", stop);
    void stopWhenSilent(messages);
    for await (const { headers, subject, seq } of messages) {
      seen = Math.max(seen, seq);
      if (!headers?.has(MARKER)) continue;
      const look = () => jsm.streams.getMessage(stream, { last_by_subj: subject });
      // When the server cannot be asked, the loss is reported all the same: who hears of it looks for a driver.
      const newest = await patiently(look).catch(() => undefined);
      if (!newest || newest.seq === seq) onExpired(subject.slice(start.length));
    }
    signal.removeEventListener("abort", stop);
  };
  while (!signal.aborted) {
    await hear().catch(() => {});
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS));
  }
}

/** A server that was killed says nothing more, and the client would wait for half a minute. */
async function stopWhenSilent(messages: ConsumerMessages): Promise<void> {
  for await (const { type } of messages.status())
    if (type === "heartbeats_missed" || type === "consumer_not_found" || type === "no_responders")
      messages.stop();
}

/** The runtime of a project; keeps R1 by a lease, and R2. */
export function createNatsRuntime(options: NatsRuntimeOptions): Runtime {
  const { js, jsm, project, leaseMs, patiently, marks, local } = options;
  const subjectOf = (bubble: string) => `pf.place.${project}.${bubble}`;
  /** The places that this process took, by bubble: the driver, so that it may take back what only expired. */
  const own = new Map<string, string>();

  const look = async (bubble: string): Promise<Place> => {
    const query = { last_by_subj: subjectOf(bubble) };
    const message = await patiently(() => jsm.streams.getMessage(nameStream(project), query));
    return message ? readPlace(message) : { sequence: 0, held: undefined, isExpired: false };
  };
  const findHolder = ({ held }: Place): Beat | undefined =>
    held && marks.alive(held.mark) !== false ? held.beat : undefined;

  /** Puts a message into the place unless somebody else came since `sequence`. */
  const put = async (bubble: string, sequence: number, held: Held | undefined): Promise<boolean> => {
    const expect = { lastSubjectSequence: sequence };
    const lease = { ttl: `${Math.max(1, Math.round(leaseMs / 1000))}s` };
    const free = headers();
    free.set("Pf-Released", "1");
    const publish = () =>
      js.publish(subjectOf(bubble), held ? JSON.stringify(held) : "", {
        expect,
        ...(held ? lease : { headers: free }),
      });
    try {
      await patiently(publish);
      return true;
    } catch (error) {
      if (!(error instanceof JetStreamApiError) || !CONFLICTS.includes(error.code)) throw error;
      // The answer to a first try may have been lost.
      const now = await look(bubble);
      return (
        held !== undefined && now.sequence > sequence && JSON.stringify(now.held) === JSON.stringify(held)
      );
    }
  };
  /** For lists: what a replica says that may be behind by a moment. */
  const lookAtMany = (bubbles: readonly string[]) =>
    patiently(async () => {
      const query = { multi_last: bubbles.map(subjectOf) };
      const messages: StoredMsg[] = [];
      for await (const message of await jsm.direct.getLastMessagesFor(nameStream(project), query))
        messages.push(message);
      return messages;
    });

  return {
    leaseMs,
    ...local,
    async claim(bubble, beat) {
      const held = { beat, mark: { ...marks.of(beat.pid), host: beat.host } };
      for (;;) {
        const place = await look(bubble);
        const holder = findHolder(place);
        const isMine = holder?.driver === beat.driver && holder.pid === beat.pid && holder.host === beat.host;
        if (holder && !isMine) return { ok: false, holder };
        if (isMine || (await put(bubble, place.sequence, held))) {
          own.set(bubble, beat.driver);
          return { ok: true };
        }
      }
    },
    async beat(bubble, beat) {
      for (;;) {
        const place = await look(bubble);
        const isMine = place.held?.beat.driver === beat.driver;
        const isMineExpired = place.isExpired && own.get(bubble) === beat.driver;
        if (!isMine && !isMineExpired) return false;
        const mark = place.held?.mark ?? { ...marks.of(beat.pid), host: beat.host };
        // Who was faster may have been an earlier beat of this driver, on its way for longer.
        if (await put(bubble, place.sequence, { beat, mark })) return true;
      }
    },
    living: async (bubble) => findHolder(await look(bubble)),
    async listLiving(bubbles) {
      const living = new Map<string, Beat>();
      for (let at = 0; at < bubbles.length; at += MOST_SUBJECTS) {
        for (const message of await lookAtMany(bubbles.slice(at, at + MOST_SUBJECTS))) {
          const holder = findHolder(readPlace(message));
          if (holder) living.set(message.subject.slice(subjectOf("").length), holder);
        }
      }
      return living;
    },
    async release(bubble, driver) {
      own.delete(bubble);
      for (;;) {
        const place = await look(bubble);
        if (place.held?.beat.driver !== driver) return;
        if (await put(bubble, place.sequence, undefined)) return;
      }
    },
  };
}

function readPlace(message: StoredMsg): Place {
  const sequence = message.seq;
  if (message.header?.has(MARKER)) return { sequence, held: undefined, isExpired: true };
  if (message.data.length === 0) return { sequence, held: undefined, isExpired: false };
  return { sequence, held: message.json<Held>(), isExpired: false };
}
