// SOP files as text: every mistake with file, line and column, and a parser that nothing can bring down.
import { describe, expect, it } from "vitest";
import { parseSopText, readSops } from "../../src/app/knowledge/sops.ts";
import { linesOf, thrownBy } from "./thrown.ts";

const file = ".pairflow/sops/a.md";
const parse = (text: string, at = file) => parseSopText({ file: at, text });
const wrong = (text: string) => linesOf(thrownBy(() => parse(text)));

describe("a good file", () => {
  it("is an SOP with all that it says", () => {
    const text = `---\ntitle: Errors\napplies_to:\n  - "*.go"\n  - src/**\nseverity: warning\nrequirements: [wrap, name]\ncategory: sop\n---\n\nText.\n`;
    expect(parse(text).value).toEqual({
      id: "source.doc.sops.a",
      file,
      title: "Errors",
      severity: "warning",
      applies_to: ["*.go", "src/**"],
      requirements: ["wrap", "name"],
      body: "Text.",
    });
  });

  it("needs no settings at all", () => {
    expect(parse("Be kind.").value).toMatchObject({ severity: "error", applies_to: [], body: "Be kind." });
    expect(parse("---\n---\nBe kind.").value).toMatchObject({ severity: "error", body: "Be kind." });
    expect(parse("---\n# only a comment\n---\nBe kind.").value).toMatchObject({ severity: "error" });
  });

  it("of another category is noted and is no SOP", () => {
    expect(parse("---\ncategory: reference\nchunk: 3\n---\n")).toEqual({
      value: undefined,
      problems: [],
      notes: [`${file} has category reference and is no SOP`],
    });
  });
});

describe("a bad file is an error at its place", () => {
  it.each([
    ["---\nseverity: eror\n---\n", `${file}:2:11: severity must be error, warning or info`],
    ["---\r\n\r\nseverity: eror\r\n---\r\n", `${file}:3:11: severity must be error, warning or info`],
    ["---\n\n  sevrity: error\n---\n", `${file}:3:3: there is no setting sevrity; did you mean severity?`],
    [
      "---\napplies_to: [a, '/b']\n---\n",
      `${file}:2:17: applies_to: "/b" is no path from the top of the repository`,
    ],
    ["---\nrequirements:\n  - a\n  - 7\n---\n", `${file}:4:5: requirements[1] must be a sentence`],
    ["---\nseverity: error\nseverity: info\n---\n", `${file}:3:1: this key is there twice`],
    ["---\napplies_to: *\n---\n", `${file}:2:13: `],
    ["---\napplies_to: *.go\n---\n", `${file}:`],
    ["---\napplies_to: [a\n---\n", `${file}:3:1: `],
    ["---\n- a\n---\n", `${file}:1:1: the settings must be lines of the form key: value`],
    ["---\nseverity: error\n", `${file}:1:1: the settings have no second line of ---`],
    ["\n---\nseverity: error\n---\n", `${file}:2:1: the settings must begin on the first line of the file`],
    ["---\na: &x [1]\nb: *x\n!!js/function c: d\n---\n", `${file}:`],
    [`---\ntitle: ${"x".repeat(70_000)}\n---\n`, `${file}:1:1: the settings have more than`],
  ])("%j", (text, wanted) => {
    expect(wrong(text).join("\n")).toContain(wanted);
  });

  it("with all its mistakes, in the order of the file", () => {
    expect(
      wrong("---\nseverity: x\nrequirements: y\nfoo: 1\n---\n").map((line) => line.split(":")[1]),
    ).toEqual(["2", "3", "4"]);
  });
});

