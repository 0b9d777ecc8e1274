// What an agent says through the tools is on the record exactly as if it had typed the verbs.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { finding } from "../helpers/play.ts";
import { openShop, type Shop } from "../helpers/shop.ts";
import { begin, connect, ignoresDiscount, type Scene, type Told } from "./scene.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

/** The same turn in two bubbles with the same past: one agent types, the other calls a tool. */
async function twins(past: (scene: Scene) => Promise<void> = async () => {}) {
  const typed = await begin(shop, "typed");
  const called = await begin(shop, "called");
  await past(typed);
  await past(called);
  const [typist, caller] = [await typed.turn(), await called.turn()];
  return {
    typed,
    called,
    types(...args: string[]) {
      const ran = shop.runIn(typed.worktree, typist, ...args);
      expect(ran.code, ran.stderr).toBe(0);
      return ran;
    },
    async calls(name: string, args: Record<string, unknown>): Promise<Told> {
      const tools = await connect(caller, { cwd: called.worktree });
      const told = await tools.call(name, args);
      await tools.close();
      return told;
    },
  };
}

/** An envelope without what two bubbles, or two moments, can never have in common. */
function essence(envelope: Envelope | undefined, id: string) {
  if (!envelope) return undefined;
  const { type, round, sender, recipient, payload, refs } = envelope;
  return { type, round, sender, recipient, payload, refs: refs.map((ref) => ref.replaceAll(id, "<id>")) };
}

async function sameLine({ typed, called }: { typed: Scene; called: Scene }) {
  const line = essence(called.last(), called.id);
  expect(line).toEqual(essence(typed.last(), typed.id));
  return line;
}

const why = "the discount comes off before the tax";
const parts = {
  what: "Discounts apply before tax",
  why: "Totals ignored the discount",
  risks: "None known",
  test_plan: "Add two items with code SAVE10",
  commit_message: "fix(cart): apply discount before tax",
};

it("an implementer's pass, with its package", async () => {
  const both = await twins();
  both.types(
    ...["pass", "--summary", "Totals are right", "--what", parts.what, "--why", parts.why],
    ...["--risks", parts.risks, "--test-plan", parts.test_plan, "--commit-message", parts.commit_message],
  );
  const told = await both.calls("pass", { summary: "Totals are right", package: parts });
  expect(told).toEqual({ text: "Passed (line 9). Your turn is over; end this session.", isError: false });
  expect(await sameLine(both)).toMatchObject({
    type: "PASS",
    sender: "codex",
    payload: { summary: "Totals are right", package: parts, pass_intent: "task" },
  });
});

it("says which parts of the package are missing, as the verb does", async () => {
  const both = await twins();
  const { stdout, stderr } = both.types("pass", "--summary", "Done", "--what", "x");
  const { text } = await both.calls("pass", { summary: "Done", package: { what: "x" } });
  expect(text).toBe(`${stdout}${stderr}`.trim());
  expect(text).toContain("still lacks why, risks, test_plan, commit_message");
  await sameLine(both);
});

it("a dispute, and that nothing needs to change", async () => {
  const both = await twins(async (scene) => {
    await scene.implements();
    await scene.play.reviews([finding]);
  });
  both.types(
    "pass",
    "--summary",
    "F1 is wrong",
    "--dispute",
    "F1:line 41 runs after the discount",
    "--no-change",
    "see F1",
  );
  const told = await both.calls("pass", {
    summary: "F1 is wrong",
    disputes: [{ id: "F1", reason: "line 41 runs after the discount" }],
    no_change: "see F1",
  });
  expect(told.isError, told.text).toBe(false);
  expect(await sameLine(both)).toMatchObject({ payload: { disputes: [{ id: "F1" }], no_change: "see F1" } });
});

