// Pairflow from a program: the JSON of its commands, as docs/json.md describes it. There is one interface, and a program can do
// nothing that a person at a terminal could not. What only looks is done in this process; what changes something is a command
// of its own, since a driver has signals, locks and children.
import { spawn } from "node:child_process";
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

/** Runs any command with `--json` and returns what it prints. */
export async function pairflow(words, options = {}) {
  return toValue(await runCommand([...words, "--json"], options), options);
}

function toValue({ code, stdout, stderr }, options) {
  const value = parseOutput(stdout, stderr, code);
  if (value?.error && !options.returnsErrors) throw new PairflowError(value.error, code);
  return value;
}

/** The bubbles of a repository, one row each. */
export async function listBubbles({ all = false, ...options } = {}) {
  return (await look("status", ["bubble", "list", ...(all ? ["--all"] : []), "--json"], options)).bubbles;
}

/** The state that a bubble's record folds to: now, or as of the line `at`. */
export function readStatus({ bubble, at, ...options }) {
  const then = at === undefined ? [] : ["--at", String(at)];
  return look("status", ["bubble", "status", "--id", bubble, ...then, "--json"], options);
}

/** Every line of a bubble's record, oldest first. */
export async function readRecord({ bubble, ...options }) {
  const { code, stdout, stderr } = await capture("read", ["log", "--id", bubble, "--json"], options);
  if (code !== 0) throw new PairflowError(parseOutput(stdout, stderr, code).error, code);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Whether records are as they were written: one bubble's, or those of all. A broken record is a result, not an error. */
export function verifyRecords({ bubble, ...options } = {}) {
  const words = ["verify", ...(bubble ? ["--id", bubble] : []), "--json"];
  return look("read", words, { ...options, returnsErrors: true });
}

/** The status that lines of a record come to, without any file: what `readStatus` says as of the last of them. */
export function foldRecord(lines) {
  const { status, error } = loadBundle("read").foldRecord(lines);
  if (error) throw new PairflowError(error, 1);
  return status;
}

/** Makes a bubble. `flags` are those of `pairflow bubble create`; without a person to ask, `yes` confirms gates and setup. */
export function createBubble({ bubble, task, yes = false, flags = [], ...options }) {
  return pairflow(
    ["bubble", "create", "--id", bubble, "--task", task, ...(yes ? ["--yes"] : []), ...flags],
    options,
  );
}

/** Drives a bubble until it waits for a person or has ended, and returns its status then. */
export function runBubble({ bubble, flags = [], ...options }) {
  return pairflow(["bubble", "start", "--id", bubble, "--headless", ...flags], options);
}

const bundles = new Map();

/** Loaded once a process: a bundle that only looks, with everything it needs. */
function loadBundle(name) {
  if (!bundles.has(name)) bundles.set(name, loadChunk(name));
  return bundles.get(name);
}

async function look(bundle, words, options) {
  return toValue(await capture(bundle, words, options), options);
}

/** What a command that only looks would print, without a process of its own; with another environment it has one. */
async function capture(bundle, words, options) {
  const { repo, env, onNarration } = options;
  if (env) return runCommand(words, options);
  const said = await loadBundle(bundle).look(words, { cwd: repo ?? process.cwd(), env: process.env });
  if (said.stderr) onNarration?.(said.stderr);
  return said;
}

function runCommand(argv, { repo, env = process.env, signal, onNarration }) {
  const child = spawn(process.execPath, [command, ...argv], {
    cwd: repo ?? process.cwd(),
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

function parseOutput(stdout, stderr, code) {
  try {
    return JSON.parse(stdout);
  } catch (cause) {
    throw new Error(`pairflow ended with ${code} and printed no JSON: ${stderr.trim()}`, { cause });
  }
}
