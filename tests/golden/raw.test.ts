// Transcripts as they once were written by real runs of the built-in workflows. They are never written anew: whatever is
// changed, they must fold to what they came to then, and their chain of hashes must hold.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { fold } from "../../src/core/bubble/evolve.ts";
import { type Envelope, parseEnvelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { buildTimelineRow } from "../../src/core/views/history/timeline.ts";

const folder = join(import.meta.dirname, "..", "fixtures", "golden", "raw");
const lines = (file: string): string[] => readFileSync(join(folder, file), "utf8").trimEnd().split("\n");

function read(file: string): Envelope[] {
  return lines(file).map((line) => {
    const envelope = parseEnvelope(JSON.parse(line));
    if (typeof envelope === "string") throw new Error(`${file}: ${envelope}`);
    return envelope;
  });
}

const cart = { path: "src/cart.txt", task: "work", decidedBy: "claude" };
const task = { work: { status: "completed", iterations: 2, switches: 0 } };
/** What each of them came to. */
const ends: Readonly<Record<string, object>> = {
  "paired-1.ndjson": { result: { result: "approved" }, tasks: task, locks: [cart], round: 2 },
  "review-1.ndjson": { result: { result: "approved" }, tasks: task, locks: [cart], round: 2 },
  "plan-and-execute-1.ndjson": {
    result: { result: "approved" },
    round: 2,
    steps: { complete: { visits: 1 } },
  },
};

describe("a transcript that was once written", () => {
  it("has a known end, each of them", () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(ends).sort());
  });

  it.each(Object.entries(ends))("%s folds to its end", (file, end) => {
    expect(fold(read(file))).toMatchObject({
      lifecycle: "DONE",
      findings: [{ id: "F1", status: "fixed" }],
      questions: [],
      ...end,
    });
  });

  it.each(Object.keys(ends))("%s is a chain of hashes without a gap", (file) => {
    let prev = "";
    for (const [index, line] of lines(file).entries()) {
      expect(JSON.parse(line)).toMatchObject({ seq: index + 1, prev });
      prev = createHash("sha256").update(line).digest("hex");
    }
  });

  it.each(Object.keys(ends))(
    "every prefix of %s is a state that owes the same when it is read again",
    (file) => {
      const log = read(file);
      for (let n = 1; n <= log.length; n++) {
        const state = fold(log.slice(0, n)) as State;
        expect(state.seq).toBe(n);
        expect(listDueEffects(JSON.parse(JSON.stringify(state)))).toEqual(
          JSON.parse(JSON.stringify(listDueEffects(state))),
        );
        buildStatusView(state, { now: state.lastAt });
        buildTimelineRow(log[n - 1] as Envelope);
      }
    },
  );
});
