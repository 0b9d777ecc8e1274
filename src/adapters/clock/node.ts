// Time, chance and hashing from Node itself. Tests hand in their own instead, so that a run can be held still.
import { closeSync, openSync, readSync } from "node:fs";
import { createHash } from "../../core/text/sha256.ts";
import type { Chance, Clock, Hash } from "../../ports/system/clock.ts";

/** The wall clock of this machine. */
export const nodeClock = {
  now: () => new Date().toISOString(),
  steady: getSteadyMs,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done);
    }),
} satisfies Clock;

let first: { readonly awake: number; readonly boot: number } | undefined;
let slept = 0;

/** Node's own steady clock stops while the machine sleeps; the time since boot does not, and is coarse. */
function getSteadyMs(): number {
  const awake = performance.now();
  const boot = process.getBuiltinModule("node:os").uptime() * 1000;
  first ??= { awake, boot };
  const asleep = boot - first.boot - (awake - first.awake);
  if (asleep > 2000) slept = Math.max(slept, asleep);
  return awake + slept;
}

/** Loaded on first use: commands that neither hash nor make secrets do not pay for it. */
const loadCrypto = () => process.getBuiltinModule("node:crypto");

/** Ids and secrets from the system's random source. */
export const nodeChance: Chance = {
  // 10 characters of 5 bits: short enough to type, and a million ids still collide with probability 0.0004.
  id: () => Array.from(drawBytes(10), (byte) => "0123456789abcdefghjkmnpqrstvwxyz"[byte & 31]).join(""),
  secret: () => loadCrypto().randomBytes(32).toString("base64url"),
  uuid: () => loadCrypto().randomUUID(),
};

/** The system's random source is a file where there is one. */
function drawBytes(count: number): Uint8Array {
  try {
    const source = openSync("/dev/urandom", "r");
    try {
      const bytes = new Uint8Array(count);
      if (readSync(source, bytes) === count) return bytes;
    } finally {
      closeSync(source);
    }
  } catch {
    // Node has its own way to it.
  }
  return loadCrypto().randomBytes(count);
}

const hashOf = createHash(
  (bytes) => loadCrypto().hash("sha256", bytes, "hex"),
  (one, other) => Buffer.compare(one, other) === 0,
);

/** SHA-256 in lower-case hex. */
export const nodeHash: Hash = {
  sha256: (text) => hashOf(typeof text === "string" ? Buffer.from(text) : text),
};
