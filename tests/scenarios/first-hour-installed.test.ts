// Scene 1 of docs/first-hour.md and the way from there to a first commit, from the package as it is installed, on a fresh user: an empty
// home, nobody's rights but their own, and no settings of git but a name.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shortest } from "../acceptance/rig.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-first-hour-"));
const [home, scratch] = [join(folder, "home"), join(folder, "scratch")];
/** Root plays somebody else; everybody else plays themselves. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const env = {
  ...{ HOME: home, TMPDIR: scratch, LANG: "C.UTF-8" },
  PATH: `${join(home, ".local", "bin")}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
};

function run(cwd: string, program: string, ...args: string[]): string {
  const ran = spawnSync(program, args, { cwd, env, encoding: "utf8", timeout: 110_000, ...user });
  expect(ran.status, `${program} ${args.join(" ")}\n${ran.stdout}\n${ran.stderr}${ran.error ?? ""}`).toBe(0);
  return ran.stdout + ran.stderr;
}

let typed = 0;
function type(cwd: string, ...words: string[]): string {
  typed += 1;
  return run(cwd, "pairflow", ...words);
}

beforeAll(() => {
  chmodSync(folder, 0o755);
  for (const path of [home, scratch]) {
    mkdirSync(path);
    if (user) chownSync(path, user.uid, user.gid);
  }
  const packing = ["pack", "--json", "--ignore-scripts", "--offline", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", packing, { cwd: root, encoding: "utf8" }));
  const tarball = join(folder, packed.filename);
  const quiet = ["--offline", "--no-audit", "--no-fund", "--loglevel=error"];
  run(home, "npm", "install", "--global", "--prefix", join(home, ".local"), tarball, ...quiet);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

const page = readFileSync(join(root, "docs", "first-hour.md"), "utf8");
const promise = (scene: number) =>
  Number(new RegExp(`^\\| ${scene} \\|.*\\| (\\d+) \\| \\d+ \\|$`, "m").exec(page)?.[1]);

it("scene 1: one command shows a whole bubble, and leaves nothing behind", { timeout: 120_000 }, () => {
  typed = 0;
  const shown = type(home, "demo");
  expect(typed).toBe(promise(1));
  expect(shown).toMatch(/the demo answers: Before tax[\s\S]*committed [0-9a-f]{10} on bubble\/fix-discount/);
  expect(readdirSync(scratch)).toEqual([]);
});

it("then the first commit of one's own takes as many commands as the page says", { timeout: 120_000 }, () => {
  const shop = join(home, "shop");
  cpSync(join(root, "examples", "demo", "repo"), shop, { recursive: true });
  const scripts = Object.entries({ codex: shortest.implementer, claude: shortest.reviewer }).map(
    ([name, turns]) => {
      const script = join(folder, `${name}.json`);
      writeFileSync(script, JSON.stringify({ agent: name, turns }));
      return `  ${name}: { adapter: scripted, script: ${script} }\n`;
    },
  );
  mkdirSync(join(shop, ".pairflow"));
  mkdirSync(join(shop, "src"), { recursive: true });
  writeFileSync(join(shop, ".pairflow", "config.yaml"), `agents:\n${scripts.join("")}`);
  writeFileSync(join(shop, "src", "cart.txt"), "total: 1\n");
  if (user) execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, shop]);
  for (const [key, value] of [
    ["user.name", "Ann"],
    ["user.email", "ann@localhost"],
  ] as const)
    run(home, "git", "config", "--global", key, value);
  run(shop, "git", "init", "-q", "-b", "main");
  run(shop, "git", "add", "-A");
  run(shop, "git", "commit", "-qm", "A shop");
  // A person signs at a terminal; a script needs a key.
  const key = join(home, "operator.key");
  run(shop, "pairflow", "init", "--operator-key", key);
  typed = 0;
  type(shop, "new", "Make the total right", "--yes", "--headless");
  type(shop, "approve", "--yes", "--operator-key", key);
  expect(type(shop, "commit", "--operator-key", key)).toContain("git merge bubble/make-the-total-right");
  expect(typed).toBe(promise(5));
  expect(run(shop, "pairflow", "verify")).toContain("✓ make-the-total-right   good");
});
