// Moments: the core has no clock, but it reads and writes them as the calendar says.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeSeconds, formatTime, parseTime } from "../../../src/core/model/value/time.ts";

const moments = fc.integer({ min: 0, max: Date.UTC(2400, 11, 31, 23, 59, 59, 999) });

describe("iso", () => {
  it("writes every moment from 1970 to 2400 as Date does", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(formatTime(moment)).toBe(new Date(moment).toISOString());
      }),
      { numRuns: 5_000 },
    );
  });

  it("is the inverse of millis, and millis of it", () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseTime(formatTime(moment))).toBe(moment);
        expect(formatTime(parseTime(new Date(moment).toISOString()))).toBe(new Date(moment).toISOString());
      }),
      { numRuns: 5_000 },
    );
  });

  it.each([
    "1970-01-01T00:00:00.000Z",
    "1999-12-31T23:59:59.999Z",
    "2000-02-29T00:00:00.000Z",
    "2000-03-01T00:00:00.000Z",
    "2024-02-29T23:59:59.999Z",
    "2100-02-28T23:59:59.999Z",
    "2100-03-01T00:00:00.000Z",
    "2400-02-29T12:00:00.001Z",
  ])("knows %s, where calendars break", (text) => {
    expect(formatTime(Date.parse(text))).toBe(text);
  });

  it("knows the last millisecond of every day of a leap year and of another", () => {
    for (const year of [2096, 2100]) {
      for (let day = Date.UTC(year, 0, 2); day <= Date.UTC(year + 1, 0, 1); day += 86_400_000) {
        expect(formatTime(day - 1)).toBe(new Date(day - 1).toISOString());
      }
    }
  });

  it("drops what is less than a millisecond", () => {
    expect(formatTime(1.9)).toBe("1970-01-01T00:00:00.001Z");
  });
});

describe("millis", () => {
  it.each(["2026-02-21T12:34:56Z", "2026-02-21T12:34:56.5Z", "2026-02-21T12:34:56.05Z"])(
    "reads %s, with as many digits as it has",
    (text) => {
      expect(parseTime(text)).toBe(Date.parse(text));
    },
  );

  it.each(["", "tomorrow", "12:00"])("makes nothing of %j", (text) => {
    expect(parseTime(text)).toBe(0);
  });

  it("keeps the order of the texts", () => {
    fc.assert(
      fc.property(moments, moments, (a, b) => {
        expect(parseTime(formatTime(a)) - parseTime(formatTime(b))).toBe(a - b);
        expect(formatTime(a) < formatTime(b)).toBe(a < b);
      }),
    );
  });
});

it.each([
  [2, "2 s"],
  [90, "90 s"],
  [1200, "20 min"],
  [5400, "90 min"],
  [7200, "2 h"],
])("%i seconds are said as %s", (seconds, words) => {
  expect(describeSeconds(seconds)).toBe(words);
});
