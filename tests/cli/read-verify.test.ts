// pairflow verify: what a changed record gives away, and what is no change.
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { chainLines, hashOf } from "../../src/adapters/log/line.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(async () => {
  shop = openShop();
  const cart = await shop.bubble("fix-cart");
  await cart.asksForApproval();
  await cart.isApproved();
  await cart.isCommitted();
});
afterEach(() => shop.close());

const transcript = () => shop.file("fix-cart", "transcript.ndjson");
const lines = () => readFileSync(transcript(), "utf8").trimEnd().split("\n");
const write = (all: readonly string[]) => writeFileSync(transcript(), `${all.join("\n")}\n`);

/** The session without the hash, which differs from run to run with the folder's name. */
function verify(...flags: string[]): string {
  return shop
    .session("verify", "--id", "fix-cart", ...flags)
    .replace(/· [0-9a-f]{4} [0-9a-f]{4}/g, "· <hash>");
}

it("prints the head to compare, and counts the artifacts", async () => {
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✓ fix-cart   good   head 47 · <hash>   20 artifacts
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    "
  `);
  const [bubble] = shop.json("verify").bubbles;
  const aboutGit = { message: expect.stringContaining("begins with 3f2a1c9, which is no commit of git") };
  expect(bubble).toMatchObject({
    bubble: "fix-cart",
    ok: true,
    head: { seq: 47 },
    errors: [],
    notes: [aboutGit],
  });
  expect(bubble.head.hash).toMatch(/^[0-9a-f]{64}$/);
});

it("checks all bubbles when none is named", async () => {
  await shop.bubble("other");
  writeFileSync(shop.file("other", "state.json"), "garbage");
  const shown = shop.session("verify").replace(/· [0-9a-f]{4} [0-9a-f]{4}/g, "· <hash>");
  expect(shown).toMatchInlineSnapshot(`
    "
    ✓ fix-cart   good     head 47 · <hash>   20 artifacts
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    ✗ other      broken   head 1 · <hash>    2 artifacts
    Refused: the record of other is not as written (verify.broken)
      other: state.json is not as it was written; it is only a cache and can be put aside
    Hint: mv <folder>/shop/.pairflow/bubbles/other/state.json <folder>/shop/.pairflow/bubbles/other/state.json.old
    [exit 1]
    "
  `);
});

it("finds an edited line, though everything after it is untouched", () => {
  write(lines().map((line, i) => (i === 8 ? line.replace("Apply discount", "Ignore discount") : line)));
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✗ fix-cart   damaged   good up to 8 · <hash>   3 artifacts
        37 lines behind it do not count because of it
    Refused: the record of fix-cart is not as written (verify.broken)
      fix-cart: line 9 was changed after it was written: line 10 follows from another version of it
    Hint: pairflow bubble salvage --id fix-cart
    [exit 1]
    "
  `);
});

it("finds a line that was made unreadable", () => {
  write(lines().map((line, i) => (i === 8 ? line.slice(0, -5) : line)));
  expect(shop.json("verify", "--id", "fix-cart").bubbles[0].errors[0]).toEqual({
    line: 9,
    message: "is damaged (not JSON), and line 10 builds on it",
  });
});

it("finds a line that was taken out", () => {
  write(lines().filter((_, i) => i !== 8));
  expect(shop.json("verify", "--id", "fix-cart").bubbles[0].errors[0]).toEqual({
    line: 9,
    message: "follows from a line that is gone: it has seq 10, the one before it 8",
  });
});

