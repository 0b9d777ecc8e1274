// The real Claude Code and Codex for the tests, at the versions the adapters were tried with. The registry carries each
// program whole in a package for each platform; these are installed, because the wrappers around them need install
// scripts, or leave the real program running when they are killed.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { withLock } from "./lock.mjs";

const root = resolve(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache", "pairflow");
const TRIES = 3;
const PAUSE_MS = 3_000;

const CLAUDE = "2.1.197";
const CODEX = "0.166.0";
const CODEX_TARGETS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/** Absolute paths of both programs, installed on first use; throws with one sentence when there is one missing. */
export function agentClis() {
  return { claude: program(claude()), codex: program(codex()) };
}

/** The newest Claude Code, installed on first use; for campaigns that ask whether the adapter still fits. */
export function newestClaude() {
  const { wanted } = claude("latest");
  const answer = spawnSync("npm", ["view", wanted, "version"], { encoding: "utf8" });
  const version = answer.stdout?.trim();
  if (answer.status !== 0 || !version)
    throw new Error(`npm view ${wanted}: ${answer.stderr ?? answer.error}`);
  return program(claude(version));
}

function claude(version = CLAUDE) {
  const name = `@anthropic-ai/claude-code-${platform()}${isMusl() ? "-musl" : ""}`;
  return { name: "claude", version, wanted: `${name}@${version}`, path: join(name, "claude") };
}

function codex() {
  const target = CODEX_TARGETS[platform()];
  const wanted = `codex-native@npm:@openai/codex@${CODEX}-${platform()}`;
  return {
    name: "codex",
    version: CODEX,
    wanted,
    path: join("codex-native", "vendor", target, "bin", "codex"),
  };
}

function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (!CODEX_TARGETS[name]) throw new Error(`No Claude Code and Codex are pinned for ${name}.`);
  return name;
}

function isMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

function program({ name, version, wanted, path }) {
  const home = join(cache, `${name}-${version}`);
  const binary = join(home, "node_modules", path);
  // Whoever finds the folder finds it whole: it is renamed into place.
  if (!existsSync(binary)) installOnce(home, wanted, binary);
  const answer = spawnSync(binary, ["--version"], { encoding: "utf8", env: { PATH: process.env.PATH } });
  if (answer.status !== 0 || !answer.stdout.includes(version)) {
    const seen = `${answer.error?.message ?? ""}${answer.stdout ?? ""}${answer.stderr ?? ""}`.trim();
    throw new Error(
      `${binary} does not run as ${name} ${version}: ${seen}. Delete ${home} to install it again.`,
    );
  }
  return binary;
}

/** Several processes may come here at once; one installs and the others wait for it. */
function installOnce(home, wanted, binary) {
  mkdirSync(cache, { recursive: true });
  let failure;
  withLock(`${home}.lock`, say, () => {
    try {
      if (!existsSync(binary)) install(home, wanted);
    } catch (error) {
      failure = error; // thrown outside, where the lock is free again
    }
  });
  if (failure) throw failure;
}

function install(home, wanted) {
  say(`Installing ${wanted} for the tests (once).`);
  const aside = `${home}.tmp-${process.pid}`;
  let why = "";
  for (let turn = 1; turn <= TRIES; turn += 1) {
    why = npmInstall(aside, wanted);
    if (why === "") break;
    rmSync(aside, { recursive: true, force: true });
    if (turn < TRIES) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * turn);
  }
  if (why !== "") throw new Error(`npm install ${wanted} failed ${TRIES} times: ${why}`);
  // What lies there lacks its program, or nobody would have come here.
  rmSync(home, { recursive: true, force: true });
  renameSync(aside, home);
}

/** What went wrong, or nothing. */
function npmInstall(folder, wanted) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", ["install", ...flags, wanted], { cwd: folder, encoding: "utf8" });
  return done.status === 0 ? "" : `${done.stderr ?? done.error}`.trim() || `exit ${done.status}`;
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(JSON.stringify(agentClis(), null, 2));
  } catch (error) {
    console.error(`Error: ${error.message}`);
    process.exitCode = 3;
  }
}
