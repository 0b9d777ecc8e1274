// Makes a fresh clone ready: the right Node, the locked packages, git, what the tests need, a current build.
// It uses nothing but Node itself, because it runs before anything is installed. With nothing to do it says nothing.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { runWithLock } from "./lock.mjs";

const root = resolve(import.meta.dirname ?? ".", "..");
const modes = process.argv.slice(2);
const unknown = modes.find((mode) => !["--build", "--start", "--test"].includes(mode));
if (unknown) fail(`Unknown option ${unknown}; setup takes --build, --start or --test.`, 2);

requireNode();
const steps = [
  { needed: packagesDiffer, run: installPackages },
  { needed: () => isOlder("git", [2, 38]), run: () => installTool("git", [2, 38]) },
];
if (modes.includes("--test")) {
  steps.push({ needed: () => isOlder("tmux", [3, 2]), run: () => installTool("tmux", [3, 2]) });
  // The page is tested in a real browser.
  steps.push({ needed: () => isOlder("chromium", [100, 0]), run: () => installTool("chromium", [100, 0]) });
  // What Claude Code's own sandbox is made of.
  for (const [tool, program, least] of [
    ["bubblewrap", "bwrap", [0, 4]],
    ["socat", "socat", [1, 7]],
  ])
    steps.push({ needed: () => isOlder(program, least), run: () => installTool(tool, least, program) });
}
if (modes.length > 0) steps.push({ needed: buildIsStale, run: buildBundles });

// Look first without the lock: the usual answer is that there is nothing to do.
if (steps.some((step) => step.needed())) {
  runWithLock(join(root, ".setup.lock"), say, () => {
    for (const step of steps) if (step.needed()) step.run();
  });
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(
    `Pairflow needs Node.js 20.19 or newer; this is ${process.versions.node}. Install it from nodejs.org.`,
  );
}

/** Whether node_modules holds anything else than the lockfile asks for, by names and hashes, not by dates. */
function packagesDiffer() {
  const installed = readLock(join("node_modules", ".package-lock.json"));
  if (!installed) return true;
  const wanted = readLock("package-lock.json") ?? {};
  return Object.entries(wanted).some(([path, entry]) => {
    if (path === "" || (entry.optional && !installed[path])) return false;
    return installed[path]?.integrity !== entry.integrity;
  });
}

function readLock(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : undefined;
}

// Not npm ci: it takes all of node_modules away first, also where one package is missing. This installs what is locked and
// leaves the lockfile alone.
function installPackages() {
  say("Installing the locked packages (npm install).");
  const flags = ["--no-save", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  if (run("npm", ["install", ...flags]) !== 0)
    fail("npm install failed, see above. Hint: npm install --no-save");
}

/** The tool's version as [major, minor], or undefined when it is not installed. */
function toolVersion(tool) {
  const flag = ["tmux", "socat"].includes(tool) ? "-V" : "--version";
  const flags = tool === "chromium" && process.getuid?.() === 0 ? ["--no-sandbox", flag] : [flag];
  const answer = spawnSync(tool, flags, { encoding: "utf8" });
  const found = /(\d+)\.(\d+)/.exec(answer.stdout ?? "");
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

function isOlder(tool, [major, minor]) {
  const found = toolVersion(tool);
  return !found || found[0] < major || (found[0] === major && found[1] < minor);
}

function installTool(tool, least, program = tool) {
  const hint = `Install it with your package manager, for example: sudo apt-get install ${tool}`;
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"]).status === 0) {
    say(`Installing ${tool} (apt-get).`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    run("apt-get", ["update", "-qq"], env);
    run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", tool], env);
  }
  if (isOlder(program, least)) {
    const found = toolVersion(program)?.join(".") ?? "none";
    fail(`Pairflow needs ${tool} ${least.join(".")} or newer; found ${found}. ${hint}`);
  }
}

/** Whether any source is newer than the oldest bundle, or an entry point has no bundle yet. */
function buildIsStale() {
  const entries = join(root, "src", "cli", "entry");
  const bundles = readdirSync(entries).map((file) => join(root, "dist", file.replace(/\.ts$/, ".cjs")));
  if (!bundles.every((bundle) => existsSync(bundle))) return true;
  const oldest = Math.min(...bundles.map((bundle) => statSync(bundle).mtimeMs));
  const sources = ["package.json", join("scripts", "build.mjs"), join("scripts", "build"), "src", "web"].map(
    (path) => join(root, path),
  );
  return sources.some((path) => isNewer(path, oldest));
}

// A folder's own date counts too: it moves when a file in it is deleted or renamed.
function isNewer(path, than) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return false;
  if (stat.mtimeMs > than) return true;
  return stat.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), than));
}

function buildBundles() {
  if (run(process.execPath, [join(root, "scripts", "build.mjs")]) !== 0) fail("The build failed, see above.");
}

// The children's stdout is narration here, so it goes to stderr.
function run(command, args, env = process.env) {
  return spawnSync(command, args, { cwd: root, env, stdio: ["ignore", 2, 2] }).status ?? 1;
}

function say(sentence) {
  process.stderr.write(`setup: ${sentence}\n`);
}

function fail(sentence, status = 3) {
  process.stderr.write(`Error: ${sentence}\n`);
  process.exit(status);
}
