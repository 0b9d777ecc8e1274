// A line of a later version of Pairflow is neither skipped nor taken for damage: whoever acts is told to update, whoever
// reads sees what this version understands, and nothing is written behind it.
import { createHash } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

/** What a later version may have written behind the newest line. */
const lines: Readonly<Record<string, object>> = {
  "another-type": { type: "OMEN", payload: { sign: "comet" } },
  "another-field": { type: "WARNING", payload: { code: "x", message: "y", mood: "good" } },
  "another-format": { v: 2, type: "WARNING", payload: { code: "x", message: "y" } },
};

let shop: Shop;
const transcript = (id: string) => shop.file(id, "transcript.ndjson");
beforeAll(async () => {
  shop = openShop();
  for (const [id, over] of Object.entries(lines)) {
    const bubble = await shop.bubble(id);
    await bubble.starts();
    const last = readFileSync(transcript(id), "utf8").trimEnd().split("\n").at(-1) ?? "";
    const { seq, ...rest } = JSON.parse(last) as { seq: number };
    const prev = createHash("sha256").update(last).digest("hex");
    const line = { ...rest, seq: seq + 1, refs: [], batch: { id: "later", i: 0, n: 1 }, prev, ...over };
    const { v = 1, ...others } = line as { v?: number };
    const ordered = { v, seq: seq + 1, ...others };
    appendFileSync(transcript(id), `${JSON.stringify(ordered)}\n`);
  }
});
afterAll(() => shop.close());

describe.each(Object.keys(lines))("a record with %s", (id) => {
  it("stops whoever acts with the way out, and stays as it is", () => {
    const before = readFileSync(transcript(id), "utf8");
    for (const words of [
      ["bubble", "stop", "--id", id],
      ["bubble", "resume", "--id", id, "--headless"],
      ["bubble", "approve", "--id", id, "--yes"],
      ["pass", "--id", id, "--as", "implementer", "--summary", "done"],
    ]) {
      const { code, stderr } = shop.run(...words);
      expect(code, words.join(" ")).toBe(3);
      expect(stderr).toContain("log.newer");
      expect(stderr).not.toContain("log.damaged");
    }
    const salvaged = shop.run("bubble", "salvage", "--id", id);
    expect(salvaged.stderr).toContain("written by a newer version, which is no damage");
    expect(readFileSync(transcript(id), "utf8")).toBe(before);
  });

  it("is shown as far as it is understood, and called newer by verify", () => {
    const { code, stderr } = shop.run("bubble", "status", "--id", id);
    expect(code).toBe(0);
    expect(stderr).toMatch(/was written by a newer Pairflow/);
    const verified = shop.run("verify", "--id", id);
    expect(verified.stdout + verified.stderr).toMatch(/newer/);
    expect(verified.stdout + verified.stderr).not.toMatch(/damaged/);
  });
});
