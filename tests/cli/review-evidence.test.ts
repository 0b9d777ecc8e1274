// pairflow review evidence: by which places the reviews of a bubble decided, looked up in the tree to be committed.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { expectShown } from "../helpers/shown.ts";
import { byCriterion } from "../reviews/answers.ts";
import { asFile, reviewing, runBubble, speak } from "../reviews/stamped.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it("names place, quote, who and what it is for, and says that it holds", { timeout: 90_000 }, async () => {
  speak(tool, { dialect: "decision" });
  const checked = byCriterion.map(({ for: [id], file, line, why }) => `${id} ${file}:${line} ${why}`);
  const second = reviewing({ converge: { summary: "Nothing is left to find", checked } });
  const done = await runBubble(tool, "cart", { first: reviewing(asFile("decision")), second });
  expect(done).toMatchObject({ state: "READY_FOR_APPROVAL" });
  const text = await tool.ok("review", "evidence", "--id", "cart");
  expectShown("docs/reviews.md", "cart  6 places, looked up in tree", text);
  expect(text).toMatch(/cart {2}6 places, looked up in tree [0-9a-f]{12}/);
  expect(text).toMatch(/Review 1 {2}claude, round 1: GO/);
  expect(text).toMatch(/holds {2}C1 {2}src\/cart\.ts:\d+ {2}`const net/);
  const json = JSON.parse(await tool.ok("review", "evidence", "--id", "cart", "--json"));
  const { evidence } = json.data ?? json;
  expect(evidence).toHaveLength(6);
  expect(evidence[0]).toMatchObject({
    ...{ kind: "criterion", for: "C1", agent: "claude", decision: "GO", holds: true },
    ...{ quote: byCriterion[0]?.quote, why: byCriterion[0]?.why },
  });
});