it("a reviewer's findings, with words that no shell could carry unquoted", async () => {
  const both = await twins((scene) => scene.implements());
  both.types(
    ...["pass", "--summary", "Not yet", "--checked", "src/tax.ts:9 rounds once"],
    ...[
      "--finding",
      'P1(core-logic):Total ignores "discount" @ src/cart.ts:41 | sum += price; // $HOME `id`',
    ],
    ...["--finding", "P3:Name it"],
  );
  const told = await both.calls("submit_review", {
    summary: "Not yet",
    findings: [
      {
        severity: "P1",
        title: 'Total ignores "discount"',
        area: "core-logic",
        file: "src/cart.ts",
        line: 41,
        evidence: "sum += price; // $HOME `id`",
      },
      { severity: "P3", title: "Name it" },
    ],
    checked: [{ file: "src/tax.ts", line: 9, why: "rounds once" }],
  });
  expect(told.text).toMatch(/^Passed \(line \d+\)\. Your turn is over; end this session\.$/);
  expect(await sameLine(both)).toMatchObject({
    type: "PASS",
    sender: "claude",
    payload: { pass_intent: "fix_request", findings: [{ id: "F1", severity: "P1" }, { id: "F2" }] },
  });
});

it("an empty list of findings is a clean review, with an answer to every open finding", async () => {
  const both = await twins(async (scene) => {
    await scene.implements(ignoresDiscount);
    await scene.play.reviews([finding]);
    await scene.implements();
  });
  both.types(
    "pass",
    "--summary",
    "Fixed",
    "--fixed",
    "F1",
    "--no-findings",
    "--checked",
    `C1 src/cart.ts:41 ${why}`,
  );
  await both.calls("submit_review", {
    summary: "Fixed",
    findings: [],
    answers: [{ id: "F1", status: "fixed" }],
    checked: [{ file: "src/cart.ts", line: 41, why, for: ["C1"] }],
  });
  expect(await sameLine(both)).toMatchObject({ payload: { pass_intent: "review", findings: [] } });
});

const nearlyThere = async (scene: Scene) => {
  await scene.implements();
  await scene.play.reviews();
};

it.each([
  ["converged", {}],
  ["submit_review", { findings: [], converged: true }],
])("convergence, by the tool %s", async (name, more) => {
  const both = await twins(nearlyThere);
  both.types("converged", "--summary", "Nothing found", "--checked", `C1 src/cart.ts:41 ${why}`);
  const told = await both.calls(name, {
    summary: "Nothing found",
    checked: [{ for: ["C1"], file: "src/cart.ts", line: 41, why }],
    ...more,
  });
  expect(told.text).toMatch(/^Convergence claimed \(line \d+\)\. Your turn is over/);
  expect(await sameLine(both)).toMatchObject({ type: "CONVERGENCE" });
});

it("a question with answers to choose from", async () => {
  const both = await twins();
  both.types("ask-human", "--question", "Keep the old route?", "--option", "keep", "--option", "drop");
  const told = await both.calls("ask_human", { question: "Keep the old route?", options: ["keep", "drop"] });
  expect(told.text).toMatch(/^Asked \(line 9\)\. Do nothing more and wait for the answer/);
  expect(await sameLine(both)).toMatchObject({ type: "HUMAN_QUESTION", payload: { kind: "agent" } });
});

it("several questions at once, each with its context", async () => {
  const scene = await begin(shop, "asks");
  const tools = await connect(await scene.turn(), { cwd: scene.worktree });
  await tools.call("ask_human", {
    question: "Keep the old route?",
    context: "Two clients use it.",
    others: [{ question: "Which port?", options: ["80", "8080"], context: null }],
  });
  await tools.close();
  const asked = scene.log().filter((envelope) => envelope.type === "HUMAN_QUESTION");
  expect(asked.map(({ payload }) => payload.question)).toEqual([
    "Keep the old route?\n\nTwo clients use it.",
    "Which port?",
  ]);
  expect(asked[1]?.payload.options?.map(({ key }) => key)).toEqual(["80", "8080"]);
});

it("files to hand in: of the worktree by their names, of the turn's own folder as copies", async () => {
  const scene = await begin(shop, "files");
  const env = await scene.turn();
  writeFileSync(join(scene.worktree, "src/cart.ts"), "sum\n");
  mkdirSync(scene.out("t1"), { recursive: true });
  writeFileSync(join(scene.out("t1"), "trace.txt"), "as seen\n");
  // From any folder: paths are of the worktree, wherever the agent's CLI starts its servers.
  const tools = await connect(env, { cwd: shop.folder });
  const refs = ["src/cart.ts", join(scene.out("t1"), "trace.txt")];
  const told = await tools.call("pass", { summary: "Done", package: parts, refs });
  await tools.close();
  expect(told.isError, told.text).toBe(false);
  expect(scene.last()?.refs.slice(0, 2)).toEqual(["worktree://src/cart.ts", "artifact://refs/trace.txt"]);
});
