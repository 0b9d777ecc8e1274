// One bubble played through the engine, step by step, as a driver, two agents and a person would.
import { hostname } from "node:os";
import type { Actor, Command, CommandOf, ReviewClaim } from "../../src/core/model/command.ts";
import type { Gate, GateResult } from "../../src/core/model/gate.ts";
import type { TreeContext } from "../../src/core/model/record/payloads/parts.ts";
import type { NewFinding } from "../../src/core/model/review/finding.ts";
import type { State } from "../../src/core/model/state.ts";
import {
  buildApprovalSubject,
  buildPackageView,
  renderPackageMarkdown,
} from "../../src/core/signing/package.ts";
import { buildReviewFacts } from "../../src/engine/facts/review.ts";
import { handle, load } from "../../src/engine/handle/command.ts";
import type { RecordWorld } from "../../src/engine/world/world.ts";
import { configOf, pairProgram } from "../core/pair.ts";

const gates: readonly Gate[] = [
  { name: "typecheck", command: "tsc --noEmit", required: true, timeout_seconds: 60 },
  { name: "test", command: "npm test", required: true, timeout_seconds: 600 },
];

const driver: Actor = { kind: "driver", id: "d1" };
const operator: Actor = { kind: "operator", via: "terminal" };

const wholePackage = {
  what: "Discounts apply before tax",
  why: "Totals ignored the discount",
  risks: "Old invoices keep their totals",
  test_plan: "Add two items with code SAVE10",
  commit_message: "fix(cart): apply discount before tax",
};

export const finding: NewFinding = {
  severity: "P1",
  title: "Total ignores discount",
  file: "src/cart.ts",
  line: 41,
  evidence: "sum += price",
};

export interface PlaySettings {
  readonly title?: string;
  /** How reviews are judged, by trees that stand in git; without it a clean pass needs no evidence. */
  readonly review?: NonNullable<Parameters<typeof configOf>[0]>["review"];
  /** The SOPs that apply to every tree. */
  readonly sops?: TreeContext["sops"];
}

