// The real agents for the tests, at the versions that src/adapters/agent/tried.json names first: Claude Code and Codex as npm
// installs them, with the wrappers people have on their PATH, and two agents that speak the Agent Client Protocol.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runWithLock } from "./lock.mjs";

const root = resolve(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache", "pairflow");
const TRIES = 3;
const PAUSE_MS = 3_000;

const tried = JSON.parse(readFileSync(join(root, "src", "adapters", "agent", "tried.json"), "utf8"));
const getPinnedVersion = (name) => tried[name][0];
const CODEX_TARGETS = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/**
 * Absolute paths of the programs, installed on first use; throws with one sentence when there is one missing. `claude` and
 * `codex` are the native programs, `claudeNpm` and `codexNpm` what npm puts on the PATH.
 */
export function installAgentClis(names = Object.keys(installers)) {
  return Object.assign({}, ...names.map((name) => installers[name]()));
}

const installers = {
  claude: () => bothWays("claude", claude()),
  codex: () => bothWays("codex", codex()),
  opencode: () => ({ opencode: program(opencode()) }),
  codexAcp: () => ({ codexAcp: program(codexAcp()) }),
};

/** The same for the newest versions in the registry, for campaigns that ask whether the adapters still fit. */
export function installNewestClis() {
  const [newestClaude, newestCodex] = [claude("latest"), codex("latest")].map(({ wanted }) =>
    viewVersion(wanted),
  );
  return { ...bothWays("claude", claude(newestClaude)), ...bothWays("codex", codex(newestCodex)) };
}

/** The newest Claude Code, installed on first use. */
export function installNewestClaude() {
  return program(claude(viewVersion(claude("latest").wanted)));
}

function bothWays(name, cli) {
  return { [name]: program(cli), [`${name}Npm`]: join(homeOf(cli), "node_modules", ".bin", name) };
}

function viewVersion(wanted) {
  const answer = spawnSync("npm", ["view", wanted, "version"], { encoding: "utf8" });
  const version = answer.stdout?.trim();
  if (answer.status !== 0 || !version)
    throw new Error(`npm view ${wanted}: ${answer.stderr ?? answer.error}`);
  return version;
}

function claude(version = getPinnedVersion("claude")) {
  const path = join(`@anthropic-ai/claude-code-${platform()}${isMusl() ? "-musl" : ""}`, "claude");
  return { name: "claude-npm", version, wanted: `@anthropic-ai/claude-code@${version}`, path, scripts: true };
}

function codex(version = getPinnedVersion("codex")) {
  const path = join("@openai", `codex-${platform()}`, "vendor", CODEX_TARGETS[platform()], "bin", "codex");
  return { name: "codex-npm", version, wanted: `@openai/codex@${version}`, path };
}

/** The package of the platform: the one around it installs several of them. */
function opencode() {
  const version = getPinnedVersion("opencode");
  const name = `opencode-${platform()}${isMusl() ? "-musl" : ""}`;
  return { name: "opencode", version, wanted: `${name}@${version}`, path: join(name, "bin", "opencode") };
}

/** Without a Codex of its own: `CODEX_PATH` names the one that is there. */
function codexAcp() {
  const version = getPinnedVersion("codex-acp");
  const wanted = `@agentclientprotocol/codex-acp@${version}`;
  return { name: "codex-acp", version, wanted, path: join(".bin", "codex-acp"), flags: ["--omit=optional"] };
}

function platform() {
  const name = `${process.platform}-${process.arch}`;
  if (!CODEX_TARGETS[name]) throw new Error(`No agents are pinned for ${name}.`);
  return name;
}

function isMusl() {
  return process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
}

const homeOf = ({ name, version }) => join(cache, `${name}-${version}`);

function program(cli) {
  const { name, version, path } = cli;
  const home = homeOf(cli);
  const binary = join(home, "node_modules", path);
  // Whoever finds the folder finds it whole: it is renamed into place.
  if (!existsSync(binary)) installOnce(home, cli, binary);
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
function installOnce(home, cli, binary) {
  mkdirSync(cache, { recursive: true });
  let failure;
  runWithLock(`${home}.lock`, say, () => {
    try {
      if (!existsSync(binary)) install(home, cli);
    } catch (error) {
      failure = error; // thrown outside, where the lock is free again
    }
  });
  if (failure) throw failure;
}

function install(home, cli) {
  const { wanted } = cli;
  say(`Installing ${wanted} for the tests (once).`);
  const aside = `${home}.tmp-${process.pid}`;
  let why = "";
  for (let turn = 1; turn <= TRIES; turn += 1) {
    why = npmInstall(aside, cli);
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
function npmInstall(folder, { wanted, scripts = false, flags: own = [] }) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const quiet = ["--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  // A person installs them outside of this repository, whose strictness about Node's version is not npm's usual one.
  const flags = [...quiet, "--no-engine-strict", ...(scripts ? [] : ["--ignore-scripts"]), ...own];
  const done = spawnSync("npm", ["install", ...flags, wanted], { cwd: folder, encoding: "utf8" });
  return done.status === 0 ? "" : `${done.stderr ?? done.error}`.trim() || `exit ${done.status}`;
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    const names = process.argv.slice(2);
    console.log(JSON.stringify(installAgentClis(names.length > 0 ? names : undefined), null, 2));
  } catch (error) {
    console.error(`Error: ${error.message}`);
    process.exitCode = 3;
  }
}
