// Time, chance and hashing of the machine.
import { describe, expect, it } from "vitest";
import { nodeChance, nodeClock, nodeHash } from "../../src/adapters/clock/node.ts";

describe("the clock", () => {
  it("tells the time in UTC with milliseconds", () => {
    expect(nodeClock.now()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("sleeps as long as asked, or until the caller gives up", async () => {
    const startedAt = performance.now();
    await nodeClock.sleep(20);
    expect(performance.now() - startedAt).toBeGreaterThan(15);
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 5);
    await nodeClock.sleep(60_000, giveUp.signal);
    await nodeClock.sleep(60_000, giveUp.signal);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe("chance", () => {
  it("makes short ids, long secrets and uuids, each only once", () => {
    const ids = Array.from({ length: 1000 }, () => nodeChance.id());
    expect(new Set(ids).size).toBe(1000);
    expect(ids[0]).toMatch(/^[0-9a-z]{10}$/);
    expect(nodeChance.secret()).toMatch(/^[\w-]{43}$/);
    expect(nodeChance.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  });
});

describe("the hash", () => {
  it("is SHA-256 in hex, the same for text and its bytes", () => {
    const known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(nodeHash.sha256("abc")).toBe(known);
    expect(nodeHash.sha256(new TextEncoder().encode("abc"))).toBe(known);
  });
});
