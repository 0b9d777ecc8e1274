// The shared first step of both commands: load one bundle and hand it the arguments.
// Every agent turn pays for this file, so it reads nothing but the bundle it needs.
"use strict";
const { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { basename, dirname, join } = require("node:path");
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

/** Flags of a reviewer's `pass`. */
exports.REVIEW_FLAGS = [
  ...["--review-file", "--finding", "--findings-file", "--no-findings", "--fixed", "--open", "--withdrawn"],
  ...["--checked", "--sop", "--confidence"],
];

/**
 * A driver needs far more of its bundle than any other command, and a review far more than a handoff, so what V8 compiled
 * for them is kept apart.
 */
exports.formOf = (argv) => {
  if (argv[1] === "drive" || argv.includes("--headless")) return "drive.";
  const isReview =
    argv[0] === "pass" && argv.some((word) => exports.REVIEW_FLAGS.includes(word.split("=")[0]));
  return isReview ? "review." : "";
};

/**
 * Loads a bundle, with the code V8 compiled when it was built: compiling it again would be the largest part of a
 * verb's own time. V8 checks that the code fits the source and itself; if it does not, it compiles as usual.
 */
function load(file, form) {
  const source = readFileSync(file, "latin1");
  const compiled = exports.compiledPath(file, form);
  if (existsSync(compiled)) return exports.run(compile(file, source, readFileSync(compiled)), file);
  const ofUser = exports.userPath(source, file, form);
  const isKept = existsSync(ofUser);
  const script = compile(file, source, isKept ? readFileSync(ofUser) : undefined);
  if (!isKept) process.once("exit", (code) => code === 0 && keepSomewhere(script, [compiled, ofUser]));
  return exports.run(script, file);
}

/** A bundle that another one needs in rare cases, such as the client of a server. */
exports.loadChunk = (name) => load(join(root, "dist", `${name}.cjs`), "");

/** What the bundle exports. `folder`: where it takes itself to be. */
exports.run = (script, file, folder = dirname(file)) => {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, folder);
  return module.exports;
};

/**
 * An installed package, a Node that the build did not run under, and a driver have no compiled code yet: the first command
 * that succeeds leaves what it needed, beside the bundle or, where that folder belongs to another user, in the user's own.
 */
function keepSomewhere(script, places) {
  // Made once, whichever place takes it.
  const data = script.createCachedData();
  return places.some((place) => keep(data, place));
}

/** Whether it could be written there. */
function keep(data, compiled) {
  const made = `${compiled}.${process.pid}`;
  try {
    if (dirname(dirname(compiled)) === userFolder()) makeUserFolder(dirname(compiled));
    writeFileSync(made, data, { mode: 0o600 });
    renameSync(made, compiled);
    return true;
  } catch {
    // The next command compiles again, as this one did.
    return false;
  }
}

function makeUserFolder(folder) {
  for (const one of [dirname(folder), folder]) mkdirSync(one, { recursive: true, mode: 0o700 });
}

/** The user's folder, as src/app/host/user-folder.ts knows it: agents' sandboxes never see it. */
function userFolder({ PAIRFLOW_HOME, XDG_STATE_HOME, HOME } = process.env) {
  if (PAIRFLOW_HOME) return PAIRFLOW_HOME;
  const state = XDG_STATE_HOME?.startsWith("/")
    ? XDG_STATE_HOME
    : join(HOME || require("node:os").homedir(), ".local", "state");
  return join(state, "pairflow");
}

/** Where a user keeps it. The bundle ends with its own hash: files of an installed package all have one time. */
exports.userPath = (source, file, form = "") =>
  join(userFolder(), "compiled", `${basename(file)}.${form}${process.version}-${source.slice(-16)}.bin`);

/** Where the compiled code of this very bundle is kept: V8 compares little more than the length of the source. */
exports.compiledPath = (file, form = "") => {
  const { size, mtimeMs } = statSync(file);
  return `${file}.${form}${process.version}-${size}-${Math.trunc(mtimeMs)}.bin`;
};

/**
 * A bundle. The build has made it a function of the CommonJS variables, since putting it into one here would copy all of
 * it, and leaves nothing in it that is not ASCII.
 */
exports.scriptOf = (file, cachedData) => compile(file, readFileSync(file, "latin1"), cachedData);

const compile = (file, source, cachedData) => new Script(source, { filename: file, cachedData });

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
