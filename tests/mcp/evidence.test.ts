// An approval through the tools needs the same evidence as one that is typed: what it looked at for each criterion and
// each SOP, true in the tree of the turn, and how sure it is where the bubble asks for it.
import { afterEach, beforeEach, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";
import { expectShown } from "../helpers/shown.ts";
import { begin, connect, ignoresDiscount, place, type Scene, type Told, takesDiscount } from "./scene.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

const sop = "source.doc.sops.rounding";
const why = "the discount comes off before the tax";
const looked = { for: ["C1"], ...place, quote: takesDiscount, why };
const rounds = { sop_id: sop, status: "passed", evidence: "src/tax.ts:1 rounds the tax once" };
const clean = { summary: "Nothing found", findings: [] };
const withSop = { sops: [{ id: sop, severity: "error" as const }] };

/** The reviewer's turn on a tree that is right, and its tools. */
async function reviewing(id: string, settings: Parameters<typeof begin>[2] = {}) {
  const scene = await begin(shop, id, settings);
  await scene.implements();
  const env = await scene.turn();
  const tools = await connect(env, { cwd: scene.worktree });
  return {
    scene,
    env,
    says: (args: object): Promise<Told> => tools.call("submit_review", { ...args }),
    close: () => tools.close(),
  };
}

const treeOf = async ({ play }: Scene) => (await play.state()).tree?.id ?? "";
const payload = ({ last }: Scene) => last()?.payload as Record<string, unknown>;

it.each([
  ["nothing looked at", {}, "C1 (Totals are right): no evidence"],
  [
    "a place that proves no criterion",
    { checked: [{ ...looked, for: null }] },
    "C1 (Totals are right): no evidence",
  ],
  ["a line that is not there", { checked: [{ ...looked, line: 400, quote: null }] }, "there is no line 400"],
  ["a file that is not there", { checked: [{ ...looked, file: "src/total.ts" }] }, "no file src/total.ts"],
  [
    "a quote that is not there",
    { checked: [{ ...looked, quote: ignoresDiscount }] },
    "does not stand at src/cart.ts:41",
  ],
  ["praise", { checked: [{ ...looked, why: "Looks good to me" }] }, "the evidence says nothing about it"],
])("an approval with %s is refused, and counts with evidence", async (_, bad, words) => {
  const { scene, says, close } = await reviewing("cart");
  const refused = await says({ ...clean, ...bad });
  expect(refused.isError).toBe(true);
  expect(refused.text).toContain("(review.evidence)");
  expect(refused.text).toContain(words);
  const told = await says({ ...clean, checked: [looked] });
  await close();
  expect(told.isError, told.text).toBe(false);
  expect(payload(scene)).toMatchObject({ findings: [], checked: [looked] });
});

it("the third approval without evidence goes to the human", async () => {
  const { scene, says, close } = await reviewing("stamp");
  const first = await says({ ...clean, summary: "Fine" });
  for (let nr = 2; nr <= 3; nr++) await says({ ...clean, summary: `Fine ${nr}` });
  await close();
  expectShown("docs/mcp.md", "Refused: an approval needs evidence", first.text);
  expect(scene.last()).toMatchObject({
    type: "HUMAN_QUESTION",
    payload: { kind: "refused", question: expect.stringContaining("handed in 3 reviews that cannot count") },
  });
  expect((await scene.play.state()).lifecycle).toBe("WAITING_HUMAN");
});

it("an applicable SOP is answered by sop_review or by checked, never by silence", async () => {
  const { scene, says, close } = await reviewing("sop", withSop);
  const silent = await says({ ...clean, checked: [looked] });
  expect(silent.text).toContain(`${sop}: no evidence`);
  const vague = await says({
    ...clean,
    checked: [looked],
    sop_review: [{ ...rounds, evidence: "the tax is rounded" }],
  });
  expect(vague.text).toContain(`${sop}: passed needs a quote or file:line`);
  const told = await says({ ...clean, checked: [looked], sop_review: [rounds] });
  await close();
  expect(told.isError, told.text).toBe(false);
  expect(payload(scene)).toMatchObject({
    opinion: { decision: "approve", tree: await treeOf(scene), sop_review: [{ ...rounds, violations: [] }] },
  });
});

it("a violated SOP is a finding", async () => {
  const { scene, says, close } = await reviewing("violated", withSop);
  const violated = {
    ...rounds,
    status: "violated",
    evidence: "src/tax.ts:1",
    violations: ["it rounds twice"],
  };
  const told = await says({ summary: "Rounds twice", findings: [], sop_review: [violated] });
  await close();
  expect(told.isError, told.text).toBe(false);
  expect(payload(scene)).toMatchObject({
    findings: [{ id: "F1", severity: "P1", title: expect.stringContaining("it rounds twice") }],
    opinion: { decision: "revise" },
  });
});

it("SOPs and confidence by the tool are the claim that flags make", async () => {
  const { env, scene, says, close } = await reviewing("same", withSop);
  const told = await says({
    ...clean,
    checked: [{ for: ["C1"], ...place, why }],
    sop_review: [rounds],
    confidence: 0.9,
  });
  await close();
  expect(told.text).toMatch(/^Passed \(line \d+\)/);
  const typed = shop.runIn(
    scene.worktree,
    env,
    ...["pass", "--summary", "Nothing found", "--no-findings", "--checked", `C1 src/cart.ts:41 ${why}`],
    ...["--sop", "rounding passed src/tax.ts:1 rounds the tax once", "--confidence", "0.9"],
  );
  expect(typed.stdout, typed.stderr).toContain("Already passed");
});

const verdict = (tree: string, more: object = {}) => ({
  ...{ verdict: "approved", rejection_type: null, feedback: "The discount comes off first", confidence: 0.9 },
  ...{ tree, checked: [looked], prior_findings: [], sop_review: [rounds], patterns: [], findings: [] },
  ...more,
});
const inVerdict = { review: { dialect: "verdict" as const }, ...withSop };

it("a whole review as an object of the bubble's dialect", async () => {
  const { scene, says, close } = await reviewing("whole", inVerdict);
  const tree = await treeOf(scene);
  // Some models fill in every argument.
  const empty = {
    findings: [],
    answers: [],
    checked: [],
    sop_review: [],
    confidence: null,
    converged: false,
  };
  const told = await says({ summary: "It is right", review: verdict(tree), ...empty });
  await close();
  expect(told.isError, told.text).toBe(false);
  expect(payload(scene)).toMatchObject({
    summary: "It is right",
    checked: [looked],
    opinion: { dialect: "verdict", decision: "approve", confidence: 0.9, tree },
  });
});

it.each<[string, (tree: string) => object, string, string]>([
  [
    "of another dialect",
    (tree) => ({ decision: "GO", feedback: "fine", tree }),
    "review.unreadable",
    "decision",
  ],
  [
    "with an unknown word",
    (tree) => verdict(tree, { verdict: "ok" }),
    "review.unreadable",
    "approved or rejected",
  ],
  ["of another tree", () => verdict("e".repeat(40)), "review.stale-tree", "e".repeat(40)],
  ["without a tree", () => verdict("", { tree: null }), "review.stale-tree", "does not name the tree"],
  [
    "that invents a quote",
    (tree) => verdict(tree, { checked: [{ ...looked, quote: "total = 0 * net" }] }),
    "review.evidence",
    "does not stand",
  ],
  ["that leaves the SOP out", (tree) => verdict(tree, { sop_review: [] }), "review.evidence", sop],
  [
    "that approves with a violated SOP",
    (tree) =>
      verdict(tree, { sop_review: [{ ...rounds, status: "violated", violations: ["rounds twice"] }] }),
    "review.contradiction",
    "F1 P1 source.doc.sops.rounding: rounds twice",
  ],
])("a review %s is refused, and nothing of it counts", async (_, review, code, words) => {
  const { scene, says, close } = await reviewing("bad", inVerdict);
  const told = await says({ summary: "It is right", review: review(await treeOf(scene)) });
  await close();
  expect(told.isError).toBe(true);
  expect(told.text).toContain(`(${code})`);
  expect(told.text).toContain(words);
  expect(scene.last()).toMatchObject({ type: "WARNING" });
});

it("a whole review may converge or ask, and is told so", async () => {
  const scene = await begin(shop, "converges");
  await scene.implements();
  await scene.play.reviews();
  const tools = await connect(await scene.turn(), { cwd: scene.worktree });
  const said = { summary: "Nothing is left", findings: [], checked: [looked], converged: true };
  const review = { ...said, tree: await treeOf(scene) };
  const told = await tools.call("submit_review", { summary: "Ready", review });
  await tools.close();
  expect(told.text).toMatch(/^Convergence claimed \(line \d+\)/);
  expect(scene.last()).toMatchObject({ type: "CONVERGENCE" });

  const other = await reviewing("asks", { review: { dialect: "status" } });
  const tree = await treeOf(other.scene);
  const asks = {
    status: "needs_clarification",
    summary: "The rate is open",
    questions: ["Which rate?"],
    tree,
  };
  const asked = await other.says({ summary: "Which rate?", review: asks });
  await other.close();
  expect(asked.text).toMatch(/^Asked \(line \d+\)\. Do nothing more/);
});

it.each([
  { findings: [{ severity: "P0", title: "It loses orders" }] },
  { answers: [{ id: "F1", status: "open" }] },
  { checked: [looked] },
  { sop_review: [rounds] },
  { confidence: 0.1 },
  { converged: true },
])("a whole review is the only one: beside it %j is refused, not passed over", async (more) => {
  const { scene, says, close } = await reviewing("two", inVerdict);
  const before = scene.transcript();
  const told = await says({ summary: "It is right", review: verdict(await treeOf(scene)), ...more });
  await close();
  expect(told.isError).toBe(true);
  expect(told.text).toContain("(usage.two-reviews)");
  expect(scene.transcript()).toBe(before);
});

it("where reviews say how sure they are, one without confidence is refused", async () => {
  const { scene, says, close } = await reviewing("sure", inVerdict);
  const args = { ...clean, checked: [looked], sop_review: [rounds] };
  const refused = await says(args);
  expect(refused.text).toContain("(review.no-confidence)");
  const told = await says({ ...args, confidence: 0.8 });
  await close();
  expect(told.isError, told.text).toBe(false);
  expect(payload(scene)).toMatchObject({ opinion: { confidence: 0.8 } });
});

it.each([
  [{ confidence: 1.5 }, "confidence"],
  [{ sop_review: [{ sop_id: sop, status: "ok", evidence: "src/tax.ts:1" }] }, "sop_review[0].status"],
  [{ sop_review: [{ sop_id: sop, status: "passed" }] }, "sop_review[0].evidence is missing"],
  [{ checked: [{ ...looked, for: "C1" }] }, "checked[0].for must be a list"],
  [{ checked: [{ ...looked, line: 0 }] }, "checked[0].line"],
  [{ review: "approved" }, "review must be"],
])("malformed evidence is refused before it is looked up: %j", async (more, words) => {
  const { says, close } = await reviewing("malformed", withSop);
  const told = await says({ ...clean, ...more });
  await close();
  expect(told.text).toContain("(usage.bad-arguments)");
  expect(told.text).toContain(words);
});

it("convergence needs the same evidence, and the same confidence", async () => {
  const scene = await begin(shop, "last", inVerdict);
  await scene.implements();
  const opinion = {
    dialect: "verdict",
    decision: "approve",
    sop_review: [rounds],
    patterns: [],
    confidence: 0.9,
  };
  await scene.play.reviews([], { opinion: { ...opinion, tree: await treeOf(scene) } });
  const tools = await connect(await scene.turn(), { cwd: scene.worktree });
  const unsaid = await tools.call("converged", { summary: "Ready", checked: [looked] });
  expect(unsaid.text).toContain("(review.no-confidence)");
  const bare = await tools.call("converged", { summary: "Ready", checked: [looked], confidence: 0.9 });
  expect(bare.text).toContain(`${sop}: no evidence`);
  const full = { summary: "Ready", checked: [looked], sop_review: [rounds], confidence: 0.9 };
  const told = await tools.call("converged", full);
  await tools.close();
  expect(told.text).toMatch(/^Convergence claimed \(line \d+\)/);
});
