// Records on a real nats-server against the one contract, and as two hosts see them.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
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
  return {
    records: open(root),
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
    expect(readFileSync(onA.path("b1", "round-001.diff")).equals(large)).toBe(true);
    expect(existsSync(onB.path("b1", "messages/001.md"))).toBe(false);
    expect(readFileSync(await onB.here("b1", "messages/001.md"), "utf8")).toBe("small");
    await onA.put("b1", "only-on-a.diff", large);
    expect(readFileSync(await onB.here("b1", "only-on-a.diff")).equals(large)).toBe(true);
    expect(existsSync(await onB.here("b1", "never.diff"))).toBe(false);

    const head = buildHead(3, 100);
    await onA.save("b1", { state: buildState("b1", 3), head }, buildSummary("b1"));
    expect(await onB.load("b1")).toBeUndefined();
    expect((await onB.summaries())[0]?.summary?.title).toBe("A title");

    await onB.archive("b1");
    expect(closed).toEqual(["b1"]);
    expect([await onA.exists("b1"), await onA.load("b1")]).toEqual([false, undefined]);
    await onA.create("b1");
    expect(await onA.get("b1", "messages/001.md")).toBeUndefined();
    expect(await onB.get("b1", "round-001-2.diff")).toBeUndefined();
    a.remove();
    b.remove();
  });
});
