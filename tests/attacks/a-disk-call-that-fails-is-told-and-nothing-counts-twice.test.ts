// Each call that a command makes to the disk fails in its turn: at open, write, sync, rename, link and folder sync, of the
// log, artifacts, cache, settings and what lies in the runtime folder. What the command says is so, and the next one continues.
import { afterAll, describe, expect, it } from "vitest";
import { type Code, codes, kinds, problemsOf, type Stage, stageOf } from "./disk/one-call-fails.ts";

/** How many calls of a command the suite lets fail; npm run soak takes all of them, with every code. */
const sample = 3;

describe.each(Object.keys(kinds))("%s", (verb) => {
  let stage: Stage | undefined;
  afterAll(() => stage?.close());

  it("succeeds, or says with a code what is known, and the next command finds a good record", async () => {
    stage = await stageOf(verb);
    const { code, calls } = await stage.type();
    expect(code).toBe(0);
    expect(calls.length).toBeGreaterThan(10);
    const places = Array.from({ length: sample }, (_, n) => Math.ceil(((n + 1) * calls.length) / sample));
    const found: string[] = [];
    for (const nth of places) found.push(...(await problemsOf(stage, { nth, code: codeOf(calls, nth) })));
    expect(found).toEqual([]);
  }, 180_000);
});

/** A short write where there is a write to be short, another code at every call. */
function codeOf(calls: readonly string[], nth: number): Code {
  return calls[nth - 1]?.startsWith("write") ? "SHORT" : (codes[nth % (codes.length - 1)] ?? "EIO");
}
