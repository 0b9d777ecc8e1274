// A process that runs one command line after another, as `bin/pairflow` runs one: the same bundle, evaluated anew each time
// so that nothing is remembered, with the environment, folder, output files and exit code of that line. Only Node's
// start and the compiling of the bundle are paid once. See commands.ts, which starts it and decides when it may.
"use strict";
const fs = require("node:fs");
const { join, resolve } = require("node:path");
const launcher = require("../../bin/launch.js");

const command = resolve(__dirname, "../../bin/pairflow");
const dist = resolve(__dirname, "../../dist");
const scripts = new Map();
const events = ["exit", "beforeExit", "SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH", "uncaughtException"];
const idle = () => process.getActiveResourcesInfo().sort().join();
let quiet = "";

process.on("disconnect", () => process.exit());
process.on("message", async (line) => {
  process.send({ begun: true });
  quiet ||= idle();
  const known = events.map((event) => process.listeners(event));
  enter(line);
  await evaluate(bundleOf(line.argv)).run(line.argv, { name: "pairflow" });
  await nothingGoesOn();
  leave(known);
  process.send({ code: process.exitCode ?? 0 });
});

function enter({ env, cwd, stdout, stderr }) {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.exitCode = undefined;
  // The lowest free number is taken, so each file becomes the descriptor that was just closed.
  for (const [fd, file] of [
    [1, stdout],
    [2, stderr],
  ]) {
    fs.closeSync(fd);
    if (fs.openSync(file, "a") !== fd) throw new Error(`${file} did not become descriptor ${fd}`);
  }
}

/** Which bundle the command itself would load for these words. */
function bundleOf(argv) {
  let chosen;
  launcher.launch = (bundle) => {
    chosen = bundle;
  };
  process.argv = [process.execPath, command, ...argv];
  delete require.cache[command];
  require(command);
  return chosen;
}

function evaluate(bundle) {
  const file = join(dist, `${bundle}.cjs`);
  let script = scripts.get(file);
  if (!script) {
    const compiled = ["drive.", ""]
      .map((form) => launcher.compiledPath(file, form))
      .find((path) => fs.existsSync(path));
    script = launcher.scriptOf(file, compiled && fs.readFileSync(compiled));
    scripts.set(file, script);
  }
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, dist);
  return module.exports;
}

/** A process ends when nothing goes on in it; here that is when only the channel to the tests is left. */
async function nothingGoesOn() {
  while (idle() !== quiet) await new Promise(setImmediate);
}

/** What the line would have done at its end, and nothing of it for the next one. */
function leave(known) {
  for (const [i, event] of events.entries()) {
    for (const listener of process.listeners(event)) {
      if (known[i].includes(listener)) continue;
      process.removeListener(event, listener);
      if (event === "exit") listener(process.exitCode ?? 0);
    }
  }
}
