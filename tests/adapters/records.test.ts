// Every records adapter against the one contract, and what is particular to files: their names, shapes and speed.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import {
  buildHead,
  buildRecordsContract,
  buildState,
  buildSummary,
  type RecordsRig,
} from "../../src/testing/contracts/records.ts";
import { createMemoryRecords } from "../memory/records.ts";
import { scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

async function inFiles(): Promise<RecordsRig> {
  const { root, remove } = scratch();
  const file = (bubble: string, name: string) => join(root, ".pairflow", "bubbles", bubble, name);
  return {
    records: createFileRecords({ root }),
    again: () => createFileRecords({ root }),
    spoil: async (bubble, change) => {
      const text = readFileSync(file(bubble, "state.json"), "utf8");
      writeFileSync(file(bubble, "state.json"), change(text));
    },
    growLog: async (bubble, length) => writeFileSync(file(bubble, "transcript.ndjson"), "x".repeat(length)),
    close: async () => remove(),
  };
}

async function inMemory(): Promise<RecordsRig> {
  const lengths = new Map<string, number>();
  const records = createMemoryRecords({ logSize: (bubble) => lengths.get(bubble) ?? 0 });
  const growLog = async (bubble: string, length: number) => void lengths.set(bubble, length);
  return { records, again: () => records, growLog, close: async () => {} };
}

const nobodySpoils = "nobody edits memory behind the adapter's back";

runContract("file records", buildRecordsContract(inFiles));
runContract(
  "memory records",
  buildRecordsContract(inMemory, {
    exceptions: [
      { promise: "S1", scenario: "cut, edited or garbage", because: nobodySpoils },
      { promise: "S1", scenario: "the cache of another bubble", because: nobodySpoils },
    ],
  }),
);

test("the contract speaks the port's own sentences", () => {
  const port = readFileSync(new URL("../../src/ports/record/records.ts", import.meta.url), "utf8");
  const spoken = new Set(buildRecordsContract(inFiles).map((one) => one.promise));
  expect([...port.matchAll(/^ \* ([SB]\d .*)$/gm)].map((match) => match[1])).toEqual(
    [...spoken].filter((promise) => /^[SB]\d /.test(promise)),
  );
});

describe("as files", () => {
  let folder: ReturnType<typeof scratch>;
  let bubble: string;
  const warnings: string[] = [];
  const records = () =>
    createFileRecords({ root: folder.root, onWarning: (message) => warnings.push(message) });

  beforeEach(async () => {
    warnings.length = 0;
    folder = scratch();
    bubble = join(folder.root, ".pairflow", "bubbles", "b1");
    await records().create("b1");
  });
  afterEach(() => folder.remove());

  test("state.json is JSON with the specification's fields at its top, and its first line alone is the summary", async () => {
    await records().save("b1", { state: buildState("b1", 7), head: buildHead(7, 100) }, buildSummary("b1"));
    const text = readFileSync(join(bubble, "state.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({
      state: "RUNNING",
      active_agent: "codex",
      active_since: "2026-01-02T03:04:05.678Z",
      active_role: "implementer",
      round: 2,
      round_role_history: [{ round: 1, implementer: "codex" }],
      last_command_at: "2026-01-02T03:04:05.678Z",
      seq: 7,
      offset: 100,
    });
    expect(JSON.parse(`${text.split("\n")[0]?.slice(0, -1)}}`).summary).toEqual(buildSummary("b1"));
  });

  test("a bubble without a turn shows nobody at work", async () => {
    const { turn: _turn, ...idle } = buildState("b1", 7);
    await records().save("b1", { state: idle, head: buildHead(7, 100) }, buildSummary("b1"));
    const told = JSON.parse(readFileSync(join(bubble, "state.json"), "utf8"));
    expect(told).toMatchObject({ active_agent: null, active_role: null, active_since: null });
  });

  test("a cache that cannot be written is a warning", async () => {
    mkdirSync(join(bubble, "state.json"));
    await records().save("b1", { state: buildState("b1", 7), head: buildHead(7, 100) }, buildSummary("b1"));
    expect(warnings).toEqual([expect.stringContaining("state.json could not be written")]);
    expect(await records().load("b1")).toBeUndefined();
    expect(readdirSync(bubble)).toEqual(["artifacts", "state.json"]);
  });

  test("artifacts are read-only files, and nothing else is left in their folder", async () => {
    await records().put("b1", "messages/001.md", "one");
    await records().put("b1", "messages/001.md", "two");
    const messages = join(bubble, "artifacts", "messages");
    expect(readdirSync(messages).sort()).toEqual(["001-2.md", "001.md"]);
    expect(statSync(join(messages, "001.md")).mode & 0o222).toBe(0);
    expect(records().path("b1", "messages/001.md")).toBe(join(messages, "001.md"));
  });

  test("a link planted among the artifacts leads nowhere", async () => {
    const outside = join(folder.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "secret"), "secret");
    symlinkSync(outside, join(bubble, "artifacts", "away"));
    symlinkSync(join(outside, "secret"), join(bubble, "artifacts", "secret.md"));
    await expect(records().put("b1", "away/note.md", "x")).rejects.toMatchObject({
      code: "artifact.outside",
    });
    expect(await records().get("b1", "away/secret")).toBeUndefined();
    expect(await records().get("b1", "secret.md")).toBeUndefined();
    expect((await records().put("b1", "secret.md", "mine")).name).toBe("secret-2.md");
    expect(readdirSync(outside)).toEqual(["secret"]);
  });

  test("an archived bubble is whole where it went", async () => {
    const { sha256 } = await records().put("b1", "note.md", "kept");
    const place = await records().archive("b1");
    expect(place).toBe(join(folder.root, ".pairflow", "archive", "b1"));
    const bytes = readFileSync(join(place, "artifacts", "note.md"));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(sha256);
    expect(existsSync(bubble)).toBe(false);
  });

  test("a thousand bubbles are listed in a moment", async () => {
    const bubbles = dirname(bubble);
    const kept = records();
    await kept.save("b1", { state: buildState("b1", 7), head: buildHead(7, 0) }, buildSummary("b1"));
    for (let i = 0; i < 1000; i += 1) {
      const id = `many-${i}`;
      mkdirSync(join(bubbles, id));
      writeFileSync(join(bubbles, id, "transcript.ndjson"), "");
      await kept.save(id, { state: buildState(id, 7), head: buildHead(7, 0) }, buildSummary(id));
    }
    const began = performance.now();
    const listed = await records().summaries();
    const ms = performance.now() - began;
    expect(listed.filter((one) => one.summary && !one.stale)).toHaveLength(1001);
    console.log(`1,000 bubbles listed in ${ms.toFixed(0)} ms`);
    expect(ms).toBeLessThan(1000);

    // From now on an index answers for the bubbles whose logs have not changed since, and for no other.
    const index = join(folder.root, ".pairflow", "runtime", "summaries.json");
    const again = await records().summaries();
    expect(again).toEqual(listed);
    rmSync(join(bubbles, "many-1", "state.json"));
    writeFileSync(join(bubbles, "many-2", "transcript.ndjson"), "x");
    utimesSync(join(bubbles, "many-3", "transcript.ndjson"), 1, 1);
    rmSync(join(bubbles, "many-3", "state.json"));
    rmSync(join(bubbles, "many-4"), { recursive: true });
    const changed = new Map((await records().summaries()).map((one) => [one.id, one]));
    expect(changed.get("many-1")).toEqual({ id: "many-1", summary: buildSummary("many-1"), stale: false });
    expect(changed.get("many-2")?.stale).toBe(true);
    expect(changed.get("many-3")).toEqual({ id: "many-3", stale: true });
    expect(changed.has("many-4")).toBe(false);
    writeFileSync(index, readFileSync(index, "utf8").replace('"many-1"', '"many-9"'));
    const edited = (await records().summaries()).find(({ id }) => id === "many-1");
    expect(edited).toEqual({ id: "many-1", stale: true });
  });
});
