// What the tools refuse: the words are the referee's, a refused call is an error the agent can read and mend, and
// nothing of it counts.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";
import { expectShown } from "../helpers/shown.ts";
import { begin, connect, type Scene, type Told } from "./scene.ts";

let shop: Shop;
let scene: Scene;
beforeEach(async () => {
  shop = openShop();
  scene = await begin(shop, "fix-cart");
});
afterEach(() => shop.close());

async function calls(
  env: Record<string, string>,
  name: string,
  args: Record<string, unknown>,
): Promise<Told> {
  const tools = await connect(env, { cwd: scene.worktree });
  const told = await tools.call(name, args);
  await tools.close();
  return told;
}

const inTools = "Here the commands are the tools pass, submit_review, converged and ask_human.";

it("a repeated call is told the first outcome and adds nothing", async () => {
  const env = await scene.turn();
  const args = {
    summary: "Done",
    package: { what: "a", why: "b", risks: "c", test_plan: "d", commit_message: "e" },
  };
  const tools = await connect(env, { cwd: scene.worktree });
  const first = await tools.call("pass", args);
  const after = scene.transcript();
  const again = await tools.call("pass", args);
  await tools.close();
  expect(first.text).toMatch(/^Passed \(line 9\)/);
  expect(again).toEqual({
    text: "Already passed (line 9). Your turn is over; end this session.",
    isError: false,
  });
  expect(scene.transcript()).toBe(after);
  const typed = shop.runIn(
    scene.worktree,
    env,
    ...["pass", "--summary", "Done", "--what", "a", "--why", "b", "--risks", "c", "--test-plan", "d"],
    ...["--commit-message", "e"],
  );
  expect(typed.stdout, "the same claim typed in a shell is the same claim").toContain(
    "Already passed (line 9)",
  );
});

it("a second, different claim of the same turn is refused", async () => {
  const env = await scene.turn();
  await calls(env, "pass", { summary: "Done" });
  const told = await calls(env, "pass", { summary: "Something else" });
  expect(told.isError).toBe(true);
  expect(told.text).toContain("Refused: turn t1 has handed over already (line 9) (turn.ended)");
});

it("a capability that has ended is refused in the words of the verb, and is no sign of life", async () => {
  const stale = await scene.turn();
  await scene.attemptEnds();
  await scene.turn();
  const typed = shop.runIn(scene.worktree, stale, "pass", "--summary", "Too late");
  const told = await calls(stale, "pass", { summary: "Too late" });
  expect(told).toEqual({ text: typed.stderr.trim(), isError: true });
  expect(told.text).toMatchInlineSnapshot(`
    "Refused: turn t1 has ended; its capability is no longer valid (turn.stale)
    Hint: end this session: the referee starts the next turn itself"
  `);
  expect(scene.lastSign()).toBe(0);
  expect(scene.log().some(({ type }) => type === "PASS")).toBe(false);
});

it("a capability of nobody's turn is refused", async () => {
  const env = await scene.turn();
  const forged = { ...env, PAIRFLOW_TURN: "fix-cart:t1.1:guessed" };
  const told = await calls(forged, "pass", { summary: "Mine" });
  expect(told.isError).toBe(true);
  expect(told.text).toContain("(turn.stale)");
  expect(scene.lastSign()).toBe(0);
});

it.each([
  ["submit_review", { summary: "All fine", findings: [] }, "pass.findings-not-allowed"],
  ["submit_review", { summary: "Ready", findings: [], converged: true }, "convergence.not-reviewer"],
  ["converged", { summary: "Ready" }, "convergence.not-reviewer"],
])("an implementer is refused %s", async (name, args, code) => {
  const told = await calls(await scene.turn(), name, args);
  expect(told.isError).toBe(true);
  expect(told.text).toContain(`(${code})`);
  expect(told.text).toContain(inTools);
  if (code === "pass.findings-not-allowed")
    expectShown("docs/mcp.md", "Refused: an implementer's pass carries no findings", told.text);
  expect(scene.last()).toMatchObject({ type: "WARNING", payload: { code } });
});

it.each([
  [{ summary: "Looks good" }, "pass.findings-missing"],
  [{ summary: "Looks good", package: { what: "nothing" } }, "pass.producer-only"],
])("a reviewer is refused pass", async (args, code) => {
  await scene.implements();
  const env = await scene.turn();
  const told = await calls(env, "pass", args);
  expect(told.isError).toBe(true);
  expect(told.text).toContain(`(${code})`);
});

it("a convergence with new findings is refused", async () => {
  await scene.implements();
  const env = await scene.turn();
  const finding = { severity: "P1", title: "Total is wrong" };
  const told = await calls(env, "submit_review", { summary: "Ready", findings: [finding], converged: true });
  expect(told.text).toContain("(convergence.with-findings)");
  expect(scene.last()).toMatchObject({ type: "WARNING" });
});

