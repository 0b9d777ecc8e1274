// The log on a NATS server: one stream a project, the same lines and hashes as in a file. What an append expects is checked by
// the server, in the order of its stream; nothing here depends on a clock or on who asks first.
import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { CrashPoint } from "../../../ports/crash-point.ts";
import { type EventLog, emptyHead } from "../../../ports/record/log.ts";
import type { RawLog } from "../../../ports/record/raw-log.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { toHeadLost } from "../failures.ts";
import { createWakeUp } from "../follow.ts";
import { chainLines } from "../line.ts";
import { chainRawLines } from "../raw/fold.ts";
import { appendToStream } from "./append.ts";
import { parseStreamHead } from "./place.ts";
import { createStreamRecords } from "./record.ts";
import { nameLogSubjects } from "./subjects.ts";
import { createTailReader } from "./tail.ts";

/** How often a subscriber looks by itself: a message may be lost. */
const LOOK_MS = 1000;
/** How many bubbles are asked for in one question; the server answers for about a thousand subjects. */
const LISTED_AT_ONCE = 250;

export interface NatsLogOptions {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly project: string;
  readonly patiently: Patience;
  /** How long the answer to an append is looked for. */
  readonly patienceMs?: number;
  readonly crashPoint?: CrashPoint;
}

export interface NatsLog extends EventLog, RawLog {
  /** Closes the bubble's record: the next line under its name begins another one. Done twice, it is closed once. */
  close(bubble: string): Promise<void>;
  /** How long each of these logs is: what the token of its newest head begins with. For lists: it may be behind by a moment. */
  listLengths(bubbles: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

/** The log of a project; keeps L1–L7. */
export function createNatsLog(options: NatsLogOptions): NatsLog {
  const { connection, js, jsm, patiently, patienceMs = 15_000, crashPoint = () => {} } = options;
  const subjects = nameLogSubjects(options.project);
  const tail = createTailReader(jsm, subjects, patiently);
  const records = createStreamRecords(tail, subjects);
  void forgetAfterReconnect(connection, records.distrust);
  const parse = (bubble: string, head = emptyHead) => {
    const place = parseStreamHead(head);
    if (!place) throw toHeadLost(bubble, head.seq);
    return place;
  };

  return {
    async append(bubble, expected, envelopes) {
      const place = parse(bubble, expected);
      const lines = chainLines(envelopes, place.seq, place.hash);
      const append = { bubble, expected: place, lines };
      return appendToStream(append, { js, subjects, records, crashPoint, patienceMs, sleep });
    },

    async appendRaw(bubble, expected, given) {
      const place = parse(bubble, expected);
      const append = { bubble, expected: place, lines: chainRawLines(bubble, given, place) };
      return appendToStream(append, { js, subjects, records, crashPoint, patienceMs, sleep });
    },
    async *readRaw(bubble) {
      yield* records.readRaw(bubble);
    },

    hashOf: (head) => parseStreamHead(head)?.hash ?? "",

    async *read(bubble, from, until) {
      yield* records.fold(await records.begin(bubble, parse(bubble, from), until));
    },

    async *subscribe(bubble, from, signal) {
      const wakeUp = createWakeUp(signal);
      const subscription = connection.subscribe(subjects.bell(bubble), { callback: wakeUp.wake });
      let head = from;
      try {
        while (!signal.aborted) {
          for await (const found of records.fold(await records.begin(bubble, parse(bubble, head)))) {
            head = found.head;
            if (found.envelopes.length > 0) yield found;
            if (signal.aborted) return;
          }
          await wakeUp.wait(LOOK_MS);
        }
      } finally {
        subscription.unsubscribe();
        wakeUp.end();
      }
    },

    async listLengths(bubbles) {
      const lengths = new Map<string, number>();
      for (let at = 0; at < bubbles.length; at += LISTED_AT_ONCE) {
        const some = bubbles.slice(at, at + LISTED_AT_ONCE);
        for (const { bubble, sequence } of await patiently(() => tail.findNewest(some)))
          lengths.set(bubble, sequence);
      }
      return lengths;
    },

    async close(bubble) {
      let last = 0;
      for await (const { seq } of tail.read(bubble, await tail.findEnd(bubble))) last = seq;
      if (last === 0) return;
      const expect = { lastSubjectSequence: last, lastSubjectSequenceSubject: subjects.all(bubble) };
      await patiently(() => js.publish(subjects.end(bubble), "", { expect })).catch(async (error) => {
        // The answer to a first try may have been lost.
        if ((await tail.findEnd(bubble)) <= last) throw error;
      });
    },
  };
}

/** A server that answers after a break may be another one, or have been restored from a back-up. */
async function forgetAfterReconnect(connection: NatsConnection, forget: () => void): Promise<void> {
  for await (const { type } of connection.status()) if (type === "reconnect") forget();
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