describe("many files", () => {
  it("are sorted by id; what is wrong with one does not hide the others", () => {
    const read = readSops([
      { file: ".pairflow/sops/b.md", text: "B" },
      { file: ".pairflow/sops/bad.md", text: "---\nseverity: x\n---\n" },
      { file: ".pairflow/sops/worse.md", text: "---\n" },
      { file: ".pairflow/sops/go/a.md", text: "A" },
    ]);
    expect(read.value.map(({ id }) => id)).toEqual(["source.doc.sops.a", "source.doc.sops.b"]);
    expect(read.problems.map(({ code }) => code)).toEqual(["sop.invalid", "sop.syntax"]);
  });

  it("two files with one id are an error that names both, even if one of them is broken", () => {
    const read = readSops([
      { file: ".pairflow/sops/go/errors.md", text: "A" },
      { file: ".pairflow/sops/Errors.md", text: "---\n" },
    ]);
    expect(read.problems.map(({ message }) => message)).toContain(
      ".pairflow/sops/go/errors.md and .pairflow/sops/Errors.md are both source.doc.sops.errors",
    );
  });

  it("a name that makes no id is an error", () => {
    expect(thrownBy(() => parse("x", ".pairflow/sops/---.md")).code).toBe("sop.bad-name");
    expect(thrownBy(() => parse("x", `.pairflow/sops/${"x".repeat(200)}.md`)).code).toBe("sop.bad-name");
  });
});

describe("whatever stands in a file", () => {
  const pieces = [
    ..."---|\n|\n---\n|...|severity: |applies_to: |requirements:|category: |title: |error|- |: |[|]|{|}|,|\"|'|*|&a|*a|!|!!map|%|@|`|#| |  |\t|\r\n|<<: *a\n|? |>|\\|~|null|2026-01-01|0x1F|.inf|src/**|*.go|\u0000|\uFEFF|\uD800|\u2028|日本".split(
      "|",
    ),
    "|",
    "|\n",
  ];
  let seed = 42;
  const next = (n: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % n;
  };
  const rubbish = () => {
    const head = next(3) === 0 ? "" : "---\n";
    const tail = next(3) === 0 ? "" : "\n---\nText";
    return head + Array.from({ length: next(14) }, () => pieces[next(pieces.length)]).join("") + tail;
  };
  const inputs = process.env.PAIRFLOW_SOAK === "1" ? 1_000_000 : 20_000;

  it(`it is an SOP, a note or a usage error: ${inputs} inputs`, { timeout: 900_000 }, () => {
    let sops = 0;
    for (let i = 0; i < inputs; i++) {
      const text = rubbish();
      const { value, problems, notes } = readSops([{ file, text }]);
      const outcomes = value.length + problems.length + notes.length;
      if (outcomes !== 1 || problems.some(({ code }) => !/^sop\./.test(code)))
        throw new Error(JSON.stringify({ text, value, problems, notes }));
      sops += value.length;
    }
    expect(sops).toBeGreaterThan(inputs / 100);
  });

  it.each([
    ["brackets", `---\na: ${"[".repeat(16_000)}\n---\n`],
    ["braces", `---\na: ${"{a: ".repeat(4000)}\n---\n`],
    ["dashes", `---\n${"- ".repeat(8000)}\n---\n`],
    ["question marks", `---\n${"? ".repeat(8000)}\n---\n`],
    [
      "aliases",
      `---\na: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [${`*${i ? `b${i - 1}` : "a"},`.repeat(20)}]`).join("\n")}\n---\n`,
    ],
    ["indentation", `---\n${Array.from({ length: 170 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")}\n---\n`],
    ["anchors", `---\n${Array.from({ length: 1200 }, (_, i) => `a${i}: &x 1`).join("\n")}\n---\n`],
    ["no end of dashes", "-".repeat(1_000_000)],
    ["lines", "---\n".padEnd(1_000_000, "\n")],
  ])("%s beyond all sense are told in a few seconds", (_what, text) => {
    const from = performance.now();
    const { problems, value } = readSops([{ file, text }]);
    expect(problems.length + value.length).toBe(1);
    expect(performance.now() - from).toBeLessThan(8000);
  });
});
