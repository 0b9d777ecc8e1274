// The test command: makes the checkout ready, checks the rooms, then runs Vitest with any further arguments.
//   --node24   the whole suite under Node.js 24 instead of the Node that runs this file
//   --quick    types, and the tests of rules, settings and pages: they start no command; for the loop of a contributor
//   --soak     only the long campaigns: tests/soak, and every test file whose name contains "campaign"
// When a whole run fails in a few files, they are run once more alone, see second-look.mjs.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { installAgentClis } from "./agent-clis.mjs";
import { runInMemory } from "./in-memory.mjs";
import { installNatsServer } from "./nats-server.mjs";
import { installNode24 } from "./node24.mjs";
import { describeUnstable, isWorthASecondLook, listFailedFiles } from "./second-look.mjs";

const root = resolve(import.meta.dirname, "..");
const given = process.argv.slice(2);
const vitest = [join(root, "node_modules", "vitest", "vitest.mjs"), "run"];
const soak = given.includes("--soak");
const quick = given.includes("--quick");
const filters = given.filter((word) => !["--soak", "--node24", "--quick"].includes(word));

must(process.execPath, [join(root, "scripts", "setup.mjs"), "--test"]);
const rooms = runToEnd([join(root, "scripts", "rooms.mjs")]);
if (!quick) await fetchTools();
if ((await rooms) !== 0) process.exit(1);

if (quick) await runQuickly();

const newer = findNode24();
const node = given.includes("--node24") ? newer : process.execPath;
if (!node) process.exit(3);

const env = cleanEnvironment();
if (newer) env.PAIRFLOW_NODE24 = newer;
const clis = findClis();
if (clis) env.PAIRFLOW_AGENT_CLIS = JSON.stringify(clis);
const natsServer = findNatsServer();
if (natsServer) env.PAIRFLOW_NATS_SERVER = natsServer;
if (soak) env.PAIRFLOW_SOAK = "1";
// Scripts that start with "#!/usr/bin/env node" must meet the same Node as the suite.
env.PATH = `${dirname(node)}${delimiter}${env.PATH}`;
const scope = soak ? ["--passWithNoTests", ...(filters.length > 0 ? [] : ["tests/soak", "campaign"])] : [];
if (soak || filters.length > 0) must(node, [...vitest, ...scope, ...filters], env);
else process.exit(runWholeSuite());

/** What the whole suite needs beside the packages, all at the same time; what fails is tried again, and told, where it is looked for. */
async function fetchTools() {
  const agents = ["claude", "codex", "opencode", "codexAcp"].map((name) => ["agent-clis.mjs", name]);
  const fetched = [["node24.mjs"], ["nats-server.mjs"], ...agents].map(([script, ...names]) =>
    runToEnd([join(root, "scripts", script), ...names], ["ignore", "ignore", "inherit"]),
  );
  await Promise.all(fetched);
}

/** Types and rules at the same time, without what the whole suite installs; ends the process. */
async function runQuickly() {
  const chosen = ["--project", "rules", ...filters];
  const ends = await Promise.all([
    runToEnd([join(root, "node_modules", "typescript", "bin", "tsc"), "--noEmit"]),
    // Campaigns are left out of it, see vitest.config.ts.
    runToEnd([...vitest, ...chosen], "inherit", { ...cleanEnvironment(), PAIRFLOW_QUICK: "1" }),
  ]);
  process.exit(Math.max(...ends));
}

/** The exit code of a part. */
function runToEnd(argv, stdio = "inherit", env = cleanEnvironment()) {
  const child = spawn(process.execPath, argv, { cwd: root, env, stdio });
  return new Promise((end) => child.once("close", (code) => end(code ?? 1)));
}

/** Runs everything; returns the exit code. */
function runWholeSuite() {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-suite-"));
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const [program, ...args] = runInMemory([node, ...vitest, ...reporters]);
  const status = run(program, args, env);
  const files = listFailedFiles(report, root);
  rmSync(folder, { recursive: true, force: true });
  if (status === 0 || !isWorthASecondLook(files)) return status;
  process.stderr.write(`\nRunning alone what failed: ${files.join(", ")}\n`);
  const alone = run(node, [...vitest, "--maxWorkers=1", ...files], env);
  if (alone === 0) process.stderr.write(describeUnstable(files));
  return alone;
}

function findNode24() {
  try {
    return installNode24();
  } catch (error) {
    const ending = process.env.CI ? "That fails the run in CI." : "Tests that need it are skipped.";
    process.stderr.write(`WARNING: no Node.js 24 here. ${error.message}\nWARNING: ${ending}\n`);
    if (process.env.CI) process.exit(3);
    return undefined;
  }
}

/** The real agent CLIs, pinned, in a cache of this command's own. Without them their tests fail, and say why. */
function findClis() {
  try {
    return installAgentClis();
  } catch (error) {
    process.stderr.write(`WARNING: the real agent CLIs cannot be installed. ${error.message}\n`);
    process.stderr.write("WARNING: every test of tests/agent-clis will fail.\n");
    if (process.env.CI) process.exit(3);
    return undefined;
  }
}

/** A nats-server for the adapters that speak to one. Without it their tests are skipped, and say why. */
function findNatsServer() {
  try {
    return installNatsServer();
  } catch (error) {
    const ending = process.env.CI ? "That fails the run in CI." : "Tests that need it are skipped.";
    process.stderr.write(`WARNING: no nats-server here. ${error.message}\nWARNING: ${ending}\n`);
    if (process.env.CI) process.exit(3);
    return undefined;
  }
}

/**
 * The caller's environment without the variables by which Pairflow knows an agent's process, and without certificates
 * beyond Node's own: tests reach nothing but loopback, and reading them would be two thirds of each start of Node.
 */
function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("PAIRFLOW_") && (soak || name !== "NODE_EXTRA_CA_CERTS"),
  );
  return { ...Object.fromEntries(entries), PATH: withoutPackageFolders(process.env.PATH ?? "") };
}

/** Without the folders of programs that npm puts first: no test means those, and each start of git would look there. */
function withoutPackageFolders(path) {
  const isOfNpm = (folder) => /[\\/]node_modules[\\/]\.bin$|node-gyp-bin$/.test(folder);
  return path
    .split(delimiter)
    .filter((folder) => !isOfNpm(folder))
    .join(delimiter);
}

function must(command, args, environment = process.env) {
  const status = run(command, args, environment);
  if (status !== 0) process.exit(status);
}

function run(command, args, environment) {
  return spawnSync(command, args, { cwd: root, env: environment, stdio: "inherit" }).status ?? 1;
}
