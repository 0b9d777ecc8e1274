// The shared first step of both commands: load one bundle and hand it the arguments.
// Every agent turn pays for this file, so it reads nothing but the bundle it needs.
"use strict";
const { existsSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

const root = join(__dirname, "..");

/** Nothing of these continues after its answer, so Node need not take itself apart: the system does that faster. */
const SHORT = ["agent", "status", "read", "scripted"];

/** Runs one bundle of dist/, building it first when this is a checkout that has never been built. */
exports.launch = (bundle, argv, name) => {
  const file = join(root, "dist", `${bundle}.cjs`);
  if ((isSupported(process.versions.node) || refuseNode()) && (existsSync(file) || build(file))) {
    const done = load(file, exports.formOf(argv)).run(argv, { name });
    return SHORT.includes(bundle) ? done.then(() => process.exit()) : done;
  }
};

/** A driver needs far more of its bundle than any other command, so what V8 compiled for one is kept apart. */
exports.formOf = (argv) => (argv[1] === "drive" || argv.includes("--headless") ? "drive." : "");

/**
 * Loads a bundle, with the code V8 compiled when it was built: compiling it again would be the largest part of a
 * verb's own time. V8 checks that the code fits the source and itself; if it does not, it compiles as usual.
 */
function load(file, form) {
  const compiled = exports.compiledPath(file, form);
  const known = existsSync(compiled) ? readFileSync(compiled) : undefined;
  const script = exports.scriptOf(file, known);
  if (!known) process.once("exit", (code) => code === 0 && keep(script, compiled));
  return exports.run(script, file);
}

/** What the bundle exports. `folder`: where it takes itself to be. */
exports.run = (script, file, folder = dirname(file)) => {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, folder);
  return module.exports;
};

/**
 * An installed package, a Node that the build did not run under, and a driver have no compiled code yet: the first command
 * that succeeds leaves what it needed. Where the folder may not be written, all goes on as it is.
 */
function keep(script, compiled) {
  const made = `${compiled}.${process.pid}`;
  try {
    writeFileSync(made, script.createCachedData());
    renameSync(made, compiled);
  } catch {
    // The next command compiles again, as this one did.
  }
}

/** Where the compiled code of this very bundle is kept: V8 compares little more than the length of the source. */
exports.compiledPath = (file, form = "") => {
  const { size, mtimeMs } = statSync(file);
  return `${file}.${form}${process.version}-${size}-${Math.trunc(mtimeMs)}.bin`;
};

/**
 * A bundle. The build has made it a function of the CommonJS variables, since putting it into one here would copy all of
 * it, and leaves nothing in it that is not ASCII.
 */
exports.scriptOf = (file, cachedData) =>
  new Script(readFileSync(file, "latin1"), { filename: file, cachedData });

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
