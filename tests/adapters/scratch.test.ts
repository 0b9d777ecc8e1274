// Working files on a real disk, and the lines of one that grows.
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createFileScratch } from "../../src/adapters/scratch/file.ts";
import type { GrowingLines } from "../../src/ports/system/scratch.ts";

const folder = mkdtempSync(join(tmpdir(), "pairflow-scratch-"));
const scratch = createFileScratch();
const open: { close(): unknown }[] = [];
let count = 0;

afterEach(() => {
  for (const one of open.splice(0)) one.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fresh(content?: string | Uint8Array): string {
  count += 1;
  const path = join(folder, `${count}.log`);
  if (content !== undefined) writeFileSync(path, content);
  return path;
}

function linesOf(path: string): GrowingLines {
  const lines = scratch.lines(path);
  open.push(lines);
  return lines;
}

/** Reads until a line comes, woken by nothing but the adapter. */
async function nextLines(lines: GrowingLines): Promise<string[]> {
  for (;;) {
    const found = lines.read();
    if (found.length > 0) return found;
    await lines.changed(new AbortController().signal);
  }
}

describe("the lines of a file that grows", () => {
  it("are read from the beginning, each once", () => {
    const path = fresh("one\ntwo\n");
    const lines = linesOf(path);
    expect(lines.read()).toEqual(["one", "two"]);
    expect(lines.read()).toEqual([]);
    appendFileSync(path, "three\n\nfour\n");
    expect(lines.read()).toEqual(["three", "", "four"]);
    expect(linesOf(path).read()).toEqual(["one", "two", "three", "", "four"]);
  });

  it("count when they are complete; what stands behind the last newline is the rest", () => {
    const path = fresh("one\ntw");
    const lines = linesOf(path);
    expect(lines.read()).toEqual(["one"]);
    expect(lines.rest()).toBe("tw");
    appendFileSync(path, "o");
    expect([lines.read(), lines.rest()]).toEqual([[], "two"]);
    appendFileSync(path, "\n");
    expect([lines.read(), lines.rest()]).toEqual([["two"], ""]);
  });

  it("are there when the file appears later", async () => {
    const path = fresh();
    const lines = linesOf(path);
    expect([lines.read(), lines.rest()]).toEqual([[], ""]);
    await lines.changed(new AbortController().signal);
    expect(lines.read()).toEqual([]);
    writeFileSync(path, "late\n");
    expect(await nextLines(lines)).toEqual(["late"]);
  });

  it("keep their characters, wherever a write breaks them", () => {
    const text = "größer\n中文 — 🙂\nflag 🏳️‍🌈 end\n";
    const bytes = Buffer.from(text);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const path = fresh("");
        const lines = linesOf(path);
        const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const read = places.flatMap((place, i) => {
          appendFileSync(path, bytes.subarray(place, places[i + 1] ?? bytes.length));
          return lines.read();
        });
        lines.close();
        expect([...read, lines.rest()].join("\n")).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("keep their characters over the size in which the file is read", () => {
    for (const before of [65_533, 65_534, 65_535, 131_070]) {
      const line = `${"a".repeat(before)}🙂中`;
      expect(linesOf(fresh(`${line}\nend\n`)).read()).toEqual([line, "end"]);
    }
  });

  it("are read quickly, five megabytes at once or bit by bit", () => {
    const line = JSON.stringify({ type: "item", text: "x".repeat(180) });
    const many = Math.ceil((5 * 1024 * 1024) / (line.length + 1));
    const started = performance.now();
    expect(linesOf(fresh(`${line}\n`.repeat(many))).read()).toHaveLength(many);
    const path = fresh("");
    const lines = linesOf(path);
    let read = 0;
    for (let part = 0; part < 50; part += 1) {
      appendFileSync(path, `${line}\n`.repeat(many / 50));
      read += lines.read().length;
    }
    expect(read).toBe(Math.floor(many / 50) * 50);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it("may be five megabytes long themselves, and grow slowly", () => {
    const path = fresh("");
    const lines = linesOf(path);
    const started = performance.now();
    const part = "y".repeat(50 * 1024);
    for (let i = 0; i < 100; i += 1) {
      appendFileSync(path, part);
      expect(lines.read()).toEqual([]);
    }
    appendFileSync(path, "\n");
    expect(lines.read()).toEqual([part.repeat(100)]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("waiting for a file to grow", () => {
  it("ends soon after it has grown", async () => {
    const path = fresh("");
    const lines = linesOf(path);
    const delays: number[] = [];
    for (let i = 0; i < 10; i += 1) {
      const woken = nextLines(lines);
      const writtenAt = performance.now();
      appendFileSync(path, `${i}\n`);
      expect(await woken).toEqual([String(i)]);
      delays.push(performance.now() - writtenAt);
    }
    // The best of ten: a machine that is busy with other things may delay any one of them.
    expect(Math.min(...delays)).toBeLessThan(200);
  });

  it("ends soon after it has appeared", async () => {
    const delays: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const path = fresh();
      const woken = nextLines(linesOf(path));
      const writtenAt = performance.now();
      writeFileSync(path, "here\n");
      expect(await woken).toEqual(["here"]);
      delays.push(performance.now() - writtenAt);
    }
    expect(Math.min(...delays)).toBeLessThan(1_000);
  });

  it("ends at the signal, also one that was given before", async () => {
    const lines = linesOf(fresh(""));
    const leaving = new AbortController();
    const waiting = lines.changed(leaving.signal);
    leaving.abort();
    await waiting;
    await lines.changed(leaving.signal);
    expect(lines.read()).toEqual([]);
  });

  it("sees a change that came between reading and waiting", async () => {
    const path = fresh("");
    const lines = linesOf(path);
    await lines.changed(new AbortController().signal);
    expect(lines.read()).toEqual([]);
    appendFileSync(path, "between\n");
    expect(await nextLines(lines)).toEqual(["between"]);
  });

  it("may be given up and closed at any time, twice too", async () => {
    const lines = scratch.lines(fresh("one\n"));
    lines.read();
    const waiting = lines.changed(new AbortController().signal);
    lines.close();
    lines.close();
    await waiting;
  });
});

describe("a working file", () => {
  it("is empty when there is none, and its end when it is huge", async () => {
    expect(await scratch.text(fresh())).toBe("");
    const huge = fresh(`${"a".repeat(5 * 1024 * 1024)}end`);
    const text = await scratch.text(huge);
    expect(text.endsWith("aend")).toBe(true);
    expect(text).toHaveLength(4 * 1024 * 1024);
  });

  it("knows when it was changed, or that it is not there", async () => {
    const path = fresh();
    expect(await scratch.modifiedAt(path)).toBeUndefined();
    writeFileSync(path, "x");
    expect(await scratch.modifiedAt(path)).toBe(statSync(path).mtime.toISOString());
  });

  it("is made empty, with its folder", async () => {
    const path = join(folder, "deep", "er", "out.log");
    await scratch.clear(path);
    writeFileSync(path, "x");
    await scratch.clear(path);
    expect(readFileSync(path, "utf8")).toBe("");
  });
});
