// Pairflow from a program: the JSON of its commands, as docs/json.md describes it. There is one interface, and a program can do
// nothing that a person at a terminal could not. What only looks is done in this process; what changes something is a command
// of its own, since a driver has signals, locks and children.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const { loadChunk } = createRequire(import.meta.url)("../bin/launch.js");
const command = fileURLToPath(new URL("../bin/pairflow", import.meta.url));

/** A command that was refused or failed: `code` is the dotted code of docs/errors.md, `exitCode` that of docs/cli.md. */
export class PairflowError extends Error {
  constructor({ kind, code, message, hint, details }, exitCode) {
    super(message);
    Object.assign(this, { name: "PairflowError", kind, code, hint, details, exitCode });
  }
}

/** Runs any command with `--json` and returns what it prints: the value, the lines of `log`, or the text of help. */
export async function pairflow(words, options = {}) {
  if (!Array.isArray(words) || !words.every(isText))
    throw complain('words are a list of texts: ["bubble", "list"]');
  return toValue(await runCommand([...words, "--json"], options), words);
}

const isText = (value) => typeof value === "string";

/** A text that a function cannot do without. */
function requireText(name, value) {
  if (!isText(value) || value === "") throw complain(`${name} must be a text, not ${JSON.stringify(value)}`);
  return value;
}

const complain = (message) =>
  new PairflowError({ kind: "usage", code: "usage.bad-arguments", message, hint: "docs/library.md" }, 2);

function toValue(said, words) {
  if (said.code === 0 && words[0] === "log") return parseLines(said.stdout);
  if (said.code === 0 && !/^[[{"]/.test(said.stdout)) return said.stdout;
  return refuseErrors(parseOutput(said), said.code);
}

function refuseErrors(value, code) {
  if (value?.error) throw new PairflowError(value.error, code);
  return value;
}

const parseLines = (text) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The bubbles of a repository, one row each. */
export async function listBubbles({ all = false, ...options } = {}) {
  return (await look("status", ["bubble", "list", ...(all ? ["--all"] : []), "--json"], options)).bubbles;
}

/** The state that a bubble's record folds to: now, or as of the line `at`. */
export async function readStatus({ bubble, at, ...options }) {
  const then = at === undefined ? [] : ["--at", String(at)];
  const words = ["bubble", "status", "--id", requireText("bubble", bubble), ...then, "--json"];
  return look("status", words, options);
}

/** Every line of a bubble's record, oldest first. */
export async function readRecord({ bubble, ...options }) {
  return look("read", ["log", "--id", requireText("bubble", bubble), "--json"], options);
}

/** Whether records are as they were written: one bubble's, or those of all. A broken record is a result, not an error. */
export async function verifyRecords({ bubble, ...options } = {}) {
  const words = [
    "verify",
    ...(bubble === undefined ? [] : ["--id", requireText("bubble", bubble)]),
    "--json",
  ];
  const said = await capture("read", words, options);
  const value = parseOutput(said);
  return value.bubbles ? value : refuseErrors(value, said.code);
}

/** The status that lines of a record come to, without any file: what `readStatus` says as of the last of them. */
export function foldRecord(lines) {
  if (!Array.isArray(lines)) throw complain("lines are a list: what readRecord returns");
  const { status, error } = loadBundle("read").foldRecord(lines);
  if (error) throw new PairflowError(error, 1);
  return status;
}

/** Makes a bubble. `flags` are those of `pairflow bubble create`; without a person to ask, `yes` confirms gates and setup. */
export async function createBubble({ bubble, task, yes = false, flags = [], ...options }) {
  const named = ["--id", requireText("bubble", bubble), "--task", requireText("task", task)];
  return pairflow(["bubble", "create", ...named, ...(yes ? ["--yes"] : []), ...flags], options);
}

/** Drives a bubble until it waits for a person or has ended, and returns its status then. */
export async function runBubble({ bubble, flags = [], ...options }) {
  return pairflow(
    ["bubble", "start", "--id", requireText("bubble", bubble), "--headless", ...flags],
    options,
  );
}

const bundles = new Map();

/** Loaded once a process: a bundle that only looks, with everything it needs. */
function loadBundle(name) {
  if (!bundles.has(name)) bundles.set(name, loadChunk(name));
  return bundles.get(name);
}

async function look(bundle, words, options) {
  return toValue(await capture(bundle, words, options), words);
}

/** What a command that only looks would print, without a process of its own; with another environment it has one. */
async function capture(bundle, words, options) {
  const { repo, env, signal, onNarration } = options;
  signal?.throwIfAborted();
  if (env) return runCommand(words, options);
  const said = await loadBundle(bundle).look(words, { cwd: repo ?? process.cwd(), env: process.env });
  if (said.stderr) onNarration?.(said.stderr);
  return said;
}

async function runCommand(argv, { repo = process.cwd(), env = process.env, signal, onNarration }) {
  if (!statSync(repo, { throwIfNoEntry: false })?.isDirectory()) throw complain(`repo is no folder: ${repo}`);
  const child = spawn(process.execPath, [command, ...argv], {
    cwd: repo,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    ...(signal ? { signal, killSignal: "SIGTERM" } : {}),
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said.stderr += text;
    onNarration?.(text);
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, ...said }));
  });
}

function parseOutput({ stdout, stderr, code }) {
  try {
    return JSON.parse(stdout);
  } catch {
    const message = `pairflow ended with ${code} and printed no JSON: ${stderr.trim()}`;
    throw new PairflowError({ kind: "failure", code: "library.no-answer", message }, code);
  }
}
