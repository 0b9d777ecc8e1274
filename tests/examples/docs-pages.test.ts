// The pages as a reader follows them. The tutorial is run block by block in one repository, and what it shows is compared; on every
// page, every line that begins with `pairflow` must be a command with flags that exist.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findCommandProblem } from "../helpers/command-lines.ts";
import { listFences, listShown, toPattern } from "../helpers/shown.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-pages-"));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

interface Block {
  readonly commands: string;
  /** What the page shows behind it; `…` stands for anything. */
  readonly shown?: string;
  readonly notRun?: string;
}

/** Every `sh` block with the `text` block that follows it. */
function listBlocks(page: string): Block[] {
  const pattern = /(?:<!-- not run: (.+?) -->\n)?```sh\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)```)?/g;
  return [...page.matchAll(pattern)].map(([, notRun, commands = "", shown]) => ({
    commands,
    ...(notRun === undefined ? {} : { notRun }),
    ...(shown === undefined ? {} : { shown }),
  }));
}

/** Runs the blocks in one shell, in order; what each printed. */
function runBlocks(blocks: readonly Block[]): string[] {
  const cut = "=====next block=====";
  const bin = join(folder, "bin");
  for (const one of [bin, join(folder, "home"), join(folder, "work")]) mkdirSync(one);
  symlinkSync(join(root, "bin", "pairflow"), join(bin, "pairflow"));
  const script = ["set -e", ...blocks.flatMap(({ commands }) => [commands, `echo "${cut}"`])].join("\n");
  const author = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((who) => [
      [`GIT_${who}_NAME`, "You"],
      [`GIT_${who}_EMAIL`, "you@localhost"],
    ]),
  );
  const ran = spawnSync("bash", ["-c", script], {
    cwd: join(folder, "work"),
    encoding: "utf8",
    timeout: 110_000,
    env: {
      ...author,
      PATH: `${bin}:${process.env.PATH}`,
      HOME: join(folder, "home"),
      EXAMPLES: join(root, "examples", "demo"),
      PAIRFLOW_CHECKOUTS: join(folder, "checkouts"),
    },
  });
  expect(ran.status, `${ran.stdout}\n${ran.stderr}`).toBe(0);
  return ran.stdout.split(`${cut}\n`);
}

/** What the tutorial shows is the whole output: `…` alone on a line stands for any lines. */
function toWholePattern(shown: string): RegExp {
  const lines = shown.trimEnd().split("\n");
  return new RegExp(
    `^${lines.map((line) => (line === "…" ? "(?:.*\\n)*?" : `${toPattern(line)}\\n`)).join("")}$`,
  );
}

it("the tutorial shows what its commands print", { timeout: 120_000 }, () => {
  const blocks = listBlocks(readFileSync(join(root, "docs", "tutorial.md"), "utf8"));
  const runnable = blocks.filter(({ notRun }) => notRun === undefined);
  expect(blocks.length - runnable.length, "blocks that are not run, each with its reason").toBe(1);
  const printed = runBlocks(runnable);
  for (const [i, { shown, commands }] of runnable.entries())
    if (shown !== undefined) expect.soft(printed[i], commands).toMatch(toWholePattern(shown));
});

it("every page stands on a shelf", () => {
  const shelves = readFileSync(join(root, "docs", "README.md"), "utf8");
  const pages = readdirSync(join(root, "docs")).filter(
    (name) => name.endsWith(".md") && name !== "README.md",
  );
  expect(pages.filter((name) => !shelves.includes(`(${name})`))).toEqual([]);
});

/** Commands in a list, each with what it does behind it. */
const listListed = (page: string): string[] =>
  listFences(page)
    .filter(({ language }) => language === "")
    .flatMap(({ text }) => text.replaceAll("\\\n", " ").split("\n"))
    .map((line) => line.split(/ {3,}/)[0] ?? "");

/** Commands in the running text and in tables; what stands for something else, such as `…` or `<id>`, is a word like any other. */
const listInline = (page: string): string[] =>
  [
    ...readFileSync(join(root, page), "utf8")
      .replaceAll(/^```[\s\S]*?^```/gm, "")
      .matchAll(/`(pairflow [^`]+)`/g),
  ].map(([, line = ""]) => line.replaceAll("\\|", "|"));

describe("every command line of every page exists", () => {
  const pages = ["README.md", ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`)].filter(
    (path) => path.endsWith(".md"),
  );
  it.each(pages)("%s", (path) => {
    const wrong = listBlocks(readFileSync(join(root, path), "utf8"))
      .flatMap(({ commands }) => commands.replaceAll("\\\n", " ").split("\n"))
      .concat(listShown(path).flatMap(({ first }) => first.replace(/^\$ /, "").split(" && ")))
      .concat(path === "docs/cli.md" ? [] : listListed(path))
      .filter((line) => line.startsWith("pairflow "))
      .flatMap((line) => findCommandProblem(line) ?? []);
    // In a sentence a command is often named without all that it needs.
    const named = listInline(path).flatMap((line) => findCommandProblem(line) ?? []);
    expect([...wrong, ...named.filter((problem) => !/: \S.* needs /.test(problem))]).toEqual([]);
  });
});
