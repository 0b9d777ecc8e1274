// A repository of 5,000 files with 200 SOPs and a tree of thirty changed files under review, made with the product's own
// parts; and what it takes to judge one review of it, step by step.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRecordWorld } from "../src/app/record/world.ts";
import { decide } from "../src/core/bubble/decide.ts";
import { serializeKnowledge } from "../src/core/knowledge/knowledge.ts";
import type { Command, CommandOf } from "../src/core/model/command.ts";
import type { State } from "../src/core/model/state.ts";
import { buildSaidVerdict } from "../src/core/review/claim.ts";
import { parseReview } from "../src/core/review/dialect/read.ts";
import { assembleTreeContext } from "../src/engine/facts/knowledge.ts";
import { buildReviewFacts } from "../src/engine/facts/review.ts";
import { load } from "../src/engine/handle/command.ts";
import type { RecordWorld } from "../src/engine/world/world.ts";
import { firstMoment } from "../src/testing/given.ts";
import { Scenario } from "../src/testing/scenario.ts";
import { operator, wholePackage } from "../src/testing/scenario-actors.ts";
import { pair } from "../tests/core/pair.ts";
import { record } from "../tests/helpers/recorded.ts";

const secret = "benchmark-secret";
const sops = 200;
const files = 5000;
const changed = 30;

const pathOf = (n: number) => `src/part${n % 50}/module${n}.ts`;
const textOf = (n: number, more = "") =>
  `// Module ${n}.\n${Array.from({ length: 40 }, (_, line) => `export const value${n}x${line} = ${n} * ${line};`).join("\n")}\n${more}`;
const changedFiles: CommandOf<"handoff">["files"] = Array.from({ length: changed }, (_, n) => ({
  path: pathOf(n),
  status: "modified",
  added: 1,
  removed: 0,
}));

export interface Reviewed {
  readonly repo: string;
  readonly bubble: string;
  /** What `pairflow pass` needs in its environment. */
  readonly env: Record<string, string>;
  /** An approval with evidence for everything that applies. */
  readonly review: string;
}

/** Makes the repository; returns its base commit and the tree under review. */
export function makeRepository(repo: string, count = files): { base: string; tree: string } {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repo, encoding: "utf8" }).trim();
  const commit = () => {
    git("add", "-A");
    git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "work");
  };
  mkdirSync(repo, { recursive: true });
  git("init", "-q", "-b", "main");
  for (let n = 0; n < count; n++) put(repo, pathOf(n), textOf(n));
  commit();
  git("repack", "-adq");
  const base = git("rev-parse", "HEAD");
  for (const [n] of changedFiles.entries()) put(repo, pathOf(n), textOf(n, "export const added = true;\n"));
  commit();
  return { base, tree: git("rev-parse", "HEAD^{tree}") };
}

function put(repo: string, path: string, text: string): void {
  mkdirSync(dirname(join(repo, path)), { recursive: true });
  writeFileSync(join(repo, path), text);
}

interface Wanted {
  readonly bubble: string;
  /** How many of the 200 SOPs apply to the changed files. */
  readonly applying: number;
  readonly evidence: boolean;
}

/** A bubble whose critic has the turn on the tree. */
export async function makeBubble(
  repo: string,
  { base, tree }: { base: string; tree: string },
  { bubble, applying, evidence }: Wanted,
): Promise<Reviewed> {
  const world = createRecordWorld(repo);
  await world.records.create(bubble);
  const knowledge = await pin(world, bubble, base, applying);
  const [made] = pair({
    config: { id: bubble, repo_path: repo, review: { require_evidence: evidence, context_chars: 2_000_000 } },
    criteria: ["Everything that is added is true"],
  }).log;
  if (made?.type !== "BUBBLE_CREATED") throw new Error("a bubble begins with its creation");
  const create: Command = { ...made.payload, type: "create", actor: operator, base_commit: base, knowledge };
  const created = new Scenario([], firstMoment).does(create);
  const context = await assembleTreeContext(world, created.state, changedFiles);
  const scene = created
    .started()
    .implementerPasses({ package: wholePackage })
    .handsOver(tree, { files: changedFiles, context })
    .gatesPass()
    .turnStarts({ capability: world.hash.sha256(secret) });
  await record(world, scene.log);
  const env = { PAIRFLOW_TURN: `${bubble}:t2.1:${secret}`, PAIRFLOW_REPO: repo, PAIRFLOW_BUBBLE: bubble };
  return { repo, bubble, env, review: JSON.stringify(approval(tree, context.sops)) };
}

