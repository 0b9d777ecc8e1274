// The demo: a whole bubble with built-in scripted agents, to the commit. It leaves nothing behind unless it is asked to.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, execute, type Rig, rig } from "../acceptance/rig.ts";
import { openTerminal, type Terminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let folder: string;
let tool: Rig;
const screens: Terminal[] = [];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-demo-test-"));
  tool = rig();
});
afterAll(async () => {
  for (const screen of screens) screen.close();
  await tool.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A temporary folder of its own, to see what is left in it. */
function place(name: string): { temporary: string; env: Record<string, string> } {
  const temporary = join(folder, name);
  mkdirSync(temporary);
  return { temporary, env: { ...tool.env, HOME: folder, TMPDIR: temporary, PAIRFLOW_CHECKOUTS: "" } };
}

/** Processes whose environment or words name this folder. */
const living = (temporary: string) =>
  execFileSync("ps", ["axeww", "-o", "pid=,command="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(join(temporary, "pairflow-demo-")));

function atTerminal(env: Record<string, string>, ...flags: string[]): Terminal {
  const screen = openTerminal(tool, ["demo", ...flags], { env });
  screens.push(screen);
  return screen;
}

it("goes from a task to a commit, with a question, a finding, two clean passes and a signature", async () => {
  const { temporary, env } = place("kept");
  const ran = await execute([process.execPath, cli, "demo", "--keep"], { cwd: folder, env });
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  const said = ran.stderr + ran.stdout;
  expect(said).toContain("A discount above 100 gives a negative total");
  expect(said).toMatch(/\n {2}committed [0-9a-f]{10} on bubble\/fix-discount\n/);
  expect(said).not.toMatch(/warning +review\./);
  expectShown("README.md", "$ npm start", said);
  const [made = ""] = readdirSync(temporary).filter((name) => name.startsWith("pairflow-demo-"));
  const shop = join(temporary, made, "shop");
  expect(said).toContain(`pairflow log --repo ${shop} --id fix-discount`);
  const log = execFileSync("git", ["-C", shop, "log", "-1", "--format=%s", "bubble/fix-discount"], {
    encoding: "utf8",
  });
  expect(log.trim()).toBe("fix(cart): take the discount off before tax");
  expectShown("README.md", "$ git log -1 --stat bubble/fix-discount", said);
  expectShown("README.md", "$ pairflow explain --id fix-discount", said);
}, 60_000);

it("takes its folder away at its end", async () => {
  const { temporary, env } = place("gone");
  const ran = await execute([process.execPath, cli, "demo"], { cwd: folder, env });
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  expect(ran.stdout).toContain("pairflow demo --keep");
  expect(readdirSync(temporary)).toEqual([]);
}, 60_000);

it("Ctrl-C at its question leaves: nothing is answered, nothing is left", async () => {
  const { temporary, env } = place("asked");
  const screen = atTerminal(env);
  await screen.sees("your answer [Before tax]");
  screen.presses("C-c");
  const { code, screen: text } = await screen.ends();
  expect(code, text).toBe(130);
  expect(text).not.toContain("HUMAN_REPLY");
  expect(readdirSync(temporary)).toEqual([]);
  expect(living(temporary)).toEqual([]);
}, 60_000);

it("Ctrl-C while an agent works leaves too", async () => {
  const { temporary, env } = place("working");
  const screen = atTerminal(env);
  await screen.sees("work against each other on it.");
  screen.presses("C-c");
  const { code, screen: text } = await screen.ends();
  expect(code, text).toBe(130);
  expect(readdirSync(temporary)).toEqual([]);
  expect(living(temporary)).toEqual([]);
}, 60_000);

it("Ctrl-C with --keep says where its folder is", async () => {
  const { temporary, env } = place("kept-open");
  const screen = atTerminal(env, "--keep");
  await screen.sees("your answer [Before tax]");
  screen.presses("C-c");
  const { code, screen: text } = await screen.ends();
  expect(code, text).toBe(130);
  const [made = ""] = readdirSync(temporary);
  expect(text).toContain(`The demo's folder is kept: ${join(temporary, made)}`);
}, 60_000);
