// The golden transcript of the built-in workflow `pair`, and the promise that a log once written folds for ever.
// A difference here is a change of the format or of the rules: if it is meant, a new fixture is added and the old stays.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fold } from "../../../src/core/bubble/evolve.ts";
import { type Envelope, parseEnvelope } from "../../../src/core/model/record/envelope.ts";
import { p1, pair } from "../pair.ts";

const looked = [{ file: "src/cart.ts", line: 41, why: "the discount is taken off before tax is added" }];

const folder = join(import.meta.dirname, "..", "..", "fixtures", "logs");

/** A question, a P1 found and fixed, roles alternated with evidence, approved and committed. */
function wholeBubble(): readonly Envelope[] {
  const asked = pair({ config: { review: {} } })
    .started()
    .asks("Before or after tax?")
    .replies({ message: "Before" });
  const found = asked.implements("T1").reviews({ findings: [p1] });
  const fixed = found
    .implements("T2")
    .reviews({ answers: [{ id: "F1", status: "fixed" }], noFindings: true, checked: looked });
  return fixed.reviewerConverges({ checked: looked }).handsOver().packageWritten().approves().commits().log;
}

function chained(log: readonly Envelope[]): string {
  let prev = "";
  return log
    .map((envelope) => {
      const line = JSON.stringify({ ...envelope, prev });
      prev = createHash("sha256").update(line).digest("hex");
      return `${line}\n`;
    })
    .join("");
}

const read = (file: string): Envelope[] =>
  readFileSync(join(folder, file), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => {
      const envelope = parseEnvelope(JSON.parse(line));
      if (typeof envelope === "string") throw new Error(`${file}: ${envelope}`);
      return envelope;
    });

describe("the pair workflow", () => {
  it("writes the same transcript as ever", () => {
    const file = join(folder, "pair-5.ndjson");
    const now = chained(wholeBubble());
    if (!existsSync(file) && !process.env.CI) writeFileSync(file, now);
    expect(now).toBe(readFileSync(file, "utf8"));
  });
});

describe("old logs", () => {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ndjson"))) {
    it(`${file} still folds to its end`, () => {
      expect(fold(read(file))).toMatchObject({
        lifecycle: "DONE",
        findings: [{ id: "F1", status: "fixed" }],
        questions: [],
      });
    });

    it(`every prefix of ${file} is a state`, () => {
      const log = read(file);
      for (let n = 1; n <= log.length; n++) expect(fold(log.slice(0, n))?.seq).toBe(n);
    });
  }
});