/** One bubble, played through the engine. Every step takes a minute. */
export async function play(
  shop: { world: RecordWorld; repo: string; wait(seconds: number): void },
  id: string,
  settings: string | PlaySettings = {},
) {
  const {
    title = "Fix cart totals",
    review,
    sops = [],
  } = typeof settings === "string" ? { title: settings } : settings;
  const { world, repo } = shop;
  const does = async (what: Command) => {
    shop.wait(60);
    const { refusal, envelopes } = await handle(world, id, what);
    if (refusal) throw new Error(`${what.type}: ${refusal.code} ${refusal.message}`);
    return envelopes;
  };
  const put = async (name: string, text: string) => (await world.records.put(id, name, text)).name;
  const state = async (): Promise<State> => {
    const found = (await load(world, id)).state;
    if (!found) throw new Error(`${id} has no state`);
    return found;
  };
  const turn = async () => {
    const found = (await state()).turn;
    if (!found) throw new Error("nobody has the turn");
    return found;
  };

  await world.records.create(id);
  const config = configOf({
    id,
    repo_path: repo,
    bubble_branch: `bubble/${id}`,
    agents: { implementer: "codex", reviewer: "claude" },
    ...(review ? { review } : {}),
  });
  const task = await put("task.md", `# ${title}\n`);
  const workflow = await put("workflow-pair.yaml", "id: pair\n");
  await does({
    type: "create",
    actor: operator,
    config,
    program: pairProgram(config),
    profile: { gates: [...gates], source: "typescript", confirmed: true },
    base_commit: "3f2a1c9",
    task: { title, criteria: ["Totals are right"], artifact: task, excerpt: title },
    workflow_artifact: workflow,
  });

  const bubble = {
    state,
    does,
    async starts() {
      await does({ type: "start", actor: operator, seat: "process" });
      await does({
        type: "claim-driver",
        actor: driver,
        pid: process.pid,
        host: hostname(),
        seat: "process",
      });
      await does({
        type: "workspace-ready",
        actor: driver,
        path: `/work/${id}`,
        branch: `bubble/${id}`,
        tree: "t0",
        notes: [],
      });
    },
    /** This process drives the bubble from now on, as far as anybody can see. */
    async isDriven() {
      const at = world.clock.now();
      await world.runtime.claim(id, {
        driver: "d1",
        pid: process.pid,
        host: hostname(),
        startedAt: at,
        at,
        seat: "process",
        lastSignAt: at,
      });
    },
    async turnStarts() {
      const due = await turn();
      const attempt = due.attempt + 1;
      const prompt = await put(`prompts/${due.id}.${attempt}.md`, "Do it.\n");
      const tree = (await state()).tree?.id ?? "t0";
      await does({
        type: "turn-started",
        actor: driver,
        turn: due.id,
        attempt,
        capability: `cap-${due.id}.${attempt}`,
        session: `s-${due.id}`,
        fresh: false,
        tree,
        prompt,
        output: `/out/${due.id}.log`,
        seat: "process",
        sandboxed: true,
      });
      await does({ type: "turn-spawned", actor: driver, turn: due.id, attempt, pid: 100 });
    },
    async says(what: { type: "pass" | "converged" | "ask-human" } & Record<string, unknown>) {
      const { id: name, attempt, capability = "", role } = await turn();
      const actor: Actor = { kind: "agent", turn: name, attempt, capability };
      const facts =
        role === "reviewer" && review
          ? { facts: await buildReviewFacts(world, await state(), what as ReviewClaim) }
          : {};
      return does({ ...what, ...facts, actor, digest: `digest-${Math.random()}` } as unknown as Command);
    },
    async hands(tree?: string) {
      const { id: name, attempt, role, claim } = await turn();
      const { round, tree: before } = await state();
      const isProducer = role === "implementer";
      const diff = isProducer ? { diff: await put(`round-00${round}.diff`, `diff of ${tree}\n`) } : {};
      const context = isProducer && sops.length > 0 ? { context: { sops, digest: "d" } } : {};
      const said = claim?.pass ?? claim?.convergence;
      const facts =
        isProducer || !said || !review
          ? {}
          : { facts: await buildReviewFacts(world, await state(), said as ReviewClaim) };
      const files: CommandOf<"handoff">["files"] = isProducer
        ? [
            { path: "src/cart.ts", status: "modified", added: 31, removed: 9 },
            { path: "test/cart.test.ts", status: "added", added: 44, removed: 0 },
          ]
        : [];
      await does({
        type: "handoff",
        actor: driver,
        turn: name,
        attempt,
        tree: tree ?? before?.id ?? "t0",
        commit: `commit-${tree}`,
        ref: `refs/${tree}`,
        files,
        problems: [],
        touched: [],
        ...diff,
        ...context,
        ...facts,
      });
    },
    async gatesSay(statuses: Readonly<Record<string, GateResult["status"]>> = {}) {
      const { tree, round } = await state();
      const results = gates.map(({ name, command: line, required }) => {
        const status = statuses[name] ?? "passed";
        return {
          name,
          command: line,
          required,
          status,
          exit_code: status === "passed" ? 0 : 1,
          duration_ms: 1900,
          excerpt: "",
        };
      });
      await does({
        type: "gates-ran",
        actor: driver,
        tree: tree?.id ?? "",
        results,
        changed: [],
        put_back: [],
        output: await put(`round-00${round}.tests.txt`, `gates of round ${round}, ${tree?.id}\n`),
      });
    },
    /** The implementer's whole go: a turn, a tree, its gates. */
    async implements(tree: string, statuses: Readonly<Record<string, GateResult["status"]>> = {}) {
      await bubble.turnStarts();
      await bubble.says({ type: "pass", summary: "Apply discount before tax", package: wholePackage });
      await bubble.hands(tree);
      await bubble.gatesSay(statuses);
    },
    async reviews(findings: readonly NewFinding[] = [], more: Record<string, unknown> = {}) {
      await bubble.turnStarts();
      await bubble.says({
        type: "pass",
        summary: findings.length > 0 ? "Not yet" : "Nothing found",
        ...(findings.length > 0 ? { findings } : { noFindings: true }),
        checked: [
          { ...(review ? { for: ["C1"] } : {}), file: "src/cart.ts", line: 41, why: "discount before tax" },
        ],
        ...more,
      });
      await bubble.hands();
    },
    /** The gates on a clean checkout of the tree, all green. */
    async finalGatesPass() {
      const { tree, gates: known } = await state();
      await does({
        type: "final-gates-ran",
        actor: driver,
        tree: tree?.id ?? "",
        results: [...(known?.results ?? [])],
        changed: [],
        output: await put("final-gates.txt", `gates on a clean checkout of ${tree?.id}\n`),
        clean: { included: [] },
      });
    },
    async packageIsWritten() {
      await bubble.finalGatesPass();
      const before = await state();
      const { name, sha256 } = await world.records.put(
        id,
        "done-package.md",
        renderPackageMarkdown(buildPackageView(before)),
      );
      const digest = world.hash.sha256(buildApprovalSubject(before, sha256));
      await does({
        type: "package-written",
        actor: driver,
        tree: before.tree?.id ?? "",
        artifact: name,
        sha256,
        digest,
      });
    },
    async isApproved() {
      const { approval } = await state();
      await does({
        type: "approve",
        actor: operator,
        digest: approval?.digest ?? "",
        tree: approval?.tree ?? "",
        message: "",
      });
    },
    async isCommitted() {
      const { tree } = await state();
      await does({
        type: "commit",
        actor: operator,
        commit: "c0ffee0123456789",
        tree: tree?.id ?? "",
        branch: `bubble/${id}`,
      });
    },
    /** One P1 found and fixed, both agents clean, approval asked for. */
    async asksForApproval() {
      await bubble.starts();
      await bubble.implements("tree-one-1111");
      await bubble.reviews([finding]);
      await bubble.implements("tree-two-2222");
      await bubble.reviews([], { answers: [{ id: "F1", status: "fixed" }] });
      await bubble.reviews();
      await bubble.packageIsWritten();
    },
  };
  return bubble;
}
