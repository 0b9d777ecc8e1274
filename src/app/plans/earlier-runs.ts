// What runs of the same kind took in this repository, so that a person knows what to expect of the next one.
import type { DoorName } from "../../core/plan/door.ts";
import { buildUsageView } from "../../core/views/bubble/usage.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { loadState } from "../record/bubble.ts";
import { type ListedBubble, listBubbles } from "../record/listing.ts";

export interface EarlierRuns {
  readonly count: number;
  /** Of agents at work, smallest and largest. */
  readonly minutes: readonly [number, number];
  readonly tokens: readonly [number, number];
  /** Where all of them have a figure in money. */
  readonly usd?: readonly [number, number];
}

const workflows: Readonly<Record<DoorName, string>> = {
  bubble: "pair",
  auto: "auto",
  pipeline: "pipeline",
};

/** The newest few say more than all. */
const looksAt = 5;

/** Undefined where none has a commit yet. */
export async function readEarlierRuns(
  world: RecordWorld,
  door: DoorName,
  now: string,
): Promise<EarlierRuns | undefined> {
  const isAlike = ({ summary }: ListedBubble) =>
    summary?.state === "DONE" && summary.workflow === workflows[door] && summary.parent === undefined;
  const alike = (await listBubbles(world)).filter(isAlike);
  const newest = alike.sort((a, b) => ((a.summary?.at ?? "") < (b.summary?.at ?? "") ? 1 : -1));
  const used = await Promise.all(
    newest.slice(0, looksAt).map(async ({ id }) => buildUsageView(await loadState(world, id), now)),
  );
  if (used.length === 0) return undefined;
  const money = used.flatMap(({ usd }) => (usd === null ? [] : [usd]));
  return {
    count: used.length,
    minutes: findRange(used.map(({ minutes }) => minutes)),
    tokens: findRange(used.map(({ tokens }) => tokens.input + tokens.output)),
    ...(money.length === used.length ? { usd: findRange(money) } : {}),
  };
}

const findRange = (values: readonly number[]): readonly [number, number] => [
  Math.min(...values),
  Math.max(...values),
];
