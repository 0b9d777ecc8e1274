// The log as the page asks for it: any part of it, all lines or those of one type, without the whole being held.
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { LogPage } from "../../src/core/views/page/log.ts";
import { type Rig, rig } from "../acceptance/rig.ts";
import { underReview } from "../core/pair.ts";
import { lengthen, retell, type Told, writeRecord } from "../helpers/record-files.ts";
import { bodyOf, type TestSite, testSite } from "./site.ts";

let tool: Rig;
let page: TestSite;
let told: Told;

beforeAll(async () => {
  tool = rig();
  told = lengthen(retell(underReview(), "talk", new Date().toISOString()), 3000);
  await writeRecord(tool.repo, "talk", told);
  page = testSite([{ name: "shop", path: tool.repo }]);
});
afterAll(async () => {
  page.close();
  await tool.close();
});

const read = async (query: Record<string, string | number>): Promise<LogPage> => {
  const words = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) words.set(key, String(value));
  return bodyOf(await page.get(`/api/b/shop/talk/log?${words}`));
};
const numbersOf = (lines: readonly { readonly seq: number }[]) => lines.map(({ seq }) => seq);

it.each<[string, { before?: number; type?: Envelope["type"] }]>([
  ["the newest", {}],
  ["those before any line", { before: 1500 }],
  ["the first", { before: 5 }],
  ["those before the last", { before: 3000 }],
  ["those of one type", { type: "EVENT" }],
  ["those of one type before a line", { type: "EVENT", before: 1000 }],
  ["few of a type, far back", { type: "STEP_ADVANCED" }],
  ["none of a type", { type: "COMMITTED" }],
])("%s are what the record says there", async (_, wish) => {
  const fitting = told.log.filter(({ type }) => wish.type === undefined || type === wish.type);
  const earlier = fitting.filter(({ seq }) => seq < (wish.before ?? 3001));
  const later = fitting.slice(earlier.length);
  const rows = earlier.slice(-200);
  const shown = await read(wish);
  expect(numbersOf(shown.rows)).toEqual(numbersOf(rows));
  expect(shown.before).toBe(earlier.length > 200 ? rows[0]?.seq : null);
  expect(shown.later).toBe(later.length > 0 ? (later[Math.min(later.length, 200) - 1]?.seq ?? 0) + 1 : null);
  expect(shown.rows.at(-1)?.raw.payload).toEqual(rows.at(-1)?.payload);
  expect(shown.types).toEqual([...new Set(told.log.map(({ type }) => type))].sort());
});
