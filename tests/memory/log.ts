// The log in memory: the same lines and hashes as the file log, gone with the process.

import { chainLines, type TranscriptLine } from "../../src/adapters/log/line.ts";
import { Failure } from "../../src/ports/failure.ts";
import { type EventLog, emptyHead, type Head, type Until } from "../../src/ports/record/log.ts";

const PIECE = 500;

/** A log of its own, shared by all who hold it. Keeps L1, L2 and L4–L6 inside one process. */
export function createMemoryLog(): EventLog {
  const logs = new Map<string, TranscriptLine[]>();
  /** Who waits for more of which bubble. */
  const waiting = new Map<string, Set<() => void>>();
  const linesOf = (bubble: string) => logs.get(bubble) ?? [];

  const read: EventLog["read"] = async function* (bubble, from = emptyHead, until) {
    const end = findEnd(linesOf(bubble), until);
    find(bubble, linesOf(bubble), from);
    for (let at = from.seq; at < end; at += PIECE) {
      const lines = linesOf(bubble).slice(at, Math.min(at + PIECE, end));
      yield { envelopes: lines.map(({ envelope }) => envelope), skipped: [], head: buildHead(lines) };
    }
  };

  return {
    read,
    hashOf: ({ token }) => token,
    async append(bubble, expected, envelopes) {
      const lines = linesOf(bubble);
      const fresh = chainLines(envelopes, expected.seq, find(bubble, lines, expected));
      const next = lines[expected.seq];
      if (next) {
        const first = lines.slice(expected.seq, expected.seq + next.envelope.batch.n);
        const isMine = next.envelope.batch.id === envelopes[0]?.batch.id;
        return isMine
          ? { ok: true, head: buildHead(first), envelopes: first.map(({ envelope }) => envelope) }
          : { ok: false, head: buildHead(lines) };
      }
      lines.push(...fresh);
      logs.set(bubble, lines);
      for (const { envelope } of fresh) freeze(envelope);
      for (const wake of [...(waiting.get(bubble) ?? [])]) wake();
      return { ok: true, head: buildHead(fresh), envelopes: fresh.map(({ envelope }) => envelope) };
    },
    async *subscribe(bubble, from, signal) {
      let head = from;
      while (!signal.aborted) {
        for await (const found of read(bubble, head)) {
          head = found.head;
          yield found;
          if (signal.aborted) return;
        }
        if (linesOf(bubble).length === head.seq) await waitForChange(waiting, bubble, signal);
      }
    },
  };
}

/** How many lines there are, without a batch that reaches further than is asked for. */
function findEnd(lines: readonly TranscriptLine[], until: Until | undefined): number {
  const last = until && lines[until.before - 1]?.envelope;
  return last ? last.seq - last.batch.i - 1 : lines.length;
}

/** The hash of the line a head names. */
function find(bubble: string, lines: readonly TranscriptLine[], head: Head): string {
  if (head.seq === 0) return "";
  const hash = lines[head.seq - 1]?.hash;
  if (hash === head.token) return hash;
  throw new Failure(
    "log.head-lost",
    `The transcript of ${bubble} does not hold message ${head.seq} as it was read.`,
  );
}

function buildHead(lines: readonly TranscriptLine[]): Head {
  const last = lines.at(-1);
  return last ? { seq: last.envelope.seq, token: last.hash } : emptyHead;
}

/** All readers get the same frozen envelope: a change by one of them throws, and no other reader sees it. */
function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

function waitForChange(
  waiting: Map<string, Set<() => void>>,
  bubble: string,
  signal: AbortSignal,
): Promise<void> {
  const others = waiting.get(bubble) ?? new Set();
  waiting.set(bubble, others);
  return new Promise((resolve) => {
    const wake = () => {
      others.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    others.add(wake);
    signal.addEventListener("abort", wake);
  });
}
