// Records written as files at once, without playing a bubble: for scenes and benches with a thousand bubbles or a hundred thousand
// lines. Lines are chained and the cache is fresh, as the referee leaves them.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeHash } from "../../src/adapters/clock/node.ts";
import { buildLogHead } from "../../src/adapters/log/head-position.ts";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import { evolve } from "../../src/core/bubble/evolve.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { buildSummaryView } from "../../src/core/views/bubble/summary.ts";

export interface Told {
  readonly log: readonly Envelope[];
  readonly state: State;
}

/** Returns the folder of the bubble. */
export async function writeRecord(repo: string, id: string, { log, state }: Told): Promise<string> {
  const folder = join(repo, ".pairflow", "bubbles", id);
  mkdirSync(join(folder, "artifacts"), { recursive: true });
  mkdirSync(join(repo, ".pairflow", "locks"), { recursive: true });
  const transcript = join(folder, "transcript.ndjson");
  let prev = "";
  let offset = 0;
  let lineStart = 0;
  const lines: string[] = [];
  for (const envelope of log) {
    const line = JSON.stringify({ ...envelope, prev });
    prev = nodeHash.sha256(line);
    lineStart = offset;
    offset += Buffer.byteLength(line) + 1;
    lines.push(line);
  }
  writeFileSync(transcript, `${lines.join("\n")}\n`);
  // Whole seconds can be set again exactly: a log that was touched since its cache was made is folded from its first byte.
  const seconds = Math.floor(Date.now() / 1000);
  utimesSync(transcript, seconds, seconds);
  const head = buildLogHead({ seq: log.length, offset, lineStart, hash: prev, line: log.length });
  await createFileRecords({ root: repo }).save(id, { state, head }, buildSummaryView(state));
  return folder;
}

/** The same story of another bubble, whose last line is of another time. */
export function retell({ log, state }: Told, id: string, endedAt: string): Told {
  const known = state.bubbleId;
  const shift = Date.parse(endedAt) - Date.parse(state.lastAt);
  const text = JSON.stringify({ log, state })
    .replaceAll(`"${known}"`, `"${id}"`)
    .replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, at: string) => JSON.stringify(move(at, shift)));
  return JSON.parse(text) as Told;
}

/** The same record with so many lines, all further ones without consequence. */
export function lengthen({ log, state }: Told, lines: number): Told {
  const last = log.at(-1);
  if (!last) throw new Error("an empty record");
  const more = Array.from({ length: lines - log.length }, (_, index) => {
    const seq = log.length + index + 1;
    const payload = { event: "note", payload: { number: seq } };
    const batch = { id: `more-${seq}`, i: 0, n: 1 };
    return { ...last, type: "EVENT", seq, id: `${last.id}-${seq}`, batch, payload } as Envelope;
  });
  return { log: [...log, ...more], state: more.reduce<State>((known, line) => evolve(known, line), state) };
}

const move = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
