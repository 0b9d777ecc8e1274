// V8's compiled form of each bundle: what its top level and its everyday commands need is in it. Those commands are
// run once for that, each bundle in a process of its own, on bubbles that are made for it and thrown away.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { imported } from "../../bench/bundle.mjs";
import launcher from "../../bin/launch.js";

const root = resolve(import.meta.dirname, "..", "..");
const { compiledPath } = launcher;
const runner = join(import.meta.dirname, "run-once.cjs");

/** Compiles each bundle; the files that this makes, in the order of the bundles and named as a start looks for them. */
export async function compileBundles(files, scratch) {
  const repo = join(scratch, "repo");
  mkdirSync(join(repo, ".git"), { recursive: true });
  const lab = await imported("lab.ts", scratch);
  const where = { repo, workflow: readFileSync(join(root, "workflows", "pair.yaml"), "utf8") };
  const speaking = [];
  for (const id of ["pass", "ask"]) speaking.push(await lab.write(where, id, 20));
  return Promise.all(
    files.map((file) => compileBundle(file, everyday(basename(file, ".cjs"), speaking), repo)),
  );
}

/** What is typed most often; the rest of a bundle is compiled when it is used. */
function everyday(bundle, [pass, ask]) {
  if (bundle === "agent")
    return [
      { argv: ["pass", "--summary", "done"], env: pass.env },
      { argv: ["ask-human", "--question", "Which one?"], env: ask.env },
    ];
  const lines = {
    status: [
      "--version",
      ...["bubble status --id pass", "bubble list"].flatMap((line) => [line, `${line} --json`]),
    ],
    read: ["--help", "inbox"],
  };
  return (lines[bundle] ?? []).map((line) => ({ argv: line.split(" ") }));
}

async function compileBundle(file, lines, repo) {
  const made = compiledPath(file);
  const child = spawn(process.execPath, [runner, file, made, join(root, "dist"), JSON.stringify(lines)], {
    cwd: repo,
    env: { PATH: process.env.PATH ?? "", HOME: repo },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said += text;
  });
  const code = await new Promise((end) => child.once("close", end));
  if (code !== 0) throw new Error(`${basename(file)} cannot run its everyday commands:\n${said}`);
  return made;
}
