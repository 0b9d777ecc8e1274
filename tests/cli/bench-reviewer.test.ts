// pairflow bench reviewer, through the real command and the real engine, with reviewers that follow scripts.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepCard, readCard } from "../../src/app/agents/reviewer-cards.ts";
import { readCaseSet } from "../../src/app/bench-reviewer/case-set.ts";
import { describeCard, tally } from "../../src/core/measure/card.ts";
import { cli, type Rig, rig } from "../acceptance/rig.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
let temp: string;
beforeAll(() => {
  const own = rig();
  temp = join(own.folder, "temp");
  mkdirSync(temp);
  tool = own.with({ TMPDIR: temp });
  writeFileSync(join(tool.folder, "answers.json"), JSON.stringify(readCaseSet().cases));
});
afterAll(() => tool.close());

/** A script whose every turn runs one program in the worktree. */
function reviewer(name: string, program: string): string {
  const file = join(tool.folder, `${name}.mjs`);
  writeFileSync(file, `${reading}\n${program}`);
  const script = join(tool.folder, `${name}.yaml`);
  const step = `run: ${JSON.stringify(`node '${file}'`)}`;
  writeFileSync(script, `turns:\n  - role: reviewer\n    steps:\n      - ${step}\nthen: repeat-last\n`);
  return script;
}

/** What every reviewer below knows: the changed files, the answers, and how to hand over. */
const reading = `
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
const here = import.meta.dirname;
const git = (...args) => execFileSync("git", args, { encoding: "utf8" });
const changed = git("status", "--porcelain").split("\\n").filter(Boolean).map((line) => line.slice(3));
const handOver = (...flags) => execFileSync("pairflow", ["pass", "--summary", "Read all of it", ...flags], { stdio: "inherit" });
const checked = changed.flatMap((file) => {
  const line = readFileSync(file, "utf8").split("\\n").findIndex((text) => text.includes("export") || text.includes("test(")) + 1;
  return ["--checked", file + ":" + line + " read against the task, line by line"];
});
`;

const perfect = `
const answers = JSON.parse(readFileSync(join(here, "answers.json"), "utf8"));
const planted = answers.find(({ defect, files }) => defect && Object.entries(files).every(([path, text]) => existsSync(path) && readFileSync(path, "utf8") === text));
if (planted) handOver("--finding", "P1:" + planted.defect.wrong + " @ " + planted.defect.file + ":" + planted.defect.lines[0]);
else handOver("--no-findings", ...checked);
`;

const bench = (name: string, program: string, ...flags: string[]) =>
  tool.run("bench", "reviewer", "--agent", name, "--script", reviewer(name, program), ...flags);

const leftFolders = () => readdirSync(temp).filter((name) => name.startsWith("pairflow-"));

it("a reviewer that finds everything catches every defect and raises no alarm; its card is kept and shown", async () => {
  const cases = ["reserve-stock", "page-links/last-link", "store-orders/unreadable"];
  const flags = cases.flatMap((id) => ["--case", id]);
  const ran = await bench("perfect", perfect, ...flags, "--jobs", "2");
  expect(ran.stderr).toContain(
    "✓ reserve-stock/read-too-early caught: P1 The stock is read before the turn begins",
  );
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toMatch(/race +2 +2 +100 % \(34–100\) +1 +0\n/);
  expect(ran.stdout).toMatch(/all +4 +4 +100 % \(51–100\) +1 +0\n/);
  expect(ran.stdout).toContain("Kept in .pairflow/reviewers/perfect.json");

  const card = readCard(tool.repo, "perfect");
  expect(card).toMatchObject({
    adapter: "scripted",
    planted: 4,
    caught: 4,
    controls: 1,
    invalid: 0,
    whole: false,
  });
  expect(card && describeCard(card)).toMatch(
    /^caught 4 of 4 planted defects, no false alarm in 1 clean change · \d{4}-/,
  );
  expect(tool.git("status", "--porcelain")).toBe("");
  expect(await tool.ok("bench", "reviewer", "--show")).toContain("perfect as a reviewer · scripted");
  expect(JSON.parse(await tool.ok("bench", "reviewer", "--show", "--json"))).toEqual({ cards: [card] });
  expect(leftFolders()).toEqual([]);
});

