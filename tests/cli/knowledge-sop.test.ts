// pairflow sop list, sop match, constitution show: what a project has written down, and what is wrong with it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { runAt } from "../helpers/operator.ts";

let tool: Rig;
const commit = (message: string) => {
  tool.git("add", "-A");
  tool.git("commit", "-q", "-m", message);
};
beforeAll(() => {
  tool = rig({
    files: {
      ".pairflow/sops/error-handling.md":
        '---\napplies_to: ["src/**/*.ts", "*.go"]\nrequirements:\n  - Errors are wrapped\n---\n# Error handling\n\nWrap errors.\n',
      ".pairflow/sops/db/migrations.md": "---\napplies_to: db/**\nseverity: warning\n---\nGo back too.\n",
      ".pairflow/sops/kind.md": "---\ntitle: Be kind\nseverity: info\n---\nBe kind.\n",
      ".pairflow/sops/history.md": "---\ncategory: reference\n---\nOnce upon a time.\n",
      ".pairflow/constitution.md":
        "# Shop\n\n## Purpose\nSell.\n\n## Rules\n- be brief\n\n## Standards\n- test it\n",
      "src/api/constitution.md": "## Purpose\nServe.\n\n## Rules\n- no floats\n",
      "src/api/cart.ts": "export {};\n",
    },
  });
});
afterAll(() => tool.close());

const session = async (...args: string[]) => {
  const { code, stdout, stderr } = await tool.run(...args);
  const text = `${stdout}${stderr}`.replaceAll(/\([0-9a-f]{7}\)/g, "(0123abc)");
  return `\n${text}${code === 0 ? "" : `[exit ${code}]\n`}`;
};

describe("sop list", () => {
  it("shows id, severity, patterns, how many files match, and the title", async () => {
    expect(await session("sop", "list")).toMatchInlineSnapshot(`
      "
      source.doc.sops.error-handling   error     src/**/*.ts, *.go   1 file        Error handling
      source.doc.sops.kind             info      every file          11 files      Be kind
      source.doc.sops.migrations       warning   db/**               no file yet   migrations
      Note: .pairflow/sops/history.md has category reference and is no SOP
      "
    `);
  });

  it("--json has the same without the texts", async () => {
    const { sops, problems, base } = JSON.parse(await tool.ok("sop", "list", "--json"));
    expect({ base, problems }).toEqual({ base: "main", problems: [] });
    expect(sops[0]).toEqual({
      id: "source.doc.sops.error-handling",
      file: ".pairflow/sops/error-handling.md",
      title: "Error handling",
      severity: "error",
      applies_to: ["src/**/*.ts", "*.go"],
      requirements: ["Errors are wrapped"],
      matches: 1,
    });
  });

  it("reads the commit, not the working copy, and says what is not committed", async () => {
    tool.write(".pairflow/sops/new.md", "New.\n");
    const { stdout, stderr } = await tool.run("sop", "list");
    expect(stdout).not.toContain("source.doc.sops.new");
    expect(stderr).toBe("Not committed, so it does not count yet: .pairflow/sops/new.md\n");
    tool.git("clean", "-qfd", ".pairflow/sops");
  });

  it("an agent is not told: it is an operator's command", async () => {
    const inside = tool.with({ PAIRFLOW_TURN: "x:t1.1:secret" });
    for (const words of [
      ["sop", "list"],
      ["sop", "match", "a"],
      ["constitution", "show", "--role", "reviewer"],
      ["brief", "--role", "reviewer"],
    ])
      expect(await inside.run(...words)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("operator.inside-agent"),
      });
  });
});

