// V8's compiled form of each bundle: what its top level and its everyday commands need is in it. Those commands are
// run once for that, each bundle in a process of its own, on bubbles that are made for it and thrown away.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { imported } from "../../bench/bundle.mjs";
import launcher from "../../bin/launch.js";

const root = resolve(import.meta.dirname, "..", "..");
const { compiledPath } = launcher;
const runner = join(import.meta.dirname, "run-once.cjs");

/** Compiles each bundle; the files that this makes for each of them, named as a start looks for them. */
export async function compileBundles(files, scratch) {
  const repo = join(scratch, "repo");
  mkdirSync(join(repo, ".git"), { recursive: true });
  const lab = await imported("lab.ts", scratch);
  const where = { repo, workflow: readFileSync(join(root, "workflows", "pair.yaml"), "utf8") };
  const turns = {};
  for (const id of ["pass", "ask", "script", "tool"]) turns[id] = (await lab.write(where, id, 20)).env;
  const script = join(scratch, "script.json");
  writeFileSync(script, JSON.stringify({ turns: [{ steps: [{ pass: { summary: "done" } }] }] }));
  const forms = everyday(turns, script, await makeReviews(scratch));
  const formsOf = (file) => Object.entries(forms[basename(file, ".cjs")] ?? { "": [] });
  const compileForms = (file) =>
    Promise.all(formsOf(file).map(([form, lines]) => compileBundle({ file, form }, lines, repo)));
  return Promise.all(files.map(compileForms));
}

/** Turns of reviewers: one that must prove its approval, in a repository of its own, and others whose word counts. */
async function makeReviews(scratch) {
  const lab = await imported("review.ts", scratch);
  const repo = join(scratch, "reviewed");
  const commits = lab.makeRepository(repo, 60);
  const make = (bubble, evidence) => lab.makeBubble(repo, commits, { bubble, applying: 4, evidence });
  const proven = await make("proven", true);
  const file = join(scratch, "review.json");
  writeFileSync(file, proven.review);
  const line = ({ env }, ...words) => ({ argv: ["pass", ...words], env });
  const lines = [
    line(proven, "--review-file", file),
    line(await make("clean", false), "--summary", "LGTM", "--no-findings"),
    line(
      await make("found", false),
      "--summary",
      "One defect",
      ...["--finding", "P1:Wrong sum @ src/part0/module0.ts:2"],
    ),
  ];
  return { repo, lines };
}

/** What is typed most often, by bundle and form; the rest of a bundle is compiled when it is used. */
function everyday(turns, script, { lines: reviews, repo: reviewed }) {
  const plain = (line) => ({ argv: line.split(" ") });
  const passes = [
    { argv: ["pass", "--summary", "done"], env: turns.pass },
    { argv: ["ask-human", "--question", "Which one?"], env: turns.ask },
  ];
  const status = ["bubble status --id pass", "bubble list"].flatMap((line) => [
    plain(line),
    plain(`${line} --json`),
  ]);
  return {
    agent: { "": passes, "review.": reviews },
    status: { "": [plain("--version"), ...status] },
    home: { "": [{ argv: [] }] },
    init: { "": [{ argv: ["init", "--dry-run", "--repo", reviewed] }] },
    read: { "": [plain("--help"), plain("inbox")] },
    scripted: { "": [{ argv: ["scripted-agent", "--script", script], env: turns.script }] },
    mcp: { "": [{ argv: ["mcp"], env: turns.tool, input: session }] },
  };
}

/** What a client of the MCP server says in a turn: it greets, asks for the tools and hands over. */
const session = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "build", version: "1" },
    },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
  { id: 3, method: "tools/call", params: { name: "pass", arguments: { summary: "done" } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");

async function compileBundle({ file, form }, lines, repo) {
  const made = compiledPath(file, form);
  const child = spawn(process.execPath, [runner, file, made, join(root, "dist"), JSON.stringify(lines)], {
    cwd: repo,
    env: { PATH: process.env.PATH ?? "", HOME: repo },
    stdio: ["pipe", "ignore", "pipe"],
  });
  child.stdin.end(lines.map(({ input = "" }) => input).join(""));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const code = await new Promise((end) => child.once("close", end));
  if (code !== 0) throw new Error(`${basename(file)} cannot run its everyday commands:\n${said}`);
  return made;
}