it("says of each review what it was worth, and of each class how many defects were caught", async () => {
  const grep = `
const found = changed.flatMap((file) => {
  const at = readFileSync(file, "utf8").split("\\n").findIndex((text) => /"sh"|eval|catch|TODO/.test(text));
  return at < 0 ? [] : [file + ":" + (at + 1)];
});
if (found.length) handOver("--finding", "P1:Suspicious @ " + found[0]);
else handOver("--no-findings", ...checked);`;
  const ran = await bench("grep", grep, "--case", "file-history", "--case", "store-orders");
  expectShown("docs/bench-reviewer.md", "$ pairflow bench reviewer", `${ran.stderr}${ran.stdout}`);
});

it("a reviewer that stamps everything catches nothing", async () => {
  const ran = await bench(
    "stamper",
    `handOver("--no-findings", ...checked);`,
    "--case",
    "page-links/last-link",
    "--json",
  );
  const { card, reviews } = JSON.parse(ran.stdout);
  expect(card).toMatchObject({ planted: 1, caught: 0, invalid: 0 });
  expect(reviews[0]).toMatchObject({ case: "page-links/last-link", judgement: "missed" });
});

it("a reviewer that cries over everything raises a false alarm in every clean change, in each run", async () => {
  const cry = `handOver("--finding", "P1:This is all wrong @ " + changed[0] + ":1");`;
  const ran = await bench(
    "alarmist",
    cry,
    "--case",
    "page-links/clean",
    "--runs",
    "2",
    "--jobs",
    "2",
    "--json",
  );
  expect(JSON.parse(ran.stdout).card).toMatchObject({ controls: 2, false_alarms: 2, planted: 0, runs: 2 });
});

it("a reviewer that changes files has given no valid review, and that is neither a catch nor a miss", async () => {
  const meddle = `writeFileSync("src/cart.js", "// better\\n");\n${perfect}`;
  const ran = await bench("meddler", meddle, "--case", "quantity-prices/at-the-limit");
  expect(ran.stderr).toContain("! quantity-prices/at-the-limit invalid: meddler (reviewer) was refused");
  expect(ran.stdout).toContain("no valid review: 1 (in none of the counts above)");
  expect(ran.stdout).toContain("Not kept: no review was valid.");
  expect(readCard(tool.repo, "meddler")).toBeUndefined();
});

it("a reviewer sees nothing that tells a defect from a clean change", async () => {
  const copy = `
    const folder = join(process.env.PAIRFLOW_REPO, ".pairflow", "bubbles", process.env.PAIRFLOW_BUBBLE, "artifacts");
    const prompts = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && entry.name.endsWith(".md"));
    const texts = prompts.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8")).filter((text) => text.includes("is the reviewer"));
    writeFileSync(join(here, "seen.txt"), [texts.at(-1), process.cwd(), git("log", "--format=%an %s"), git("branch", "-a"), ...Object.entries(process.env).filter(([name]) => name.startsWith("PAIRFLOW_")).flat()].join("\\n"));
    ${perfect}`;
  const ran = await bench("curious", copy, "--case", "quantity-prices/at-the-limit");
  expect(ran.code, ran.stderr).toBe(0);
  const seen = readFileSync(join(tool.folder, "seen.txt"), "utf8").replaceAll(tool.folder, "");
  expect(seen).toContain("curious is the reviewer");
  expect(seen).toContain("Prices by quantity");
  expect(seen).toContain("test: passed");
  expect(seen).not.toMatch(/bench|at-the-limit|planted|mutat|scripted author|measure/i);
});

