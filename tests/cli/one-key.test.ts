// A question with keys is answered by one key, without Enter; hands that type a word or Enter answer that question and not the
// next one. Ctrl-C at a question leaves nothing behind and says how to come back.
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, runHeadless, type Terminal } from "../helpers/operator.ts";

let tool: Rig;
let screen: Terminal | undefined;
beforeEach(() => {
  tool = rig({ files: { "package.json": '{"scripts":{"test":"grep -q total src/cart.txt"}}\n' } });
});
afterEach(async () => {
  screen?.close();
  await tool.close();
});

/** As it is before anybody prepares it. */
function openUnprepared(): void {
  rmSync(join(tool.repo, ".pairflow"), { recursive: true, force: true });
  rmSync(join(tool.repo, ".gitignore"), { force: true });
  tool.git("add", "-A");
  tool.git("commit", "-qm", "Nothing of Pairflow", "--allow-empty");
  expect(tool.git("status", "--porcelain")).toBe("");
}

const ask = (...words: string[]): Terminal => {
  screen?.close();
  screen = openTerminal(tool, words, { columns: 80, rows: 24 });
  return screen;
};

it("Ctrl-C at init leaves the repository as it was, and says what to type", async () => {
  openUnprepared();
  const person = ask("init");
  await person.sees("[n]o");
  person.presses("C-c");
  const { code, screen: text } = await person.ends();
  expect(code).toBe(130);
  expect(text).toContain("Left without an answer. Again: pairflow init\n");
  expect(existsSync(join(tool.repo, ".pairflow"))).toBe(false);
  expect(tool.git("status", "--porcelain")).toBe("");
  expect(await tool.ok()).toMatch(/next\n +pairflow init /);
});

it("one key takes what init shows, and commits it", async () => {
  openUnprepared();
  const person = ask("init");
  await person.sees("[n]o");
  person.presses("y");
  const { code, screen: text } = await person.ends();
  expect(code, text).toBe(0);
  expect(text).toMatch(/\[n\]o y\n/);
  expect(tool.git("log", "-1", "--name-only", "--format=").trim().split("\n")).toEqual([
    ".gitignore",
    ".pairflow/config.yaml",
  ]);
});

it("a wish that is begun and left does not show in git, nor hides init", async () => {
  openUnprepared();
  const person = ask("new", "Fix the total, it's wrong");
  await person.sees("[n]o");
  // Another word than the ones that are offered is not taken by the letters it holds.
  person.types("maybe");
  await person.sees(/Press one of the keys y, a, p, n\.\nStart it\?.*\[n\]o *\n*$/);
  person.presses("C-c");
  expect((await person.ends()).screen).toContain(
    "Left without an answer. Again: pairflow new 'Fix the total, it'\\''s wrong'",
  );
  expect(tool.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  expect(await tool.ok()).toMatch(/\(main, clean\)[\s\S]*next\n +pairflow init /);
});

it("a bubble before init leaves git status clean, and its configuration can be committed all the same", async () => {
  openUnprepared();
  await createScripted(tool, "early", shortest);
  await tool.ok("start", "early", "--headless");
  expect(tool.git("status", "--porcelain", "--untracked-files=all")).toBe("");
  tool.write(".pairflow/config.yaml", "defaults: { max_rounds: 3 }\n");
  tool.write(".pairflow/sops/one.md", "# One\n");
  expect(tool.git("status", "--porcelain", "--untracked-files=all")).toBe(
    "?? .pairflow/config.yaml\n?? .pairflow/sops/one.md\n",
  );
});

it("a whole word with Enter answers one question and leaves the next one open", async () => {
  await runHeadless(tool, "look", shortest);
  const person = ask("approve", "look");
  await person.sees("[q]uit");
  person.types("approve");
  // What is left of the word is no signature.
  await person.sees(/sign: *\n*$/);
  const text = await person.sees(/Digest \w+…(\w{4})/);
  person.types(/Digest \w+…(\w{4})/.exec(text)?.[1] ?? "");
  expect((await person.ends()).screen).toContain("Approved look");
});
