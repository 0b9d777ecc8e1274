// Pairflow from a program. Every function runs the command of this package and returns the JSON it prints, as docs/json.md
// describes it: there is one interface, and a program can do nothing that a person at a terminal could not.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

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
  const { code, stdout, stderr } = await runCommand([...words, "--json"], options);
  const value = parseOutput(stdout, stderr, code);
  if (value?.error && !options.returnsErrors) throw new PairflowError(value.error, code);
  return value;
}

/** The bubbles of a repository, one row each. */
export async function listBubbles({ all = false, ...options } = {}) {
  return (await pairflow(["bubble", "list", ...(all ? ["--all"] : [])], options)).bubbles;
}

/** The state that a bubble's record folds to: now, or as of the line `at`. */
export function readStatus({ bubble, at, ...options }) {
  return pairflow(
    ["bubble", "status", "--id", bubble, ...(at === undefined ? [] : ["--at", String(at)])],
    options,
  );
}

/** Every line of a bubble's record, oldest first. */
export async function readRecord({ bubble, ...options }) {
  const { code, stdout, stderr } = await runCommand(["log", "--id", bubble, "--json"], options);
  if (code !== 0) throw new PairflowError(parseOutput(stdout, stderr, code).error, code);
  return stdout
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/** Whether records are as they were written: one bubble's, or those of all. A broken record is a result, not an error. */
export function verifyRecords({ bubble, ...options } = {}) {
  return pairflow(["verify", ...(bubble ? ["--id", bubble] : [])], { ...options, returnsErrors: true });
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
