// Texts of people and agents are cut to fit a line, a prompt or a screen. Half a character would be a false one: on the
// record it is an escape that no strict reader takes, on a screen a question mark.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { excerptOutput, keepHeadAndTail } from "../../src/core/gates/output/excerpt.ts";
import { findLastOutputLine } from "../../src/core/gates/running.ts";
import {
  clip,
  countContinuationBytes,
  keepEnd,
  keepFirstBytes,
  keepLastBytes,
  keepStart,
} from "../../src/core/model/value/sizes.ts";
import { rig } from "../acceptance/rig.ts";

const family = "👩‍👩‍👧‍👦";
const signs = ["a", " ", "é", "e\u0301", "ß", "漢", "👍", "👍🏽", "🏳️‍🌈", family, "𝒳", "\n"];
const text = fc.array(fc.constantFrom(...signs), { maxLength: 60 }).map((parts) => parts.join(""));
const length = fc.integer({ min: 0, max: 80 });
/** A surrogate without its other half. */
const half = /\p{Surrogate}/u;
const bytesOf = (words: string) => new TextEncoder().encode(words).length;

describe("a text that is cut", () => {
  it("is as long as allowed, holds whole characters, and is a part of what it was", () => {
    fc.assert(
      fc.property(text, length, (words, max) => {
        const [first, last] = [keepStart(words, max), keepEnd(words, max)];
        for (const part of [first, last, clip(words, max + 1)]) expect(part).not.toMatch(half);
        expect(words.startsWith(first) && words.endsWith(last)).toBe(true);
        expect(Math.max(first.length, last.length)).toBeLessThanOrEqual(max);
        expect(clip(words, max + 1).length).toBeLessThanOrEqual(max + 1);
      }),
    );
  });

  it("loses at most one sign more than it must", () => {
    fc.assert(
      fc.property(text, length, (words, max) => {
        const lost = Math.min(words.length, max) - keepStart(words, max).length;
        expect(lost).toBeLessThan(family.length);
      }),
    );
  });

  it("keeps emoji that are joined, and letters with their accents, in one piece", () => {
    expect(keepStart(`ab${family}`, 6)).toBe("ab");
    expect(keepStart("ab👍🏽", 4)).toBe("ab");
    expect(keepEnd("e\u0301b", 2)).toBe("b");
  });

  it("is cut all the same where somebody heaps accents upon accents", () => {
    const heap = `x${"\u0301".repeat(5000)}`;
    expect(clip(heap, 1000)).toHaveLength(1000);
  });

  it("has at most so many bytes where bytes are counted", () => {
    fc.assert(
      fc.property(text, length, (words, bytes) => {
        for (const part of [keepFirstBytes(words, bytes), keepLastBytes(words, bytes)]) {
          expect(part).not.toMatch(half);
          expect(bytesOf(part)).toBeLessThanOrEqual(bytes);
        }
      }),
    );
  });

  it("is whole at both ends of a gate's excerpt, and on the one line of a screen", () => {
    const output = "👍".repeat(9000);
    for (const pad of ["", "x"]) {
      expect(excerptOutput(pad + output + pad)).not.toMatch(half);
      expect(keepHeadAndTail(pad + output, 1000)).not.toMatch(half);
      expect(findLastOutputLine(pad + output)).not.toMatch(half);
    }
  });

  it("begins with a whole character where the end of a file was read", () => {
    const bytes = new TextEncoder().encode("👍漢é");
    for (let from = 0; from < bytes.length; from++) {
      const piece = bytes.subarray(from);
      expect(new TextDecoder().decode(piece.subarray(countContinuationBytes(piece)))).not.toContain("\ufffd");
    }
  });
});

describe("on the record", () => {
  const tool = rig();
  afterAll(() => tool.close());

  it("titles, excerpts and files of a task of emoji are well formed, wherever they are cut", async () => {
    tool.write("task.md", `# x${"👍".repeat(200)}\n\n- [ ] ${"👍".repeat(100)}\n\n${"👍".repeat(9000)}\n`);
    await tool.ok("bubble", "create", "--id", "b1", "--task", "task.md", "--no-tests", "--reason", "prose");
    const line = readFileSync(tool.transcript("b1"), "utf8");
    expect(line).not.toMatch(/\\ud[89a-f]/i);
    const state = readFileSync(join(tool.repo, ".pairflow/bubbles/b1/state.json"), "utf8");
    expect(state).not.toMatch(/\\ud[89a-f]/i);
  });
});
