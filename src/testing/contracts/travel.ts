// What every way of travelling must keep: the promises are the sentences of ports/record/travel.ts.
import assert from "node:assert/strict";
import type { Travel, TravellingPin } from "../../ports/record/travel.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import { assertFailsWith, defineContract } from "./contract.ts";

export interface TravelHost {
  readonly travel: Travel;
  readonly place: WorkspacePlace;
  /** Pins a new state of the files. */
  pin(name: string, text: string): Promise<TravellingPin>;
  /** All refs and remotes of the repository, for comparing. */
  refs(): Record<string, string>;
  /** The file's text at a commit. */
  textAt(commit: string): string;
}

export interface TravelRig {
  readonly from: TravelHost;
  /** A clone on another machine that has the base. */
  readonly to: TravelHost;
  /** One that was cloned before the base was made. */
  readonly behind: TravelHost;
  /** Replaces what was published of a commit by other bytes. */
  spoil(pin: TravellingPin): Promise<void>;
  close(): Promise<void>;
}

const V1 = "V1 what publish has returned for can be fetched by every machine whose clone has the base commit";
const V2 =
  "V2 what was fetched is the same commit under the same ref, durable; anything else is a failure and changes no ref";
const V3 = "V3 either of them done twice is done once";
const V4 = "V4 no branch, no tag and no setting of a remote is touched";

/** The cases for one adapter. */
export const buildTravelContract = defineContract<TravelRig>([
  [V1, "one state after the other", checkFetched],
  [V2, "unknown, damaged, or without its base", checkFailures],
  [V3, "published twice and fetched twice", checkTwice],
  [V4, "only the bubble's own refs change", checkRefs],
]);

async function checkFetched({ from, to }: TravelRig): Promise<void> {
  for (const [name, text] of [
    ["round-1", "one\n"],
    ["round-2", "two\n"],
  ] as const) {
    const pin = await from.pin(name, text);
    await from.travel.publish(from.place, pin);
    await to.travel.fetch(to.place, pin);
    assert.equal(to.refs()[pin.ref], pin.commit);
    assert.equal(to.textAt(pin.commit), text);
  }
}

async function checkFailures({ from, to, behind, spoil }: TravelRig): Promise<void> {
  const pin = await from.pin("round-1", "one\n");
  await assertFailsWith("travel.unknown", () => to.travel.fetch(to.place, pin));
  await from.travel.publish(from.place, pin);
  await assertFailsWith("travel.base-missing", () => behind.travel.fetch(behind.place, pin));
  await spoil(pin);
  await assertFailsWith("travel.damaged", () => to.travel.fetch(to.place, pin));
  assert.equal(to.refs()[pin.ref], undefined);
}

async function checkTwice({ from, to }: TravelRig): Promise<void> {
  const pin = await from.pin("round-1", "one\n");
  for (let i = 0; i < 2; i += 1) await from.travel.publish(from.place, pin);
  for (let i = 0; i < 2; i += 1) await to.travel.fetch(to.place, pin);
  assert.equal(to.textAt(pin.commit), "one\n");
}

async function checkRefs({ from, to }: TravelRig): Promise<void> {
  const before = [from.refs(), to.refs()];
  const pin = await from.pin("round-1", "one\n");
  await from.travel.publish(from.place, pin);
  await to.travel.fetch(to.place, pin);
  const isOwn = (ref: string) => ref.startsWith("refs/pairflow/");
  const after = [from.refs(), to.refs()].map((refs) =>
    Object.fromEntries(Object.entries(refs).filter(([ref]) => !isOwn(ref))),
  );
  assert.deepEqual(after, before);
}
