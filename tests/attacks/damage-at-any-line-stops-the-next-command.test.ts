// One line of a real record deleted, swapped, flipped, truncated or copied, at every line: the next command stops, or the
// same lines count as before. With the cache, and without it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readWhole } from "../../src/app/record/whole.ts";
import { load } from "../../src/engine/handle/command.ts";
import { Failure } from "../../src/ports/failure.ts";
import { mutations, splitFileLines } from "../helpers/damage.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

const id = "fix-cart";
let shop: Shop;
let lines: Buffer[];
let cache: Buffer;
let before: string;

const transcript = () => shop.file(id, "transcript.ndjson");
const stateFile = () => shop.file(id, "state.json");

beforeAll(async () => {
  shop = openShop();
  const cart = await shop.bubble(id);
  await cart.asksForApproval();
  await cart.isApproved();
  lines = splitFileLines(readFileSync(transcript()));
  cache = readFileSync(stateFile());
  before = JSON.stringify((await load(shop.world, id, true)).state);
});
afterAll(() => shop.close());

/** Puts the record back, with another transcript. */
function put(changed: readonly Buffer[], withCache: boolean): void {
  rmSync(stateFile(), { force: true });
  if (withCache) writeFileSync(stateFile(), cache);
  writeFileSync(transcript(), Buffer.concat(changed));
}

type Verdict = "stops" | "same" | "continues";

/** What an agent's verb meets, which trusts the cache, and what a person's command meets, which does not. */
async function verdict(whole: boolean): Promise<Verdict> {
  try {
    const { state, trouble } = whole
      ? await readWhole(shop.world, shop.repo, id)
      : await load(shop.world, id);
    if (trouble) return "stops";
    return JSON.stringify(state) === before ? "same" : "continues";
  } catch (error) {
    const stops = error instanceof Failure && ["log.damaged", "log.newer"].includes(error.code);
    if (!stops) throw error;
    return "stops";
  }
}

describe.each(Object.entries(mutations))("%s", (name, mutate) => {
  it.each([
    ["with the cache", true],
    ["without the cache", false],
  ])("is seen at every line, %s", async (_what, withCache) => {
    const verdicts: Verdict[] = [];
    for (const at of lines.keys()) {
      const changed = mutate(lines, at, at * 611 + 7);
      if (!changed) continue;
      put(changed, withCache);
      verdicts.push(await verdict(true));
    }
    // The newest line has nothing behind it. Without the cache a change that leaves it a line is seen by nobody; that
    // it was there is shown by what was made behind it.
    const sure = withCache ? verdicts : verdicts.slice(0, -1);
    expect(sure.filter((one) => one === "continues")).toEqual([]);
    const stops = verdicts.filter((one) => one === "stops").length;
    expect(stops, name).toBeGreaterThan(name === "duplicate" ? 0 : verdicts.length - 3);
  });

  it("in the newest line stops an agent's next verb", async () => {
    const changed = mutate(lines, lines.length - 1, 4001) ?? mutate(lines, lines.length - 2, 4001);
    put(changed ?? [], true);
    const met = await verdict(false);
    expect(met).toBe(name === "duplicate" && met === "same" ? "same" : "stops");
  });
});

describe("an end that was cut off", () => {
  it("is seen by what lies beside the log, however many lines are gone, but for the last commands", async () => {
    const seen: number[] = [];
    for (let kept = 1; kept < lines.length; kept += 1) {
      put(lines.slice(0, kept), false);
      if ((await verdict(true)) === "stops") seen.push(kept);
    }
    const unseen = Array.from(lines.keys()).filter((kept) => kept > 0 && !seen.includes(kept));
    // Behind its last message a record has only what the referee did on its own.
    const [first = lines.length] = unseen;
    expect(unseen).toEqual(Array.from({ length: lines.length - first }, (_, i) => first + i));
    const lastMessage = lines.findLastIndex((line) => line.includes('"artifact://messages/'));
    const { seq, batch } = JSON.parse(lines[lastMessage]?.toString() ?? "{}");
    expect(first).toBeGreaterThanOrEqual(seq - batch.i - 1);
  });

  it("is seen by the cache even if only the last command is gone", async () => {
    put(lines.slice(0, -1), true);
    expect(await verdict(true)).toBe("stops");
    expect(await verdict(false)).toBe("stops");
  });

  it("is seen by a pin of a turn that the log does not know", async () => {
    put(lines, true);
    const tree = shop.tree({ "src/cart.txt": "total: 2\n" });
    shop.git("update-ref", `refs/pairflow/${id}/round-009-t99`, tree);
    expect(await verdict(true)).toBe("stops");
    shop.git("update-ref", "-d", `refs/pairflow/${id}/round-009-t99`);
    expect(await verdict(true)).toBe("same");
  });

  it("is seen in verify, which never says rm", () => {
    put(lines.slice(0, 20), false);
    const { code, stderr } = shop.run("verify", "--id", id);
    expect(code).toBe(1);
    expect(stderr).toContain("it was cut off");
    put([], false);
    const emptied = shop.run("verify", "--id", id);
    expect(emptied.code).toBe(1);
    expect(stderr + emptied.stderr + shop.run("bubble", "status", "--id", id).stderr).not.toMatch(/\brm\b/);
  });
});

describe("a moved line", () => {
  it("is called moved, a changed one changed, a copied one copied", () => {
    const says = (changed: readonly Buffer[]) => {
      put(changed, false);
      return shop.json("verify", "--id", id).bubbles[0];
    };
    const swapped = lines.with(8, lines[9] as Buffer).with(9, lines[8] as Buffer);
    expect(says(swapped)).toMatchObject({
      verdict: "damaged",
      errors: [{ line: 10, message: "was moved: line 9 builds on it and stands above it" }],
    });
    const edited = lines.with(8, Buffer.from(lines[8]?.toString().replace("2026-01-05", "2026-01-06") ?? ""));
    expect(says(edited).errors[0].message).toContain("was changed after it was written");
    const inBatch = lines.findIndex((line) => line.includes('"i":1,"n":'));
    const copied = lines.toSpliced(inBatch, 0, lines[inBatch] as Buffer);
    expect(says(copied).errors[0].message).toContain(`is a copy of line ${inBatch + 1}`);
  });
});