it("finds a record that was cut off, by its cache", () => {
  write(lines().slice(0, 40));
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✗ fix-cart   damaged   good up to 37 · <hash>   16 artifacts
        line 38 does not count: torn: part 1 of 4 of a batch that is not whole
        line 39 does not count: torn: part 2 of 4 of a batch that is not whole
        line 40 does not count: torn: part 3 of 4 of a batch that is not whole
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    Refused: the record of fix-cart is not as written (verify.broken)
      fix-cart: the transcript ends at message 37, but message 47 was there before: it was cut off
      fix-cart: the transcript: it ends at message 37, but messages/045-human-decision.md was written behind message 44: it was cut off
    Hint: pairflow bubble salvage --id fix-cart
    [exit 1]
    "
  `);
});

it("finds a last line that was changed, by its cache", () => {
  write(
    lines().map((line, i, all) =>
      i === all.length - 1 ? line.replace(/"ts":"[^"]*"/, '"ts":"2026-02-02T00:00:00.000Z"') : line,
    ),
  );
  expect(shop.json("verify", "--id", "fix-cart").bubbles[0].errors[0].message).toContain(
    "is not the one state.json was made from",
  );
});

it("a torn line and the loser of a race are notes, not errors", () => {
  const all = lines();
  const loser = JSON.parse(all[8] ?? "");
  const torn = '{"v":1,"seq":10,"id"';
  write([...all.slice(0, 9), JSON.stringify({ ...loser, id: "msg_late" }), torn, ...all.slice(9)]);
  rmSync(shop.file("fix-cart", "state.json"));
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✓ fix-cart   good   head 47 · <hash>   20 artifacts
        line 10 does not count: seq 9 where 10 is due
        line 11 does not count: not JSON
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    "
  `);
});

it("the killed loser of a race for the last place is a note, however many lines it wrote", async () => {
  await (await shop.bubble("other")).starts();
  const path = shop.file("other", "transcript.ndjson");
  const all = readFileSync(path, "utf8").trimEnd().split("\n");
  const before = all.slice(0, 3);
  const claim = JSON.parse(before[2] ?? "");
  const [winner] = chainLines(
    [{ ...claim, seq: 4, batch: { id: "winner", i: 0, n: 1 } }],
    3,
    hashOf(Buffer.from(before[2] ?? "")),
  );
  writeFileSync(path, `${[...before, winner?.bytes, ...all.slice(3)].join("\n")}\n`);
  rmSync(shop.file("other", "state.json"));
  const [bubble] = shop.json("verify", "--id", "other").bubbles;
  expect(bubble).toMatchObject({ ok: true, head: { seq: 4 } });
  expect(bubble.notes.map((note: { line: number }) => note.line)).toEqual([5, 6, 7]);
});

it("finds artifacts that are gone or not what was signed", () => {
  rmSync(shop.file("fix-cart", "artifacts/round-001.diff"));
  rmSync(shop.file("fix-cart", "artifacts/done-package.md"));
  writeFileSync(shop.file("fix-cart", "artifacts/done-package.md"), "something else\n");
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✗ fix-cart   broken   head 47 · <hash>   20 artifacts
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    Refused: the record of fix-cart is not as written (verify.broken)
      fix-cart: message 10 (HANDOFF) names the artifact round-001.diff, which is not there
      fix-cart: message 43 (DONE_PACKAGE) names done-package.md with another hash: <folder>/shop/.pairflow/bubbles/fix-cart/artifacts/done-package.md was changed after it was written
    [exit 1]
    "
  `);
});

it("a cache that says something else is an error, and can be deleted", () => {
  const path = shop.file("fix-cart", "state.json");
  writeFileSync(path, readFileSync(path, "utf8").replace("DONE", "RUNNING"));
  expect(verify()).toMatchInlineSnapshot(`
    "
    ✗ fix-cart   broken   head 47 · <hash>   20 artifacts
        the record begins with 3f2a1c9, which is no commit of git; what it names there was not looked up
    Refused: the record of fix-cart is not as written (verify.broken)
      fix-cart: state.json is not as it was written; it is only a cache and can be put aside
    Hint: mv <folder>/shop/.pairflow/bubbles/fix-cart/state.json <folder>/shop/.pairflow/bubbles/fix-cart/state.json.old
    [exit 1]
    "
  `);
  // What a power cut leaves of a file that nobody synced.
  for (const left of ["", "\0".repeat(4096)]) {
    writeFileSync(path, left);
    expect(shop.run("verify", "--id", "fix-cart").code).toBe(0);
  }
  rmSync(path);
  expect(shop.run("verify", "--id", "fix-cart").code).toBe(0);
});

it("--json has the whole report and the same exit code", () => {
  appendFileSync(transcript(), "torn");
  truncateSync(transcript(), 100);
  const ran = shop.run("verify", "--id", "fix-cart", "--json");
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout)).toMatchObject({
    ok: false,
    error: { kind: "refusal", code: "verify.broken" },
  });
});
