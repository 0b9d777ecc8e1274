// SOP files: what their settings say, what is refused, and that none goes away unnoticed.
import { describe, expect, it } from "vitest";
import { splitFrontmatter } from "../../../src/core/knowledge/markdown/frontmatter.ts";
import { buildSopId, parseSopFile, slugifyFileName } from "../../../src/core/knowledge/sop.ts";

const file = ".pairflow/sops/error-handling.md";
const read = (settings: unknown, body = "# Error handling\n\nWrap errors.") =>
  parseSopFile({ file, settings, body });
const sop = (settings: unknown, body?: string) => {
  const found = read(settings, body);
  if (found.kind !== "sop") throw new Error(JSON.stringify(found));
  return found.sop;
};
const problems = (settings: unknown) => {
  const found = read(settings);
  return found.kind === "wrong" ? found.problems.map(({ message }) => message) : [];
};

describe("the settings of an SOP", () => {
  it("all have a default: every file, severity error, no checkpoints, the first heading as title", () => {
    expect(sop(undefined)).toEqual({
      id: "source.doc.sops.error-handling",
      file,
      title: "Error handling",
      severity: "error",
      applies_to: [],
      requirements: [],
      body: "# Error handling\n\nWrap errors.",
    });
    expect(sop(null, "No heading here").title).toBe("error-handling");
    expect(sop({ title: "Errors" }).title).toBe("Errors");
  });

  it("applies_to is a pattern or a list of patterns", () => {
    expect(sop({ applies_to: "*.go" }).applies_to).toEqual(["*.go"]);
    expect(sop({ applies_to: ["*.go", "src/**"] }).applies_to).toEqual(["*.go", "src/**"]);
  });

  it.each(["error", "warning", "info"])("severity may be %s", (severity) => {
    expect(sop({ severity }).severity).toBe(severity);
  });

  it("requirements keep their order", () => {
    expect(sop({ requirements: ["b", "a"] }).requirements).toEqual(["b", "a"]);
  });

  it("category sop is an SOP, and so is none; any other is a document beside them, whatever else it says", () => {
    expect(sop({ category: "sop" }).id).toBe("source.doc.sops.error-handling");
    expect(read({ category: "reference", chunk: 3, severity: 7 })).toEqual({
      kind: "other",
      category: "reference",
    });
  });
});

describe("what is wrong is said, all of it, and the SOP does not go away", () => {
  it.each([
    [{ severity: "eror" }, "severity must be error, warning or info"],
    [{ severity: "ERROR" }, "severity must be error, warning or info"],
    [{ severity: null }, "severity must be error, warning or info"],
    [{ severity: ["error"] }, "severity must be error, warning or info"],
    [{ applies_to: null }, "applies_to must be a pattern"],
    [{ applies_to: [] }, "applies_to must be a pattern"],
    [{ applies_to: 7 }, "applies_to must be a pattern"],
    [{ applies_to: ["*.go", 7] }, "applies_to must be a pattern"],
    [{ applies_to: { in: "*.go" } }, "applies_to must be a pattern"],
    [{ applies_to: "/src/**" }, 'applies_to: "/src/**" is no path from the top'],
    [{ applies_to: "" }, 'applies_to: "" is empty'],
    [{ requirements: "one" }, "requirements must be a list of sentences"],
    [{ requirements: ["ok", ""] }, "requirements[1] must be a sentence"],
    [{ requirements: [1] }, "requirements[0] must be a sentence"],
    [{ title: "" }, "title must be a line of text"],
    [{ title: ["x"] }, "title must be a line of text"],
    [{ category: "" }, "category must be a word"],
    [{ category: 4 }, "category must be a word"],
    [{ category: "SOP" }, "did you mean sop?"],
    [{ category: "sops" }, "did you mean sop?"],
    [{ aplies_to: "*.go" }, "there is no setting aplies_to; did you mean applies_to?"],
    [{ serverity: "info" }, "there is no setting serverity; did you mean severity?"],
    [{ constructor: 1 }, "there is no setting constructor"],
    [["a list"], "must be lines of the form key: value"],
    ["words", "must be lines of the form key: value"],
    [42, "must be lines of the form key: value"],
  ])("%j: %s", (settings, why) => {
    expect(problems(settings).join("\n")).toContain(why);
  });

  it("several mistakes are several problems", () => {
    expect(problems({ severity: "x", requirements: 1, aplies_to: "*" })).toHaveLength(3);
  });
});

describe("ids", () => {
  it.each([
    [".pairflow/sops/error-handling.md", "error-handling"],
    [".pairflow/sops/go/Test Coverage.md", "test-coverage"],
    [".pairflow/sops/v1.2_notes.MD", "v1.2_notes"],
    [".pairflow/sops/Überprüfung.md", "überprüfung"],
    [".pairflow/sops/---.md", ""],
  ])("%s is %s: folders do not count", (path, slug) => {
    expect(slugifyFileName(path)).toBe(slug);
    expect(buildSopId(path)).toBe(`source.doc.sops.${slug}`);
  });
});

describe("the settings stand between two lines of ---", () => {
  const split = (text: string) => {
    const found = splitFrontmatter(text);
    if (!found.ok) throw new Error(found.message);
    return found;
  };
  const wrong = (text: string) => {
    const found = splitFrontmatter(text);
    return found.ok ? "" : `${found.line}: ${found.message}`;
  };

  it("and keep their line numbers", () => {
    expect(split("---\na: 1\nb: 2\n---\n\nBody\n\n")).toEqual({
      ok: true,
      front: "\na: 1\nb: 2\n",
      body: "Body",
    });
  });

  it("with any line ending, a byte order mark, spaces after the dashes, or ... at the end", () => {
    expect(split("\uFEFF---\r\na: 1\r\n---\r\nBody\r\n")).toMatchObject({ front: "\na: 1\n", body: "Body" });
    expect(split("---  \na: 1\n...\nBody")).toMatchObject({ front: "\na: 1\n", body: "Body" });
    expect(split("---\ra: 1\r---\rBody")).toMatchObject({ front: "\na: 1\n", body: "Body" });
    expect(split("---\n---\nBody")).toMatchObject({ body: "Body" });
  });

  it("a file without them is all body, and a rule further down is none", () => {
    expect(split("# Title\n\n---\n\ntext")).toMatchObject({ front: "", body: "# Title\n\n---\n\ntext" });
    expect(split("")).toEqual({ ok: true, front: "", body: "" });
  });

  it("settings that are nearly there are refused, not taken for text", () => {
    expect(wrong("---\nseverity: info\n")).toBe("1: the settings have no second line of ---");
    expect(wrong("\n\n---\nseverity: info\n---\n")).toBe(
      "3: the settings must begin on the first line of the file",
    );
    expect(wrong("----\nseverity: info\n----\n")).toContain("exactly three dashes");
    expect(wrong("—\nseverity: info\n—\n")).toContain("exactly three dashes");
    expect(wrong(" ---\nseverity: info\n---\n")).toContain("exactly three dashes");
  });
});