async function pin(world: RecordWorld, bubble: string, commit: string, applying: number) {
  const text = serializeKnowledge({
    v: 1,
    commit,
    sops: Array.from({ length: sops }, (_, n) => ({
      id: `source.doc.sops.rule-${String(n).padStart(3, "0")}`,
      file: `.pairflow/sops/rule-${n}.md`,
      title: `Rule ${n}`,
      severity: "error",
      applies_to: [n < applying ? `src/part${n % changed}/**/*.ts` : `docs/part${n}/**/*.md`],
      requirements: [`What rule ${n} asks for is kept`],
      body: `# Rule ${n}\n\n${"A sentence of the rule that says more about it. ".repeat(20)}\n`,
    })),
    constitution: [],
    conventions: [],
    hidden: [],
  });
  const { name } = await world.records.put(bubble, "knowledge.json", text);
  return { artifact: name, sha256: world.hash.sha256(text), sops };
}

/** Each SOP with a place and code quoted from it; the criterion with a place of its own. */
function approval(tree: string, applying: readonly { readonly id: string }[]): object {
  const line = (n: number) => 2 + (n % 40);
  return {
    summary: "Every rule that applies was held against the lines it is about.",
    tree,
    findings: [],
    checked: [
      { for: ["C1"], file: pathOf(0), line: 42, quote: "export const added = true;", why: "it is" },
    ].map((entry) => ({ ...entry, why: "the only line that is added says so itself" })),
    sop_review: applying.map(({ id }, n) => ({
      sop_id: id,
      status: "passed",
      evidence: `${pathOf(n % changed)}:${line(n)} keeps it: \`export const value${n % changed}x${line(n) - 2}\``,
      violations: [],
    })),
  };
}

const steps = ["read", "look up in git", "judge", "assemble the context", "look up and judge again"] as const;
export type Times = Record<(typeof steps)[number] | "all", number>;

/** What one review costs in all, the driver's second look included. */
export async function judgeOnce({ repo, bubble, review }: Reviewed): Promise<Times> {
  const world = createRecordWorld(repo);
  const { state } = await load(world, bubble);
  if (!state) throw new Error(`${bubble} has no state`);
  const clock = stopwatch();
  const parsed = parseReview("findings", review);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const claim = buildSaidVerdict(parsed.verdict);
  if (claim.type === "ask-human") throw new Error("it is a verdict");
  const read = clock();
  const facts = await buildReviewFacts(world, state, claim);
  const looked = clock();
  mustCount(state, { ...claim, facts } as Command);
  const judged = clock();
  await assembleTreeContext(world, state, changedFiles);
  const assembled = clock();
  mustCount(state, { ...claim, facts: await buildReviewFacts(world, state, claim) } as Command);
  const again = clock();
  const times = [read, looked, judged, assembled, again];
  const all = times.reduce((sum, ms) => sum + ms, 0);
  return { ...Object.fromEntries(steps.map((name, i) => [name, times[i] ?? 0])), all } as Times;
}

function stopwatch(): () => number {
  let last = performance.now();
  return () => {
    const since = performance.now() - last;
    last = performance.now();
    return since;
  };
}

function mustCount(state: State, command: Command): void {
  const { turn } = state;
  if (!turn) throw new Error("nobody has the turn");
  const actor = {
    kind: "agent",
    turn: turn.id,
    attempt: turn.attempt,
    capability: turn.capability ?? "",
  } as const;
  const { refusal } = decide(state, { ...command, actor, digest: "d" } as Command, state.lastAt);
  if (refusal) throw new Error(`${refusal.code}: ${refusal.message} ${refusal.details?.join("; ") ?? ""}`);
}
