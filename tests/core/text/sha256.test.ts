// Our SHA-256 and Node's give the same hash for every length around the ends of blocks, and for whatever bytes.
import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { computeSha256, createHash } from "../../../src/core/text/sha256.ts";

const isEqual = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
const native = (bytes: Uint8Array) => hash("sha256", bytes, "hex");

test("the examples of the standard", () => {
  expect(computeSha256(Buffer.from("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  expect(computeSha256(Buffer.from(""))).toBe(
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  );
});

test("every length up to four blocks", () => {
  for (let length = 0; length <= 256; length++) {
    const bytes = Buffer.alloc(length, length);
    expect(computeSha256(bytes)).toBe(native(bytes));
  }
});

test("any bytes, also a part of a larger buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 3000 }), fc.nat({ max: 50 }), (bytes, from) => {
      const part = bytes.subarray(Math.min(from, bytes.length));
      expect(computeSha256(part)).toBe(native(part));
    }),
    { numRuns: 200 },
  );
});

test("long texts, and all after the first few, are left to the native function", () => {
  const calls: number[] = [];
  const hashOf = createHash((bytes) => {
    calls.push(bytes.length);
    return native(bytes);
  }, isEqual);
  hashOf(Buffer.alloc(3000));
  for (let length = 0; length < 20; length++)
    expect(hashOf(Buffer.alloc(length))).toBe(native(Buffer.alloc(length)));
  expect(calls).toEqual([3000, 12, 13, 14, 15, 16, 17, 18, 19]);
});

test("beyond some blocks in all, short texts are left to the native function too", () => {
  const calls: number[] = [];
  const hashOf = createHash((bytes) => {
    calls.push(bytes.length);
    return native(bytes);
  }, isEqual);
  for (const length of [700, 701, 702, 703])
    expect(hashOf(Buffer.alloc(length))).toBe(native(Buffer.alloc(length)));
  expect(calls).toEqual([702, 703]);
});

test("bytes that come again are not hashed again, and what became of the caller's buffer says nothing", () => {
  let calls = 0;
  const hashOf = createHash((bytes) => {
    calls += 1;
    return native(bytes);
  }, isEqual);
  const line = Buffer.from("a line that is written and read back");
  const first = hashOf(line);
  for (let again = 0; again < 30; again++) expect(hashOf(Buffer.from(line))).toBe(first);
  expect(calls).toBe(0);
  line[0] = 0x62;
  expect(hashOf(line)).toBe(native(line));
  expect(hashOf(Buffer.from("a line that is written and read back"))).toBe(first);
});
