// Records on a real nats-server against the one contract, and as two hosts see them.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import { openRecordBuckets } from "../../src/adapters/records/nats/buckets.ts";
import { createNatsRecords } from "../../src/adapters/records/nats/records.ts";
import {
  buildHead,
  buildRecordsContract,
  buildState,
  buildSummary,
  type RecordsRig,
} from "../../src/testing/contracts/records.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

let server: RunningServer;
let projects = 0;

async function openProject() {
  projects += 1;
  const buckets = await openRecordBuckets(server.js, { project: `p${projects}`, replicas: 1 });
  const lengths = new Map<string, number>();
  const patiently = createPatience({ server: server.url, forMs: 3000 });
  const closed: string[] = [];
  const open = (root: string) =>
    createNatsRecords({
      ...{ buckets, patiently, local: createFileRecords({ root }), notes: join(root, ".pairflow", "store") },
      lengthsOf: async () => lengths,
      closeLog: async (bubble) => void closed.push(bubble),
    });
  return { open, lengths, closed };
}

async function onServer(): Promise<RecordsRig> {
  const { root, remove } = scratch();
  const { open, lengths } = await openProject();
  const cacheOf = (bubble: string) => join(root, ".pairflow", "bubbles", bubble, "state.json");
  const records = open(root);
  return {
    records,
    settle: records.settle,
    again: () => open(root),
    spoil: async (bubble, change) =>
      writeFileSync(cacheOf(bubble), change(readFileSync(cacheOf(bubble), "utf8"))),
    growLog: async (bubble, length) => void lengths.set(bubble, length),
    close: async () => remove(),
  };
}

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract(
    "records on a server",
    buildRecordsContract(onServer, {
      exceptions: [
        {
          promise: "S1",
          scenario: "the cache of another bubble",
          because: "a list is read from the server, which no cache of a host can spoil",
        },
      ],
    }),
  );

  test("what one host stored another one reads, small and large; its folder is its own", async () => {
    const { open, closed } = await openProject();
    const [a, b] = [scratch(), scratch()];
    const [onA, onB] = [open(a.root), open(b.root)];
    await onA.create("b1");
    await onA.writeConfig("b1", 'id = "b1"\n');
    const large = Buffer.alloc(300_000, "x\n");
    await onA.put("b1", "messages/001.md", "small");
    const { sha256 } = await onA.put("b1", "round-001.diff", large);
    expect(await onB.exists("b1")).toBe(true);
    expect(await onB.readConfig("b1")).toBe('id = "b1"\n');
    expect(Buffer.from((await onB.get("b1", "messages/001.md")) ?? []).toString()).toBe("small");
    expect(Buffer.from((await onB.get("b1", "round-001.diff")) ?? []).equals(large)).toBe(true);
    expect(await onB.hash("b1", "round-001.diff")).toBe(sha256);
    expect(await onB.names("b1", "messages")).toEqual(["messages/001.md"]);
    expect((await onB.put("b1", "round-001.diff", "other")).name).toBe("round-001-2.diff");
    expect(readFileSync(await onA.here("b1", "round-001.diff")).equals(large)).toBe(true);
    expect(existsSync(onB.path("b1", "messages/001.md"))).toBe(false);
    expect(readFileSync(await onB.here("b1", "messages/001.md"), "utf8")).toBe("small");
    await onA.put("b1", "only-on-a.diff", large);
    expect(readFileSync(await onB.here("b1", "only-on-a.diff")).equals(large)).toBe(true);
    expect(existsSync(await onB.here("b1", "never.diff"))).toBe(false);

    const head = buildHead(3, 100);
    await onA.save("b1", { state: buildState("b1", 3), head }, buildSummary("b1"));
    expect(await onB.load("b1")).toBeUndefined();
    await onA.settle();
    expect((await onB.summaries())[0]?.summary?.title).toBe("A title");

    await onB.archive("b1");
    expect(closed).toEqual(["b1"]);
    expect(await onA.exists("b1")).toBe(false);
    expect(await (await onA.load("b1"))?.isStillOpen?.()).toBe(false);
    await onA.create("b1");
    expect(await onA.get("b1", "messages/001.md")).toBeUndefined();
    expect(await onB.get("b1", "round-001-2.diff")).toBeUndefined();
    a.remove();
    b.remove();
  });

  test("a copy that a power cut tore, or somebody changed, is not what a prompt names", async () => {
    const { open } = await openProject();
    const { root, remove } = scratch();
    const records = open(root);
    await records.create("b1");
    await records.put("b1", "prompts/t1.md", "Do it.");
    const path = await records.here("b1", "prompts/t1.md");
    for (const torn of ["", "Do"]) {
      rmSync(path);
      writeFileSync(path, torn);
      expect(readFileSync(await records.here("b1", "prompts/t1.md"), "utf8")).toBe("Do it.");
      expect(readFileSync(await open(root).here("b1", "prompts/t1.md"), "utf8")).toBe("Do it.");
    }
    rmSync(path);
    expect(readFileSync(await records.here("b1", "prompts/t1.md"), "utf8")).toBe("Do it.");
    remove();
  });

  test("a cache that waited for its time is written when nothing more comes", async () => {
    const { open } = await openProject();
    const { root, remove } = scratch();
    const records = open(root);
    await records.create("b1");
    records.pace?.(60_000);
    for (const seq of [3, 4])
      await records.save(
        "b1",
        { state: buildState("b1", seq), head: buildHead(seq, 100) },
        buildSummary("b1"),
      );
    expect((await open(root).load("b1"))?.head.seq).toBe(3);
    records.pace?.(0);
    expect((await open(root).load("b1"))?.head.seq).toBe(4);
    remove();
  });

  test("an older record's last word leaves the folder of the next one alone", async () => {
    const { open } = await openProject();
    const { root, remove } = scratch();
    const [late, next] = [open(root), open(root)];
    await late.create("b1");
    await next.archive("b1");
    await next.create("b1");
    await next.put("b1", "task.md", "the next one");
    await next.save("b1", { state: buildState("b1", 1), head: buildHead(1, 10) }, buildSummary("b1"));
    await late.save("b1", { state: buildState("b1", 9), head: buildHead(9, 90) }, buildSummary("b1"));
    await late.put("b1", "task.md", "of the one before");
    await late.settle();
    await next.settle();
    expect(await late.view("b1", "inbox.ndjson", "old")).toMatch(/another record/);
    expect((await open(root).load("b1"))?.head.seq).toBe(1);
    expect(readFileSync(next.path("b1", "task.md"), "utf8")).toBe("the next one");
    expect(Buffer.from((await next.get("b1", "task.md")) ?? []).toString()).toBe("the next one");
    remove();
  });
});
