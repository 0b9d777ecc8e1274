// The stream of changes: what is told, and what a browser that was away is told.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Changes, openChanges } from "../../src/server/stream/changes.ts";

let changes: Changes;
const heard: string[] = [];
const listen = (since?: string) => changes.listen(since, (text) => heard.push(text));
const told = () => heard.filter((text) => text.includes("event: changed"));

beforeEach(() => {
  vi.useFakeTimers();
  heard.length = 0;
  changes = openChanges("run7");
});
afterEach(() => {
  changes.close();
  vi.useRealTimers();
});

it("keys are gathered for a moment and told once", () => {
  listen();
  changes.mark("inbox", "bubble/shop/a");
  changes.mark("inbox");
  vi.advanceTimersByTime(49);
  expect(told()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(told()).toEqual(['id: run7-1\nevent: changed\ndata: ["inbox","bubble/shop/a"]\n\n']);
});

it("whoever continues from a cursor is told what was missed, and nothing twice", () => {
  for (const key of ["a", "b", "c"]) {
    changes.mark(key);
    vi.advanceTimersByTime(50);
  }
  listen("run7-1");
  expect(told().map((text) => /data: (.*)/.exec(text)?.[1])).toEqual(['["b"]', '["c"]']);
  heard.length = 0;
  listen("run7-3");
  expect(told()).toEqual([]);
});

it.each(["run6-3", "run7-99", "nonsense"])(
  "from an unknown cursor (%s) everything may have changed",
  (since) => {
    listen(since);
    expect(told().map((text) => /data: (.*)/.exec(text)?.[1])).toEqual(['["all"]']);
  },
);

it("from too old a cursor everything may have changed", () => {
  for (let number = 0; number < 600; number++) {
    changes.mark(`k${number}`);
    vi.advanceTimersByTime(50);
  }
  listen("run7-2");
  expect(told().map((text) => /data: (.*)/.exec(text)?.[1])).toEqual(['["all"]']);
});

it("says every ten seconds that it is alive, and nothing to who has left", () => {
  const leave = listen();
  vi.advanceTimersByTime(10_000);
  expect(heard.filter((text) => text.includes("event: alive"))).toHaveLength(1);
  leave();
  vi.advanceTimersByTime(10_000);
  expect(heard.filter((text) => text.includes("event: alive"))).toHaveLength(1);
});
