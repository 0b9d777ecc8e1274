// A played bubble as a record: its lines appended to any log, batch by batch, as the referee wrote them.
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { RecordWorld } from "../../src/engine/world/world.ts";
import { emptyHead, type Head } from "../../src/ports/record/log.ts";

/** Writes the lines from `from` on; returns the head after them. */
export async function record(
  { log, records }: Pick<RecordWorld, "log" | "records">,
  lines: readonly Envelope[],
  from: Head = emptyHead,
): Promise<Head> {
  const bubble = lines[0]?.bubble_id ?? "";
  if (!(await records.exists(bubble))) await records.create(bubble);
  let head = from;
  for (const batch of batches(lines.filter(({ seq }) => seq > from.seq))) {
    const appended = await log.append(bubble, head, batch);
    if (!appended.ok) throw new Error(`line ${batch[0]?.seq} was not taken`);
    head = appended.head;
  }
  return head;
}

function batches(lines: readonly Envelope[]): Omit<Envelope, "prev">[][] {
  const all: Omit<Envelope, "prev">[][] = [];
  for (const { prev: _prev, ...line } of lines) {
    if (line.batch.i === 0) all.push([]);
    all.at(-1)?.push(line as Omit<Envelope, "prev">);
  }
  return all;
}
