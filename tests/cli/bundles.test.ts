// The command loads one of several bundles by its first words: what it answers must not depend on which one.
import { spawnSync } from "node:child_process";
import { closeSync, cpSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { isTerminal } from "../../src/cli/terminal/terminal.ts";
import { overview } from "../../src/cli/verb/help.ts";
import { version } from "../../src/cli/verb/run.ts";

const root = join(import.meta.dirname, "..", "..");
const say = (...argv: string[]) =>
  spawnSync(process.execPath, [join(root, "bin", "pairflow"), ...argv], { encoding: "utf8" });

describe("bundles", () => {
  test("help, answered by a small bundle, tells of every verb", () => {
    const { stdout, status } = say("help");
    expect(stdout.trimEnd()).toBe(overview(verbs, version, Number.POSITIVE_INFINITY).trimEnd());
    expect(status).toBe(0);
  });

  test("help of a verb that is in another bundle shows its flags", () => {
    const { stdout, status } = say("help", "bubble", "create");
    expect(stdout).toContain("--implementer");
    expect(status).toBe(0);
  });

  test("each bundle has its compiled form beside it, and nothing in it that is not ASCII", () => {
    const names = readdirSync(join(root, "dist"));
    for (const bundle of ["main", "agent", "read", "mcp"]) {
      expect(names.filter((name) => name.startsWith(`${bundle}.cjs.${process.version}-`))).toHaveLength(1);
      const bytes = readFileSync(join(root, "dist", `${bundle}.cjs`));
      expect(bytes.findIndex((byte) => byte > 0x7f)).toBe(-1);
    }
  });
});

test("an installed package has no compiled form before its first command, and one afterwards", () => {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-installed-"));
  for (const part of ["bin", "package.json", "dist/read.cjs"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const compiled = () => readdirSync(join(folder, "dist")).filter((name) => name !== "read.cjs");
  const once = () =>
    spawnSync(process.execPath, [join(folder, "bin", "pairflow"), "--version"], { encoding: "utf8" });
  expect(compiled()).toEqual([]);
  const first = once();
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining(version) });
  expect(compiled()).toEqual([expect.stringMatching(/^read\.cjs\.v.*\.bin$/)]);
  expect(once().stdout).toBe(first.stdout);
  rmSync(folder, { recursive: true });
});

test("a package that is installed needs nothing beside itself, and has the pages that screens name", () => {
  const { dependencies, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect([dependencies, files]).toEqual([undefined, expect.arrayContaining(["bin", "dist/*.cjs", "docs"])]);
  for (const bundle of ["main", "agent", "read", "mcp"]) {
    const text = readFileSync(join(root, "dist", `${bundle}.cjs`), "utf8");
    // Between quotes it is text: ajv has words for code that it does not write here.
    const wanted = [...text.matchAll(/(?<![\w'"`])require\("([^"]+)"\)/g)].map(([, name = ""]) => name);
    expect(wanted.filter((name) => !isBuiltin(name))).toEqual([]);
  }
});

test("files, /dev/null and closed descriptors are no terminals", () => {
  const file = openSync(join(root, "package.json"), "r");
  const nothing = openSync("/dev/null", "r");
  expect([isTerminal(file), isTerminal(nothing)]).toEqual([false, false]);
  closeSync(file);
  closeSync(nothing);
  expect(isTerminal(file)).toBe(false);
});
