// Where a head stands in a stream: the token of ports/record/log.ts, opened up. A message is found by its sequence and known by
// the hash of its last line, since a server that was restored from a back-up gives sequences anew.
import { isHumanDecision } from "../../../core/permission/authority.ts";
import type { Head } from "../../../ports/record/log.ts";
import type { LinePlace, Storage } from "../storage.ts";
import type { Writer } from "./subjects.ts";

export interface StreamPlace extends LinePlace {
  /** The sequence of the message that holds the line. */
  readonly sequence: number;
}

/** Where a line was found: the message's sequence, and who may have written it. */
export interface Found {
  readonly sequence: number;
  readonly writer: Writer;
}

export const startPlace: StreamPlace = { seq: 0, hash: "", line: 0, sequence: 0 };

export const streamStorage: Storage<StreamPlace, Found> = {
  place: (line, { sequence }) => ({ ...line, sequence }),
  head: buildStreamHead,
  refuse: (envelope, { writer }) =>
    writer === "w" && isHumanDecision(envelope)
      ? "a person's decision that did not come from a person"
      : undefined,
};

export function buildStreamHead({ seq, hash, line, sequence }: StreamPlace): Head {
  return seq === 0 ? { seq: 0, token: "" } : { seq, token: `${sequence}:${hash}:${line}` };
}

/** The place a head names, or undefined when its token was not made by this adapter. */
export function parseStreamHead(head: Head): StreamPlace | undefined {
  if (head.seq === 0) return startPlace;
  const [, sequence, hash, line] = /^(\d+):([0-9a-f]{64}):(\d+)$/.exec(head.token) ?? [];
  return hash ? { seq: head.seq, hash, line: Number(line), sequence: Number(sequence) } : undefined;
}