describe("sop match", () => {
  it("says which SOPs apply to which file, and by which pattern", async () => {
    expect(
      await session("sop", "match", "src/api/cart.ts", "db/001.sql", "tools/x.go"),
    ).toMatchInlineSnapshot(`
      "
      source.doc.sops.error-handling   error     src/api/cart.ts   matches src/**/*.ts
                                                 tools/x.go        matches *.go
      source.doc.sops.kind             info      src/api/cart.ts   applies to every file
                                                 db/001.sql        applies to every file
                                                 tools/x.go        applies to every file
      source.doc.sops.migrations       warning   db/001.sql        matches db/**
      "
    `);
  });

  it("takes paths as they are seen from the current folder", async () => {
    const { stdout } = await runAt(
      tool,
      { cwd: `${tool.repo}/src` },
      "sop",
      "match",
      "api/cart.ts",
      "--json",
    );
    const { files, sops } = JSON.parse(stdout);
    expect(files).toEqual(["src/api/cart.ts"]);
    expect(sops[0]).toMatchObject({ hits: [{ file: "src/api/cart.ts", pattern: "src/**/*.ts" }] });
  });

  it("needs a file, and one of this repository", async () => {
    expect(await session("sop", "match")).toMatchInlineSnapshot(`
      "
      Error: sop match needs at least one file (usage.missing-word)
      Hint: pairflow sop match src/cart.ts
      [exit 2]
      "
    `);
    expect(await session("sop", "match", "../elsewhere.ts")).toContain("(knowledge.outside)");
  });
});

describe("constitution show", () => {
  it("merges root and folder for the files at hand, with Standards for a reviewer", async () => {
    expect(
      await session("constitution", "show", "--role", "reviewer", "--path", "src/api/cart.ts"),
    ).toMatchInlineSnapshot(`
      "
      ### Purpose

      From src/api/constitution.md, for files below src/api/:

      Serve.

      ### Rules

      From .pairflow/constitution.md:

      - be brief

      From src/api/constitution.md, for files below src/api/:

      - no floats

      ### Standards

      From .pairflow/constitution.md:

      - test it
      "
    `);
  });

  it("leaves Standards out for an implementer and says so", async () => {
    const shown = await tool.run("constitution", "show", "--role", "implementer", "--path", "README.md");
    expect(shown.stdout).not.toMatch(/test it|no floats/);
    expect(shown.stderr).toContain("Kept from the implementer: Standards");
  });

  it("knows the roles there are", async () => {
    expect(await session("constitution", "show", "--role", "reviwer")).toMatchInlineSnapshot(`
      "
      Error: there is no role reviwer; did you mean reviewer? (knowledge.unknown-role)
      [exit 2]
      "
    `);
  });
});

describe("a mistake in any of it", () => {
  it("is shown by sop list beside what is right, and no bubble can be created", async () => {
    tool.write(".pairflow/sops/kind.md", "---\nseverity: eror\nsince: 2026\n---\nBe kind.\n");
    tool.write(".pairflow/sops/go/kind.md", "Be kinder.\n");
    tool.write(".pairflow/conventions.ndjson", '{"name":"x"}\n');
    commit("broken");
    expect(await session("sop", "list")).toMatchInlineSnapshot(`
      "
      source.doc.sops.error-handling   error     src/**/*.ts, *.go   1 file        Error handling
      source.doc.sops.kind             error     every file          13 files      kind
      source.doc.sops.migrations       warning   db/**               no file yet   migrations
      Note: .pairflow/sops/history.md has category reference and is no SOP

      5 problems; no bubble can be created from main (0123abc):
        .pairflow/sops/kind.md:2:11: severity must be error, warning or info
        .pairflow/sops/kind.md:3:1: there is no setting since; known: title, category, severity, applies_to, requirements
        .pairflow/sops/go/kind.md and .pairflow/sops/kind.md are both source.doc.sops.kind
        .pairflow/conventions.ndjson:1: pattern is missing
        .pairflow/conventions.ndjson:1: applies_to is missing
      [exit 2]
      "
    `);
    const made = await tool.run("bubble", "create", "--id", "broken", "--task", "x", "--test", "true");
    expect(made).toMatchObject({ code: 2, stdout: "" });
    expect(made.stderr).toContain(".pairflow/sops/kind.md:2:11: severity must be error, warning or info");
    expect(made.stderr).toContain("are both source.doc.sops.kind");
    expect(made.stderr).toContain(".pairflow/conventions.ndjson:1: pattern is missing");
    expect(await tool.run("sop", "match", "README.md")).toMatchObject({ code: 2 });
  });
});
