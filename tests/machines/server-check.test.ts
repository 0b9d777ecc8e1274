// What the doctor and a worker say of a server and of this machine's clock: too old, not durable, off by a second or a day.
import { expect, test } from "vitest";
import { judgeServer } from "../../src/app/store/server-check.ts";

const good = { version: "2.15.1", skewMs: 0, isDurable: true, servers: ["one"] };
const statusOf = (over: object) => judgeServer({ ...good, ...over }).map(({ status }) => status);

test("a server that keeps what it acknowledges, and a clock that agrees, are well", () => {
  expect(statusOf({})).toEqual(["ok", "ok", "ok"]);
});

test("a server that would lose lines in a power cut is refused; one that cannot be asked is told", () => {
  expect(statusOf({ isDurable: false })[1]).toBe("error");
  expect(judgeServer({ ...good, isDurable: false })[1]?.fix).toContain("sync_interval: always");
  const { isDurable: _, ...unasked } = good;
  expect(judgeServer(unasked)[1]?.status).toBe("warning");
});

test("a clock that is off by more than a second is told, by more than thirty refused, in either direction", () => {
  expect([900, -900, 1500, -1500, 31_000, -86_400_000].map((skewMs) => statusOf({ skewMs })[2])).toEqual([
    "ok",
    "ok",
    "warning",
    "warning",
    "error",
    "error",
  ]);
  expect(judgeServer({ ...good, skewMs: 86_400_000 })[2]?.says).toContain("86400 seconds ahead");
});
