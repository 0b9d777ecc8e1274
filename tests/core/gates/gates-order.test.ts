// Which gates a change calls for, in which order they run, and what is shown of them meanwhile and afterwards.
import { describe, expect, it } from "vitest";
import { excerptOutput, keepHeadAndTail } from "../../../src/core/gates/output/excerpt.ts";
import { findLastOutputLine, parseRunningGates } from "../../../src/core/gates/running.ts";
import { batchGates, isTriggered } from "../../../src/core/gates/trigger.ts";
import type { ChangedFile } from "../../../src/core/model/record/payloads/parts.ts";

const changed = (path: string, from?: string): ChangedFile => ({
  path,
  status: from === undefined ? "modified" : "renamed",
  added: 1,
  removed: 1,
  ...(from === undefined ? {} : { from }),
});

describe("a trigger", () => {
  it.each([
    [["src/**"], [changed("src/cart.ts")], true],
    [["src/**"], [changed("docs/cart.md")], false],
    [["src/**"], [changed("lib/cart.ts", "src/cart.ts")], true],
    [["src/**"], [changed("src/cart.ts", "lib/cart.ts")], true],
    [["*.sql"], [changed("db/migrations/1.sql")], true],
    [["./db/*.sql"], [changed("db/1.sql")], true],
    [["db/*.sql"], [changed("db/old/1.sql")], false],
    [["**"], [changed(".env.example")], true],
    [["docs/**", "*.md"], [changed("README.md")], true],
    [["**"], [], false],
  ] as const)("%j on %j: %s", (trigger, files, runs) => {
    expect(isTriggered({ trigger: [...trigger] }, files)).toBe(runs);
  });

  it("is not needed", () => {
    expect(isTriggered({}, [])).toBe(true);
  });
});

describe("gates run", () => {
  const gate = (name: string) => ({ name, parallel: name.endsWith("=") });
  const batches = (names: string) =>
    batchGates(names.split(" ").map(gate)).map((all) => all.map((one) => one.name));

  it("in their order, parallel neighbours together", () => {
    expect(batches("a b= c= d e=")).toEqual([["a"], ["b=", "c="], ["d"], ["e="]]);
    expect(batches("a= b c=")).toEqual([["a="], ["b"], ["c="]]);
    expect(batchGates([])).toEqual([]);
  });
});

describe("what is known of running gates", () => {
  const running = { name: "test", since: "2026-01-01T00:00:00.000Z", output: "/r/gate-test.log" };

  it("is read back from the note, and an odd note says nothing", () => {
    expect(parseRunningGates(JSON.stringify([running]))).toEqual([running]);
    for (const odd of [undefined, "", "{", "7", '{"name":1}', "[null, 1, {}]"])
      expect(parseRunningGates(odd)).toEqual([]);
  });

  it("is the last line that says something", () => {
    expect(findLastOutputLine("one\n\u001b[32mtwo\u001b[0m\n\n  \n")).toBe("two");
    expect(findLastOutputLine("compiling  1%\rcompiling 50%\rcompiling 99%")).toBe("compiling 99%");
    expect(findLastOutputLine("ok 12 - adds tax\n  ---\n  ...\n")).toBe("ok 12 - adds tax");
    expect(findLastOutputLine("x".repeat(300), 10)).toBe("xxxxxxxxx…");
    expect(findLastOutputLine("")).toBe("");
  });
});

describe("what of an output continues", () => {
  const long = `first error\n${"noise\n".repeat(5000)}2 tests failed`;
  const bytes = (text: string) => new TextEncoder().encode(text).length;

  it("is its head and its tail", () => {
    const short = excerptOutput(long);
    expect(short.length).toBeLessThan(6200);
    expect(short).toMatch(/^first error\n[\s\S]*characters left out[\s\S]*2 tests failed$/);
  });

  it.each([500, 2000, 8000])("keeps both when %i bytes are left for it", (room) => {
    const short = keepHeadAndTail(excerptOutput(long), room);
    expect(bytes(short)).toBeLessThanOrEqual(room);
    expect(short).toMatch(/^first error\n[\s\S]*2 tests failed$/);
  });

  it("keeps both ends of one line without an end", () => {
    const short = keepHeadAndTail(`start${"é".repeat(7980)}end`, 2000);
    expect(bytes(short)).toBeLessThanOrEqual(2000);
    expect(short).toMatch(/^start[\s\S]*end$/);
  });

  it("is not cut where there is room", () => {
    expect(keepHeadAndTail("short", 5)).toBe("short");
  });

  it("costs no more for titles that never end", () => {
    const startedAt = performance.now();
    excerptOutput("\u001b]0;".repeat(300_000));
    expect(performance.now() - startedAt).toBeLessThan(2000);
  });
});
