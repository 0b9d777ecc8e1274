// The constitution: cut by section, merged root → folder → task, each role its part.
import { describe, expect, it } from "vitest";
import {
  isConstitution,
  mergeConstitution,
  parseConstitution,
  removeStandards,
} from "../../../src/core/knowledge/constitution.ts";

const sections = (text: string) => parseConstitution("a/constitution.md", text).sections;
const root = parseConstitution(
  ".pairflow/constitution.md",
  "# Shop\n\n## Purpose\nSell.\n\n## Background\nOld.\n\n## Rules\n- root rule\n\n## Standards\n- root standard\n",
);
const api = parseConstitution("src/api/constitution.md", "## Purpose\nServe.\n\n## Rules\n- api rule\n");
const web = parseConstitution(
  "src/web/constitution.md",
  "## Purpose\nShow.\n\n## Standards\n- web standard\n",
);
const merge = (files: string[], task = "", levels = [web, api, root]) =>
  Object.fromEntries(
    mergeConstitution(levels, { files, task }).map(({ name, parts }) => [
      name,
      parts.map(({ from, text }) => `${from}: ${text}`),
    ]),
  );

describe("sections", () => {
  it("are cut at ## headings, however they are written", () => {
    expect(sections("## Rules\na\n\nb\n## standards: ##\nc\n**Purpose**\n---\nd\n")).toEqual([
      { name: "Rules", text: "a\n\nb" },
      { name: "Standards", text: "c" },
      { name: "Purpose", text: "d" },
    ]);
  });

  it("a heading of the first level counts too, so that nobody is told Standards by mistake", () => {
    expect(sections("# Shop\nHello.\n# Rules\na\n# Standards\nb\n")).toEqual([
      { name: "Introduction", text: "Hello." },
      { name: "Rules", text: "a" },
      { name: "Standards", text: "b" },
    ]);
  });

  it("deeper headings, code blocks and comments do not cut; comments are for people", () => {
    const text = "## Rules\n### Naming\na\n```md\n## Standards\n```\n<!-- ## Standards\nsecret -->b\n";
    expect(sections(text)).toEqual([{ name: "Rules", text: expect.stringContaining("### Naming") }]);
    expect(sections(text)[0]?.text).not.toContain("secret");
    expect(sections(text)[0]?.text.endsWith("b")).toBe(true);
  });

  it("an empty section is none, and one that comes twice is one", () => {
    expect(sections("## Rules\n\n## Purpose\nx\n")).toEqual([{ name: "Purpose", text: "x" }]);
    const twice = parseConstitution(
      ".pairflow/constitution.md",
      "## Purpose\nx\n## Rules\nr\n## Purpose\ny\n",
    );
    expect(merge([], "", [twice])).toMatchObject({ Purpose: [".pairflow/constitution.md: x\n\ny"] });
  });

  it("a million brackets of comments take no time", () => {
    const from = performance.now();
    sections("<!--".repeat(250_000));
    sections(`## ${"#".repeat(1_000_000)}x\n# ${" ".repeat(1_000_000)}x\n`);
    sections(`## Rules\n${"`".repeat(500_000)}\n${" ".repeat(500_000)}`);
    expect(performance.now() - from).toBeLessThan(2000);
  });
});

describe("the merge", () => {
  it("the nearer Purpose replaces, Rules add up, outer first, each with its origin", () => {
    expect(merge(["src/api/cart.ts"])).toEqual({
      Purpose: ["src/api/constitution.md: Serve."],
      Background: [".pairflow/constitution.md: Old."],
      Rules: [".pairflow/constitution.md: - root rule", "src/api/constitution.md: - api rule"],
      Standards: [".pairflow/constitution.md: - root standard"],
    });
  });

  it("a file outside every such folder has the root's alone", () => {
    expect(merge(["README.md", "src/apix/a.ts"])).toMatchObject({
      Purpose: [".pairflow/constitution.md: Sell."],
      Rules: [".pairflow/constitution.md: - root rule"],
    });
  });

  it("files of several folders get every chain, each level once", () => {
    const merged = merge(["src/api/a.ts", "src/api/b.ts", "src/web/c.ts", "README.md"]);
    expect(merged.Purpose).toEqual([
      ".pairflow/constitution.md: Sell.",
      "src/api/constitution.md: Serve.",
      "src/web/constitution.md: Show.",
    ]);
    expect(merged.Rules).toHaveLength(2);
    expect(merged.Standards).toHaveLength(2);
  });

  it("an inner folder comes after the outer one and replaces it", () => {
    const inner = parseConstitution(
      "src/api/v2/constitution.md",
      "## Purpose\nServe better.\n## Rules\n- v2\n",
    );
    const merged = merge(["src/api/v2/x.ts"], "", [inner, root, api]);
    expect(merged.Purpose).toEqual(["src/api/v2/constitution.md: Serve better."]);
    expect(merged.Rules?.map((rule) => rule.split(": - ")[1])).toEqual(["root rule", "api rule", "v2"]);
  });

  it("the task comes last: its Purpose replaces all, its Rules are added, its other sections are no constitution", () => {
    const task = "# Fix it\n\n## Purpose\nNow.\n\n## Rules\n- only here\n\n## Acceptance criteria\n- works\n";
    const merged = merge(["src/api/a.ts"], task);
    expect(merged.Purpose).toEqual(["the task: Now."]);
    expect(merged.Rules?.at(-1)).toBe("the task: - only here");
    expect(Object.keys(merged)).not.toContain("Acceptance criteria");
  });

  it("as long as no file is known, every folder counts", () => {
    expect(merge([]).Rules).toHaveLength(2);
    expect(merge([]).Purpose).toHaveLength(3);
  });

  it("any other section is appended too", () => {
    const law = parseConstitution("src/api/constitution.md", "## Privacy\n- no names in logs\n");
    expect(merge(["src/api/a.ts"], "", [root, law]).Privacy).toEqual([
      "src/api/constitution.md: - no names in logs",
    ]);
  });
});

it("a constitution is the project's own file, or constitution.md of any folder outside .pairflow", () => {
  const paths = [".pairflow/constitution.md", "constitution.md", "a/b/constitution.md"];
  const others = [
    ".pairflow/x/constitution.md",
    "a/my-constitution.md",
    "a/constitution.md.bak",
    "CONSTITUTION.md",
  ];
  expect(paths.filter(isConstitution)).toEqual(paths);
  expect(others.filter(isConstitution)).toEqual([]);
});

describe("a task without what only critics may know", () => {
  it("loses its Standards and nothing else, byte for byte", () => {
    const task = "# T\r\n\r\nDo.\r\n\r\n## Standards\r\n- secret\r\n### more\r\n\r\n## Scope\r\nAll\r\n";
    expect(removeStandards(task)).toBe("# T\r\n\r\nDo.\r\n\r\n## Scope\r\nAll\r\n");
    const plain = "# Standards\n\nWrite a page.\n<!-- ## Standards -->\n```\n## Standards\n```\nend";
    expect(removeStandards(plain)).toBe(plain);
  });
});
