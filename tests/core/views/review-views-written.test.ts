// The review views on a disk: replaced at once, made from the transcript alone, and never in the way of the run.
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFileRecords } from "../../../src/adapters/records/file.ts";
import type { Envelope } from "../../../src/core/model/record/envelope.ts";
import { writeReviewViews } from "../../../src/engine/views/reviews.ts";
import type { RecordWorld } from "../../../src/engine/world/world.ts";
import { Failure } from "../../../src/ports/failure.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { record } from "../../helpers/recorded.ts";
import { createMemoryLog } from "../../memory/log.ts";
import { p1, pair } from "../pair.ts";

let root: string;
let world: RecordWorld;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pf-views-"));
  let ids = 0;
  world = {
    log: createMemoryLog(),
    records: createFileRecords({ root }),
    clock: { now: () => "2026-02-21T10:00:00.000Z", sleep: async () => {} },
    chance: { id: () => `id${++ids}`, secret: () => "secret", uuid: () => `uuid-${++ids}` },
    redaction: { redact: (text: string) => text },
    crashPoint: () => {},
  } as unknown as RecordWorld;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const artifact = (name: string) => join(root, ".pairflow", "bubbles", "cart", "artifacts", name);
const text = (name: string) => readFileSync(artifact(name), "utf8");
const logText = () => text("review-logs/cart.json");

const oneReview = () =>
  pair({ config: { review: { require_evidence: false } } })
    .started()
    .implements("T1")
    .reviews({ findings: [p1] });
const threeReviews = () =>
  oneReview()
    .implements("T2")
    .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed" }] })
    .reviews();

async function played(scene: Scenario): Promise<void> {
  await record(world, scene.log);
  await writeReviewViews(world, "cart", "d1");
}

async function warnings(): Promise<string[]> {
  const found: Envelope[] = [];
  for await (const batch of world.log.read("cart")) found.push(...batch.envelopes);
  return found.flatMap((line) =>
    line.type === "WARNING" ? [`${line.sender} ${line.payload.code} ${line.payload.message}`] : [],
  );
}

it("writes one log for the bubble and one file for each critic", async () => {
  await played(threeReviews());
  expect(JSON.parse(logText()).iterations).toHaveLength(3);
  expect(JSON.parse(text("review-bob.json"))).toMatchObject({ model: "bob", status: "approved" });
  expect(JSON.parse(text("review-alice.json"))).toMatchObject({ model: "alice", status: "approved" });
  expect(await warnings()).toEqual([]);
});

it("each new version of the log begins with the iterations of the one before", async () => {
  const head = await record(world, oneReview().log);
  await writeReviewViews(world, "cart", "d1");
  const first = JSON.parse(logText());
  await record(world, threeReviews().log, head);
  await writeReviewViews(world, "cart", "d1");
  expect(JSON.parse(logText()).iterations.slice(0, 1)).toEqual(first.iterations);
  expect(first.iterations).toHaveLength(1);
});

it("replaces a view at once: whoever has the old one open reads it whole, and nothing is left beside it", async () => {
  const head = await record(world, oneReview().log);
  await writeReviewViews(world, "cart", "d1");
  const before = logText();
  const old = openSync(artifact("review-logs/cart.json"), "r");
  await record(world, threeReviews().log, head);
  await writeReviewViews(world, "cart", "d1");
  expect(readFileSync(old, "utf8")).toBe(before);
  expect(logText()).not.toBe(before);
  closeSync(old);
  expect(readdirSync(artifact("review-logs"))).toEqual(["cart.json"]);
});

it("writes a damaged or deleted view anew from the transcript and never reads it back", async () => {
  await played(threeReviews());
  const whole = logText();
  const damages = [
    () => writeFileSync(artifact("review-logs/cart.json"), whole.slice(0, 40)),
    () => writeFileSync(artifact("review-logs/cart.json"), whole.replaceAll("NO_GO", "GO")),
    () => rmSync(artifact("review-logs"), { recursive: true }),
  ];
  for (const damage of damages) {
    damage();
    await writeReviewViews(world, "cart", "d1");
    expect(logText()).toBe(whole);
  }
});

it("a view that cannot be written is a warning on the record, once, and the others are written", async () => {
  await record(world, threeReviews().log);
  mkdirSync(artifact("review-logs/cart.json"), { recursive: true });
  await writeReviewViews(world, "cart", "d1");
  await writeReviewViews(world, "cart", "d1");
  expect(await warnings()).toEqual([
    expect.stringMatching(
      /^orchestrator view\.unwritable review-logs\/cart\.json could not be written: EISDIR: [^/]*$/,
    ),
  ]);
  expect(JSON.parse(text("review-bob.json"))).toMatchObject({ status: "approved" });
});

it("a view comes back as soon as it can be written again", async () => {
  await record(world, threeReviews().log);
  writeFileSync(artifact("review-logs"), "in the way");
  await writeReviewViews(world, "cart", "d1");
  expect(await warnings()).toHaveLength(1);
  rmSync(artifact("review-logs"));
  await writeReviewViews(world, "cart", "d1");
  expect(JSON.parse(logText()).iterations).toHaveLength(3);
});

it("does not stop the run when not even the warning can be written", async () => {
  await record(world, threeReviews().log);
  writeFileSync(artifact("review-logs"), "in the way");
  const full = { ...world.log, append: () => Promise.reject(new Failure("log.disk-full", "no room")) };
  await expect(writeReviewViews({ ...world, log: full }, "cart", "d1")).resolves.toBeUndefined();
});

it("does not take an artifact's place", async () => {
  await record(world, threeReviews().log);
  await world.records.put("cart", "review-bob.json", "handed in");
  await writeReviewViews(world, "cart", "d1");
  expect(text("review-bob.json")).toBe("handed in");
  expect(await warnings()).toEqual([expect.stringContaining("an artifact has this name")]);
});
