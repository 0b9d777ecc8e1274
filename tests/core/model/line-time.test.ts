// Which times a line of the record may have: what the schema library takes for one, whichever way it is found out.
import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { readEnvelope } from "../../../src/core/model/record/envelope.ts";

const line = (ts: unknown) => ({
  ...{ v: 1, seq: 1, id: "msg_20260101_001", ts, bubble_id: "b", sender: "orchestrator", recipient: "human" },
  ...{ type: "QUESTION_WITHDRAWN", round: 1, payload: { question: "Q1", why: "answered" }, refs: [] },
  ...{ batch: { id: "c1", i: 0, n: 1 }, prev: "" },
});
const counts = (ts: unknown) => !("reason" in readEnvelope(line(ts)));
const library = v.pipe(v.string(), v.isoTimestamp());

const part = (most: number) => fc.nat({ max: most }).map((n) => String(n).padStart(2, "0"));
const written = fc
  .tuple(fc.nat({ max: 9999 }), part(14), part(33), part(26), part(62), part(62), fc.nat({ max: 999 }))
  .map(
    ([year, month, day, hour, minute, second, ms]) =>
      `${String(year).padStart(4, "0")}-${month}-${day}T${hour}:${minute}:${second}.${String(ms).padStart(3, "0")}Z`,
  );
const others = fc.constantFrom(
  ...[
    "2026-01-31 12:00:00Z",
    "2026-01-31T12:00:00+01:00",
    "2026-01-31T12:00:00.1Z",
    "2026-02-31T23:59:59.999Z",
  ],
  ...[
    "",
    "now",
    "2026-01-31",
    " 2026-01-31T12:00:00.000Z",
    "2026-01-31T12:00:00.000Z\n",
    "٢026-01-31T12:00:00.000Z",
  ],
);

test("the same as the library, for what is written here and for every other way", () => {
  fc.assert(
    fc.property(fc.oneof(written, others, fc.string()), (ts) => {
      expect(counts(ts)).toBe(v.is(library, ts));
    }),
    { numRuns: 3000 },
  );
  expect([counts("2026-01-31T12:00:00.000Z"), counts("2026-13-31T12:00:00.000Z"), counts(5)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("what is no time is named with a sentence", () => {
  expect(readEnvelope(line("yesterday"))).toMatchObject({
    reason: 'ts: must be a time such as 2026-01-31T12:00:00.000Z, not "yesterday"',
  });
});
