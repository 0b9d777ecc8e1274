// The test command: makes the checkout ready, checks the rooms, then runs Vitest with any further arguments.
//   --node24   the whole suite under Node.js 24 instead of the Node that runs this file
//   --soak     only the long campaigns: tests/soak, and every test file whose name contains "campaign"
import { spawnSync } from "node:child_process";
import { delimiter, dirname, join, resolve } from "node:path";
import { agentClis } from "./agent-clis.mjs";
import { node24 } from "./node24.mjs";

const root = resolve(import.meta.dirname, "..");
const given = process.argv.slice(2);
const soak = given.includes("--soak");
const filters = given.filter((word) => word !== "--soak" && word !== "--node24");

must(process.execPath, [join(root, "scripts", "setup.mjs"), "--test"]);
must(process.execPath, [join(root, "scripts", "rooms.mjs")]);

const newer = findNode24();
const node = given.includes("--node24") ? newer : process.execPath;
if (!node) process.exit(3);

const env = cleanEnvironment();
if (newer) env.PAIRFLOW_NODE24 = newer;
const clis = findClis();
if (clis) Object.assign(env, { PAIRFLOW_CLAUDE: clis.claude, PAIRFLOW_CODEX: clis.codex });
if (soak) env.PAIRFLOW_SOAK = "1";
// Scripts that start with "#!/usr/bin/env node" must meet the same Node as the suite.
env.PATH = `${dirname(node)}${delimiter}${env.PATH}`;
const scope = soak ? ["--passWithNoTests", "tests/soak", "campaign"] : [];
must(node, [join(root, "node_modules", "vitest", "vitest.mjs"), "run", ...scope, ...filters], env);

function findNode24() {
  try {
    return node24();
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
    return agentClis();
  } catch (error) {
    process.stderr.write(`WARNING: the real agent CLIs cannot be installed. ${error.message}\n`);
    process.stderr.write("WARNING: every test of tests/clis will fail.\n");
    if (process.env.CI) process.exit(3);
    return undefined;
  }
}

/** The caller's environment without the variables by which Pairflow knows an agent's process. */
function cleanEnvironment() {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith("PAIRFLOW_"));
  return Object.fromEntries(entries);
}

function must(command, args, environment = process.env) {
  const done = spawnSync(command, args, { cwd: root, env: environment, stdio: "inherit" });
  if (done.status !== 0) process.exit(done.status ?? 1);
}
