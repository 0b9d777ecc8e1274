// The shared first step of both commands: load one bundle and hand it the arguments.
// Every agent turn pays for this file, so it reads nothing but the bundle it needs.
"use strict";
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");

/** Runs one bundle of dist/, building it first when this is a checkout that has never been built. */
exports.launch = (bundle, argv, name) => {
  const file = join(root, "dist", `${bundle}.cjs`);
  if ((isSupported(process.versions.node) || refuseNode()) && (existsSync(file) || build(file))) {
    return require(file).run(argv, { name });
  }
};

function isSupported(version) {
  const [major, minor] = version.split(".", 2).map(Number);
  return major > 20 || (major === 20 && minor >= 19);
}

function refuseNode() {
  process.stderr.write(`Error: Pairflow needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 3;
  return false;
}

// stdout belongs to the command's result, so the build talks to stderr.
function build(file) {
  const setup = join(root, "scripts", "setup.mjs");
  if (existsSync(setup)) {
    process.stderr.write("First use of this checkout: building the command.\n");
    const { spawnSync } = require("node:child_process");
    const done = spawnSync(process.execPath, [setup, "--build"], { stdio: ["ignore", 2, 2] });
    if (done.status !== 0) {
      process.exitCode = done.status ?? 3;
      return false;
    }
  }
  if (existsSync(file)) return true;
  process.stderr.write(`Error: ${file} is missing.\nHint: npm run build\n`);
  process.exitCode = 3;
  return false;
}
