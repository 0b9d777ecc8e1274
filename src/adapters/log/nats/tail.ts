// What the server holds of one bubble behind a sequence. How far there is something to read is asked of the stream's leader,
// since a replica may lag behind; the messages themselves may come from any server that has them.
import type { JetStreamManager, MsgRequest, StoredMsg } from "@nats-io/jetstream";
import type { Patience } from "../../../ports/system/patience.ts";
import { isPublished, type LogSubjects } from "./subjects.ts";

const BATCH = 256;
const NOT_FOUND = 404;

export interface TailReader {
  /** Every message of the bubble behind `after`, in order, up to the newest one that was acknowledged before the call. */
  read(bubble: string, after: number): AsyncGenerator<StoredMsg>;
  /** One message by its sequence; undefined when there is none, or it is another bubble's. */
  find(bubble: string, sequence: number): Promise<StoredMsg | undefined>;
  /** The newest message of each of these bubbles; 0 where a record was closed and none begun. Any server may answer. */
  findNewest(bubbles: readonly string[]): Promise<{ readonly bubble: string; readonly sequence: number }[]>;
  /** The sequence at which the bubble's last record was closed; 0 when none was. */
  findEnd(bubble: string): Promise<number>;
}

export function createTailReader(
  jsm: JetStreamManager,
  subjects: LogSubjects,
  patiently: Patience,
): TailReader {
  const { stream } = subjects;
  const ask = (query: MsgRequest | { seq: number; next_by_subj: string }) =>
    patiently(() => jsm.streams.getMessage(stream, query as MsgRequest));

  /** Up to a batch of messages from anywhere; one from the leader where the replica that was asked lags behind. */
  const readSome = async (bubble: string, from: number): Promise<StoredMsg[]> => {
    const filter = { seq: from, next_by_subj: subjects.all(bubble) };
    const found = await patiently(async () => {
      const batch = await jsm.direct.getBatch(stream, { ...filter, batch: BATCH });
      const messages: StoredMsg[] = [];
      try {
        for await (const message of batch) messages.push(message);
      } catch (error) {
        // A replica that lags has not heard of it yet, which the client throws where one message or more were expected.
        if ((error as { readonly code?: unknown }).code !== NOT_FOUND) throw error;
      }
      return messages;
    });
    if (found.length > 0) return found;
    const message = await ask(filter);
    return message ? [message] : [];
  };

  return {
    async *read(bubble, after) {
      const newest = (await ask({ last_by_subj: subjects.all(bubble) }))?.seq ?? 0;
      for (let read = after; read < newest; ) {
        const found = await readSome(bubble, read + 1);
        if (found.length === 0) return;
        yield* found.filter(({ seq }) => seq <= newest);
        read = found.at(-1)?.seq ?? newest;
      }
    },
    async find(bubble, sequence) {
      const message = await ask({ seq: sequence });
      const isOurs =
        message && [subjects.of(bubble, "w"), subjects.of(bubble, "h")].includes(message.subject);
      return isOurs ? message : undefined;
    },
    async findNewest(bubbles) {
      const newest = new Map<string, { seq: number; isEnd: boolean }>();
      const query = { multi_last: bubbles.map(subjects.all) };
      for await (const { subject, seq } of await jsm.direct.getLastMessagesFor(stream, query)) {
        const [bubble = "", door] = subject.split(".").slice(-2);
        if (seq > (newest.get(bubble)?.seq ?? 0)) newest.set(bubble, { seq, isEnd: door === "end" });
      }
      return [...newest].map(([bubble, { seq, isEnd }]) => ({ bubble, sequence: isEnd ? 0 : seq }));
    },
    async findEnd(bubble) {
      const newest = await ask({ last_by_subj: subjects.end(bubble) });
      if (!newest || isPublished(newest, subjects)) return newest?.seq ?? 0;
      // What was passed on to this subject ends nothing; what was published there before it does.
      let [found, from] = [0, 1];
      while (from < newest.seq) {
        const message = await ask({ seq: from, next_by_subj: subjects.end(bubble) });
        if (!message || message.seq >= newest.seq) break;
        if (isPublished(message, subjects)) found = message.seq;
        from = message.seq + 1;
      }
      return found;
    },
  };
}
