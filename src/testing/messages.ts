// Envelopes for tests that are about storage, not about rules: the smallest kind there is, in any number.
import { type Draft, type Envelope, placeDrafts } from "../core/model/record/envelope.ts";
import type { EventLog, Head, LogTrouble } from "../ports/record/log.ts";

const at = "2026-01-02T03:04:05.678Z";

/** A command's worth of envelopes after `seq`; the batch id is the command's. */
export function buildMessages(
  bubble: string,
  after: { readonly seq: number },
  batch: string,
  texts: readonly string[],
) {
  const drafts = texts.map(
    (message): Draft => ({
      type: "WARNING",
      sender: "orchestrator",
      recipient: "human",
      round: 1,
      payload: { code: "test.note", message },
      refs: [],
    }),
  );
  return placeDrafts(drafts, { seq: after.seq, bubbleId: bubble, at, commandId: batch });
}

/** The text that `messages` put into an envelope. */
export function getMessageText(envelope: Envelope): string {
  return envelope.type === "WARNING" ? envelope.payload.message : envelope.type;
}

/** Everything a log holds behind `from`. */
export async function readAll(log: EventLog, bubble: string, from?: Head) {
  const envelopes: Envelope[] = [];
  const skipped: { readonly line: number; readonly reason: string }[] = [];
  let head = from ?? { seq: 0, token: "" };
  let trouble: LogTrouble | undefined;
  for await (const batch of log.read(bubble, from)) {
    envelopes.push(...batch.envelopes);
    skipped.push(...batch.skipped);
    head = batch.head;
    trouble = batch.trouble;
  }
  return { envelopes, skipped, head, ...(trouble ? { trouble } : {}) };
}
