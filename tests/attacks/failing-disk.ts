// A disk that fails on purpose: single calls of node:fs go wrong for files that a test names, in this very process.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

export type Call = "openSync" | "writeSync" | "writeFileSync" | "fsyncSync" | "renameSync" | "linkSync";
type Patched = (...args: unknown[]) => unknown;

export interface Fault {
  readonly call: Call;
  /** Part of the path the call is about; of the path a descriptor was opened with, for calls that take one. */
  readonly path: string;
  readonly code: string;
  /** How often it fails; for ever when left out. */
  readonly times?: number;
  /** A write that writes this many bytes and no more, instead of failing. */
  readonly short?: number;
  /** The call is made, and fails all the same: the bytes are there, and nobody can rely on it. */
  readonly after?: boolean;
}

const table = fs as unknown as Record<string, Patched>;

/** Runs with the fault in place; always fixes the disk again. Returns how often the fault came up as well. */
export async function withFault<T>(
  fault: Fault,
  run: () => Promise<T>,
): Promise<{ value?: T; error?: unknown; hits: number }> {
  const originals = new Map<string, Patched>();
  const paths = new Map<number, string>();
  let hits = 0;
  const patch = (name: string, make: (original: Patched) => Patched) => {
    const original = table[name] as Patched;
    if (!originals.has(name)) originals.set(name, original);
    table[name] = make(original);
  };
  patch("openSync", (original) => (...args) => {
    const fd = original(...args) as number;
    paths.set(fd, String(args[0]));
    return fd;
  });
  patch(fault.call, (original) => (...args) => {
    const [first] = args;
    const path = typeof first === "number" ? (paths.get(first) ?? "") : args.slice(0, 2).join(" ");
    if (!path.includes(fault.path) || hits >= (fault.times ?? Number.POSITIVE_INFINITY))
      return original(...args);
    hits += 1;
    if (fault.short !== undefined) return original(first, (args[1] as Buffer).subarray(0, fault.short));
    if (fault.after) original(...args);
    throw Object.assign(new Error(`${fault.code}: made to fail, ${fault.call}`), { code: fault.code });
  });
  syncBuiltinESMExports();
  try {
    return { value: await run(), hits };
  } catch (error) {
    return { error, hits };
  } finally {
    for (const [name, original] of originals) table[name] = original;
    syncBuiltinESMExports();
  }
}