const malformed: readonly (readonly [string, Record<string, unknown>, string])[] = [
  ["pass", {}, "pass: summary is missing"],
  ["pass", { summary: "  " }, "pass: summary must not be empty"],
  ["pass", { summary: null }, "pass: summary is missing"],
  ["pass", { summary: "Done", findings: [] }, "pass: findings is not a key that is known here"],
  [
    "pass",
    { summary: "Done", disputes: [{ id: "one", reason: "x" }] },
    "pass: disputes[0].id is not a finding id such as F1",
  ],
  [
    "pass",
    { summary: "x".repeat(16_001) },
    "pass: summary is too long: 16001, and at most 16000 are allowed",
  ],
  ["submit_review", { summary: "Fine" }, "submit_review: findings is missing"],
  ["submit_review", { summary: "Bad", findings: "P1: total" }, 'findings must be a list, not "P1: total"'],
  [
    "submit_review",
    { summary: "Bad", findings: [{ severity: "high", title: "x" }] },
    'findings[0].severity must be "P0" or "P1" or "P2" or "P3", not "high"',
  ],
  ["submit_review", { summary: "Bad", findings: [{ severity: "P1" }] }, "findings[0].title is missing"],
  [
    "submit_review",
    { summary: "Bad", findings: [{ severity: "P1", title: "x", line: "41" }] },
    'findings[0].line must be a number, not "41"',
  ],
  ["converged", { summary: "Ready", answers: [{ id: "F1", status: "done" }] }, "answers[0].status must be"],
  ["ask_human", { question: "" }, "ask_human: question must not be empty"],
];

it("malformed arguments are refused, each with what is wrong, and nothing is written", async () => {
  const tools = await connect(await scene.turn(), { cwd: scene.worktree });
  const before = scene.transcript();
  for (const [name, args, words] of malformed) {
    const told = await tools.call(name, args);
    expect(told.isError, words).toBe(true);
    expect(told.text).toContain(words);
    expect(told.text).toContain("(usage.bad-arguments)");
    if (words.includes("high"))
      expectShown("docs/mcp.md", "Error: submit_review: findings[0].severity", told.text);
    expect(told.text).toMatch(
      /^Hint: (?:correct the arguments and call the tool again|give every new defect, or an empty list); nothing was recorded$/m,
    );
  }
  await tools.close();
  expect(scene.transcript()).toBe(before);
  expect(scene.lastSign(), "the agent lives all the same").toBeGreaterThan(0);
});

it("a text that the record cannot hold is refused", async () => {
  const env = await scene.turn();
  const findings = Array.from({ length: 40 }, (_, i) => ({
    severity: "P1",
    title: `Finding ${i}`,
    evidence: "x".repeat(4000),
  }));
  await calls(env, "pass", { summary: "Done" });
  await scene.play.hands("tree-one-1111");
  await scene.play.gatesSay();
  const told = await calls(await scene.turn(), "submit_review", { summary: "Many", findings });
  expect(told.isError).toBe(true);
  expect(told.text).toContain("(log.envelope-too-large)");
});

it("refs cannot lead out of the worktree and the turn's own folder", async () => {
  const secret = join(shop.folder, "secret.txt");
  writeFileSync(secret, "not for agents\n");
  symlinkSync(secret, join(scene.worktree, "link.txt"));
  symlinkSync(shop.folder, join(scene.worktree, "up"));
  mkdirSync(scene.out("t1"), { recursive: true });
  const tools = await connect(await scene.turn(), { cwd: scene.worktree });
  const before = scene.transcript();
  const refused: Record<string, string> = {
    [secret]: "ref.outside",
    "../../../secret.txt": "ref.outside",
    "link.txt": "ref.outside",
    "up/secret.txt": "ref.outside",
    src: "ref.not-found",
    "no-such-file": "ref.not-found",
    "artifact://no-such": "ref.not-found",
  };
  for (const [ref, code] of Object.entries(refused)) {
    const told = await tools.call("pass", { summary: "Done", refs: [ref] });
    expect(told.isError, ref).toBe(true);
    expect(told.text).toContain(`(${code})`);
  }
  await tools.close();
  expect(scene.transcript()).toBe(before);
});

it.each<[string, (env: Record<string, string>) => Record<string, string>, string]>([
  ["without a capability", ({ PAIRFLOW_TURN: _, ...rest }) => rest, "turn.no-capability"],
  ["with words that are none", (env) => ({ ...env, PAIRFLOW_TURN: "hello" }), "turn.bad-token"],
  ["for an unknown bubble", (env) => ({ ...env, PAIRFLOW_TURN: "gone:t1.1:x" }), "bubble.unknown"],
])("%s the server starts, shows its tools and refuses every call", async (_, change, code) => {
  const env = change(await scene.turn());
  const before = scene.transcript();
  const tools = await connect(env, { cwd: scene.worktree });
  const { tools: listed } = await tools.client.listTools();
  const args = { summary: "Done", findings: [], question: "May I?" };
  const told: Told[] = [];
  for (const { name } of listed) told.push(await tools.call(name, args));
  await tools.close();
  expect(told).toHaveLength(4);
  for (const { text, isError } of told) {
    expect(isError).toBe(true);
    expect(text).toContain(`(${code})`);
  }
  expect(scene.transcript()).toBe(before);
});

it("an accepted call is a sign of life", async () => {
  await calls(await scene.turn(), "ask_human", { question: "Which port?" });
  expect(scene.lastSign()).toBeGreaterThan(0);
});
