// Reading a project's knowledge from one commit: only the wanted files, all at once, and nothing half.
import { describe, expect, it } from "vitest";
import { resolvePathInRepo } from "../../src/app/knowledge/paths.ts";
import { readKnowledge } from "../../src/app/knowledge/pin.ts";
import type { FileText, Trees } from "../../src/ports/record/trees.ts";
import type { Workspace } from "../../src/ports/workspace.ts";
import { thrownBy } from "./thrown.ts";

interface Asked {
  readonly tree: string;
  readonly path: string;
}

/** A commit held in memory, and what was asked of it. */
function commitOf(files: Readonly<Record<string, string | null>>) {
  const calls: Asked[][] = [];
  const trees: Trees = {
    async read(_home, wanted) {
      calls.push([...wanted]);
      return wanted.map(({ path }): FileText => {
        const text = files[path];
        if (text === undefined) return { kind: "absent" };
        return text === null ? { kind: "other" } : { kind: "text", text };
      });
    },
    paths: async () => [],
    hashes: async () => ({}),
  };
  const workspace = { filesAt: async () => Object.keys(files) } as unknown as Workspace;
  return { calls, world: { trees, workspace } };
}

const read = (files: Readonly<Record<string, string | null>>) =>
  readKnowledge(commitOf(files).world, "/repo", "c1");
const problem = async (files: Readonly<Record<string, string | null>>) => {
  const error = await read(files).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return thrownBy(() => {
    if (error) throw error;
  });
};

const convention = JSON.stringify({
  name: "T",
  pattern: "p",
  applies_to: "*.go",
  accepted_by: "Ada",
  accepted_at: "2026-01-01",
});

describe("a commit", () => {
  it("is asked once, for SOPs, constitutions and conventions and nothing else", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`.pairflow/sops/s${i}.md`, `S${i}`]),
    );
    const commit = commitOf({
      ...files,
      "src/a.ts": "code",
      ".pairflow/config.yaml": "x: 1",
      ".pairflow/constitution.md": "## Rules\n- r",
      "src/constitution.md": "## Rules\n- s",
      ".pairflow/conventions.ndjson": convention,
    });
    const knowledge = await readKnowledge(commit.world, "/repo", "c1");
    expect(commit.calls).toHaveLength(1);
    expect(commit.calls[0]).toHaveLength(203);
    expect(commit.calls[0]?.every(({ tree }) => tree === "c1")).toBe(true);
    expect(knowledge).toMatchObject({ v: 1, commit: "c1", conventions: [{ name: "T" }] });
    expect(knowledge.sops).toHaveLength(200);
    expect(knowledge.constitution.map(({ folder }) => folder)).toEqual(["", "src"]);
    expect(knowledge.hidden).toHaveLength(203);
  });

  it("without any knowledge has none", async () => {
    expect(await read({ "src/a.ts": "x" })).toEqual({
      v: 1,
      commit: "c1",
      sops: [],
      constitution: [],
      conventions: [],
      hidden: [],
    });
  });

  it("with any mistake gives nothing, and every mistake is told", async () => {
    const error = await problem({
      ".pairflow/sops/a.md": "---\nseverity: x\n---\n",
      ".pairflow/sops/b.md": "---\n",
      ".pairflow/sops/c.md": "fine",
      ".pairflow/conventions.ndjson": `${convention}\nrubbish\n`,
    });
    expect(error.code).toBe("sop.invalid");
    expect([error.message, ...(error.details ?? [])]).toEqual([
      ".pairflow/sops/a.md:2:11: severity must be error, warning or info",
      ".pairflow/sops/b.md:1:1: the settings have no second line of ---",
      ".pairflow/conventions.ndjson:2: is not one JSON object",
    ]);
  });

  it.each([".pairflow/sops/a.md", "src/constitution.md", ".pairflow/conventions.ndjson"])(
    "where %s is a link or no text gives nothing: what cannot be read may not be left out",
    async (path) => {
      expect(await problem({ [path]: null })).toMatchObject({
        code: "knowledge.not-text",
        message: expect.stringContaining(path),
      });
    },
  );
});

describe("a path that somebody types", () => {
  it("is the one from the top of the repository, wherever it is typed", () => {
    expect(resolvePathInRepo("a.ts", "/home/shop", "/home/shop/src")).toBe("src/a.ts");
    expect(resolvePathInRepo("/home/shop/src/a.ts", "/home/shop", "/tmp")).toBe("src/a.ts");
    expect(resolvePathInRepo("src/a.ts", "/home/shop", "/tmp")).toBe("src/a.ts");
    expect(resolvePathInRepo("a.ts", "/home/shop", "/home/.pairflow-worktrees/shop/fix/src")).toBe(
      "src/a.ts",
    );
  });

  it.each([
    ["/etc/passwd", "/tmp"],
    ["../x", "/home/shop"],
    ["../../x", "/tmp"],
    [".", "/home/shop"],
  ])("%s, typed in %s, is no file of the repository", (word, cwd) => {
    expect(thrownBy(() => resolvePathInRepo(word, "/home/shop", cwd)).code).toBe("knowledge.outside");
  });
});
