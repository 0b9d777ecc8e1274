// A nats-server for the tests: the one on the PATH if it is new enough, otherwise the package of Debian testing, unpacked into
// a cache. The machine's own package sources are asked, so that no server is named here, and its package lists stay as they are.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { runWithLock } from "./lock.mjs";

const root = resolve(import.meta.dirname, "..");
const cache = join(root, "node_modules", ".cache", "pairflow");
const home = join(cache, "nats-server");
/** Schedules, message TTL with markers and compare-and-set over several subjects came with it. */
const OLDEST = [2, 12];
const SUITE = "testing";

/** Absolute path of a nats-server, installed on first use; throws with one sentence when there is none. */
export function installNatsServer() {
  const installed = join(home, "usr", "sbin", "nats-server");
  if (isRecent("nats-server")) return "nats-server";
  if (!existsSync(installed)) installOnce(installed);
  if (!isRecent(installed))
    throw new Error(
      `${installed} is no nats-server ${OLDEST.join(".")} or newer. Delete ${home} to install it again.`,
    );
  return installed;
}

function isRecent(program) {
  const { stdout, status } = spawnSync(program, ["--version"], { encoding: "utf8" });
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(status === 0 ? stdout : "") ?? [];
  return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
}

/** Several processes may come here at once; one installs and the others wait for it. */
function installOnce(installed) {
  mkdirSync(cache, { recursive: true });
  let failure;
  runWithLock(`${home}.lock`, say, () => {
    try {
      if (!existsSync(installed)) install();
    } catch (error) {
      failure = error; // thrown outside, where the lock is free again
    }
  });
  if (failure) throw failure;
}

function install() {
  say("Installing nats-server for the tests (once).");
  const work = mkdtempSync(join(tmpdir(), "pairflow-nats-"));
  const aside = `${home}.tmp-${process.pid}`;
  try {
    for (const folder of ["parts", "lists/partial"]) mkdirSync(join(work, folder), { recursive: true });
    writeFileSync(join(work, "parts", "testing.sources"), describeSource());
    const apart = { SourceList: "/dev/null", SourceParts: join(work, "parts") };
    const options = [
      ...Object.entries(apart).flatMap(([name, value]) => ["-o", `Dir::Etc::${name}=${value}`]),
      ...["-o", `Dir::State::Lists=${join(work, "lists")}`],
    ];
    run("apt-get", [...options, "update"], work);
    run("apt-get", [...options, "download", "nats-server"], work);
    const [file] = readdirSync(work).filter((name) => name.endsWith(".deb"));
    run("dpkg", ["-x", join(work, file), aside], work);
    rmSync(home, { recursive: true, force: true });
    renameSync(aside, home);
  } finally {
    for (const folder of [work, aside]) rmSync(folder, { recursive: true, force: true });
  }
}

/** The machine's first Debian source, for another suite. */
function describeSource() {
  const file = "/etc/apt/sources.list.d/debian.sources";
  const [first = ""] = existsSync(file) ? readFileSync(file, "utf8").split(/\n\s*\n/) : [];
  if (!/^Suites:/m.test(first)) throw new Error(`This machine has no ${file} to install nats-server from.`);
  return first.replace(/^Suites:.*$/m, `Suites: ${SUITE}`).concat("\n");
}

function run(program, args, cwd) {
  const { status, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.at(-1)} failed: ${(stderr ?? `${error}`).trim()}`);
}

function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    console.log(installNatsServer());
  } catch (error) {
    console.error(`Error: ${error.message}`);
    process.exitCode = 3;
  }
}
