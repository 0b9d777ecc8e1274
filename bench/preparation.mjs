// Making a clean checkout ready in a project with 300 packages, as a whole bubble does it: the worktree once with an empty
// download cache, then the checkouts of the base run and of the final run with a warm one.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bench, shortest } from "./bubbles.mjs";

const packages = 300;

export async function preparation() {
  const b = bench("preparation");
  const registry = spawn(process.execPath, [join(import.meta.dirname, "registry.mjs"), String(packages)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [port] = await once(registry.stdout, "data");
    project(b, Number(port));
    // Processor time is judged: the clock also counts what others do on this machine.
    const figures = setupsOf(b).map(({ clock, processor }, n) => ({
      key: `preparation.${["cold", "base", "final"][n]}`,
      value: processor,
      note: `${clock.toFixed(1)} s by the clock`,
    }));
    return { title: `npm ci of ${packages} packages in a fresh tree`, figures };
  } finally {
    registry.kill();
    b.close();
  }
}

/** A project that depends on every package of the registry, with its lockfile. */
function project(b, port) {
  const names = Array.from({ length: packages }, (_, n) => `bench-part-${n}`);
  const dependencies = Object.fromEntries(names.map((name) => [name, "1.0.0"]));
  writeFileSync(join(b.repo, ".npmrc"), `registry=http://127.0.0.1:${port}/\naudit=false\nfund=false\n`);
  writeFileSync(
    join(b.repo, "package.json"),
    JSON.stringify({ name: "shop", version: "1.0.0", dependencies }),
  );
  // Reviews are not what is measured here.
  const config = "defaults: { review: { require_evidence: false } }\n";
  writeFileSync(join(b.repo, ".pairflow", "config.yaml"), config);
  const ignored = join(b.repo, ".gitignore");
  writeFileSync(ignored, `${readFileSync(ignored, "utf8")}node_modules/\n`);
  // The lockfile is made with a cache of its own: the first setup begins with an empty one.
  b.sh("npm", "install", "--package-lock-only", "--cache", join(b.folder, "other-cache"));
  b.sh("git", "add", "-A");
  b.sh("git", "commit", "-q", "-m", "packages");
}

/** What each setup of one bubble took, in the order in which they ran. */
function setupsOf(b) {
  const times = join(b.folder, "times");
  // The shell's own account of its children: user and system, as 0m1.23s.
  const after = `times > ${times}.all; { tail -n 1 ${times}.all; date +%s.%N; } >> ${times}`;
  const setup = `date +%s.%N >> ${times}; npm ci && ${after}`;
  const [codex, claude] = shortest("prepared");
  const last = `bench-part-${packages - 1}`;
  const flags = ["--setup", setup, "--test", `node -e 'require("${last}")'`];
  b.create("prepared", codex, claude, "", flags);
  b.pairflow("bubble", "start", "--yes", "--id", "prepared", "--headless");
  const { state } = b.status("prepared");
  if (state !== "READY_FOR_APPROVAL") throw new Error(b.pairflow("log", "--id", "prepared", "--all"));
  const lines = readFileSync(times, "utf8").trim().split("\n");
  return Array.from({ length: lines.length / 3 }, (_, n) => {
    const [begin, used, end] = lines.slice(3 * n, 3 * n + 3);
    return { clock: Number(end) - Number(begin), processor: seconds(used) };
  });
}

const seconds = (used) =>
  used.split(" ").reduce((sum, part) => {
    const [, minutes, rest] = /^(\d+)m([\d.]+)s$/.exec(part) ?? [0, 0, 0];
    return sum + Number(minutes) * 60 + Number(rest);
  }, 0);