it("Ctrl-C ends the reviews that run, removes their folders, and keeps no card", async () => {
  const hang = `writeFileSync(join(here, "hangs.txt"), process.cwd());\nsetInterval(() => {}, 1000);`;
  const script = reviewer("sleeper", hang);
  const words = ["bench", "reviewer", "--agent", "sleeper", "--script", script, "--case", "page-links/clean"];
  const child = spawn(process.execPath, [cli, ...words], { cwd: tool.repo, env: tool.env, detached: true });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const note = join(tool.folder, "hangs.txt");
  for (let waited = 0; !existsSync(note) && waited < 20_000; waited += 50) await sleep(50);
  const worktree = readFileSync(note, "utf8");
  const processes = () => execFileSync("ps", ["axww", "-o", "args="], { encoding: "utf8" });
  expect(processes()).toContain(worktree);
  child.kill("SIGINT");
  expect(await ended).toBe(130);
  expect(said).toContain("Stopped after 0 of 1 review. No card was kept");
  expect(processes()).not.toContain(worktree);
  expect(existsSync(worktree)).toBe(false);
  expect(leftFolders()).toEqual([]);
  expect(readCard(tool.repo, "sleeper")).toBeUndefined();
});

it("a review that takes longer than it may is none", async () => {
  const ran = await bench(
    "slow",
    "setInterval(() => {}, 1000);",
    "--case",
    "page-links/clean",
    "--minutes",
    "0.03",
    "--json",
  );
  expect(JSON.parse(ran.stdout).reviews[0]).toMatchObject({
    judgement: "invalid",
    says: "nothing was handed in in time",
  });
  expect(leftFolders()).toEqual([]);
});

it("a card gives way only to one that is as well founded, or of other cases", () => {
  const head = { agent: "kept", adapter: "claude", model: null, at: "2026-11-16T08:00:00.000Z", runs: 1 };
  const review = { case: "a/b", class: "race", planted: true, says: "", seconds: 1 } as const;
  const keep = (cases: string, whole: boolean, judgement: "caught" | "invalid" = "caught") =>
    keepCard(tool.repo, tally({ ...head, cases, whole }, [{ ...review, judgement }]));
  const kept = { path: join(tool.repo, ".pairflow", "reviewers", "kept.json") };
  expect(keep("one", true)).toEqual(kept);
  expect(keep("one", false)).toEqual({ not: "there is a card over all cases already" });
  expect(keep("one", true, "invalid")).toEqual({ not: "no review was valid" });
  expect(readCard(tool.repo, "kept")).toMatchObject({ whole: true, caught: 1 });
  expect(keep("two", false)).toEqual(kept);
  expect(keep("two", true)).toEqual(kept);
});

it("a file that is no card counts as none", () => {
  writeFileSync(join(tool.repo, ".pairflow", "reviewers", "broken.json"), "{");
  expect(readCard(tool.repo, "broken")).toBeUndefined();
  expect(readCard(tool.repo, "../runtime/x")).toBeUndefined();
});

it("cases can be listed, and a mistyped one is told apart from its neighbour", async () => {
  const listed = await tool.ok("bench", "reviewer", "--list", "--class", "injection");
  expect(listed).toContain("file-history/option");
  expect(listed.trim().split("\n")).toHaveLength(6);
  const wrong = await tool.run("bench", "reviewer", "--case", "page-link");
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("there is no case page-link; did you mean page-links");
  expect((await tool.run("bench", "reviewer", "--runs", "0")).stderr).toContain(
    "must be a whole number above 0",
  );
  expect((await tool.run("bench", "reviewer", "--case", "page-links", "--class", "race")).stderr).toContain(
    "bench.no-case",
  );
});

it("an agent that cannot be started is refused before anything runs", async () => {
  const ran = await tool.run("bench", "reviewer", "--agent", "nobody-here");
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("nobody-here cannot be started (agent.not-ready)");
});
