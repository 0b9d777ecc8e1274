// What is true about the places a review cites, from the texts of the tree, of the base, and of the tree in which a
// finding was opened.
import { describe, expect, it } from "vitest";
import type { ReviewClaim, ReviewFacts } from "../../../src/core/model/command.ts";
import type { CheckedEvidence, Finding } from "../../../src/core/model/review/finding.ts";
import { buildLocationKey } from "../../../src/core/review/citations.ts";
import { collectReviewFacts, listFixedFindings, type Text } from "../../../src/core/review/facts.ts";

const now = [
  "import { tax } from './tax.ts';", // 1
  "", // 2
  "export function total(items: Item[]) {", // 3
  "  let total = 0;", // 4
  "  for (const item of items)   sum += item.cents;", // 5
  "", // 6
  "", // 7
  "", // 8
  "", // 9
  "", // 10
  "  return sum + tax(sum);", // 11
  "}", // 12
].join("\n");

interface World {
  readonly now?: Readonly<Record<string, Text>>;
  readonly before?: Readonly<Record<string, Text>>;
  readonly opened?: Text;
  readonly rules?: Readonly<Record<string, string>>;
}

function facts(claim: ReviewClaim, world: World = {}, fixed: readonly Finding[] = []): ReviewFacts {
  const files = world.now ?? { "src/cart.ts": `${now}\n` };
  return collectReviewFacts(claim, fixed, {
    tree: "T1",
    now: (file) => files[file],
    before: (file) => world.before?.[file],
    opened: () => world.opened,
    isRule: (file) => file.startsWith(".pairflow/sops/"),
    ruleText: (id) => world.rules?.[id],
    names: (word) => (files[word] === undefined && world.before?.[word] === undefined ? undefined : word),
    isSop: () => true,
    matched: () => [],
  });
}

/** What is wrong about this place; null: it stands there. */
function problem(place: Partial<CheckedEvidence>, world: World = {}): string | null | undefined {
  const checked = { file: "src/cart.ts", why: "because", ...place };
  return facts({ checked: [checked] }, world).places[buildLocationKey(checked)];
}

describe("a line", () => {
  it("stands there when the file is as long and says something around it", () => {
    expect(problem({ line: 1 })).toBeNull();
    expect(problem({ line: 12 })).toBeNull();
    expect(problem({ line: 2 })).toBeNull();
  });

  it("does not stand behind the end, and not in the middle of nothing", () => {
    expect(problem({ line: 13 })).toBe("src/cart.ts has 12 lines, there is no line 13");
    expect(problem({ line: 8 })).toBe("src/cart.ts:8 is empty");
  });
});

describe("a quote", () => {
  it("stands on its line, white space folded", () => {
    expect(problem({ line: 4, quote: "let total = 0;" })).toBeNull();
    expect(problem({ line: 5, quote: "for (const item of items) sum += item.cents;" })).toBeNull();
    expect(problem({ line: 4, quote: "let total = 0;\n\tfor (const item of items)" })).toBeNull();
  });

  it("may be two lines off, and not three", () => {
    expect(problem({ line: 2, quote: "let total = 0;" })).toBeNull();
    expect(problem({ line: 6, quote: "let total = 0;" })).toBeNull();
    expect(problem({ line: 1, quote: "let total = 0;" })).toBe(
      '"let total = 0;" does not stand at src/cart.ts:1; it stands at line 4',
    );
    expect(problem({ line: 7, quote: "let total = 0;" })).toMatch(/does not stand at src\/cart\.ts:7/);
  });

  it("without a line may stand anywhere in the file, and in that file alone", () => {
    expect(problem({ quote: "return sum + tax(sum);" })).toBeNull();
    expect(problem({ quote: "return sum + tax(net);" })).toMatch(/does not stand in src\/cart\.ts/);
    expect(problem({ line: 40, quote: "return sum + tax(sum);" })).toMatch(/has 12 lines/);
  });

  it("of fewer than eight letters or digits proves nothing", () => {
    expect(problem({ quote: "}" })).toMatch(/too short to prove anything/);
    expect(problem({ line: 12, quote: "}" })).toBeNull();
    expect(problem({ quote: "total = 0" })).toMatch(/too short/);
    expect(problem({ quote: "let total = 0" })).toBeNull();
  });
});

describe("a file", () => {
  it("must be in the reviewed tree or in the base", () => {
    expect(problem({ file: "src/none.ts", line: 1 })).toBe(
      "there is no file src/none.ts in the reviewed tree",
    );
    expect(facts({ checked: [{ file: "src/none.ts", why: "w" }] }).files).toEqual([]);
  });

  it("of text is not enough without a line or a quote", () => {
    expect(problem({})).toBe("src/cart.ts is named without a line or a quote");
  });

  it("that is empty, no text, or deleted is named alone", () => {
    const files = { "empty.txt": "", "logo.png": null };
    expect(problem({ file: "empty.txt" }, { now: files })).toBeNull();
    expect(problem({ file: "logo.png" }, { now: files })).toBeNull();
    expect(problem({ file: "logo.png", line: 3 }, { now: files })).toBe(
      "logo.png is no text; name it without a line",
    );
    expect(problem({ file: "old.ts" }, { now: {}, before: { "old.ts": "gone = true\n" } })).toBeNull();
  });

  it("that lost lines is quoted from the base", () => {
    const before = { "src/cart.ts": "const legacyTotal = sum;\n", "old.ts": "gone = true\n" };
    expect(problem({ line: 1, quote: "const legacyTotal" }, { before })).toBeNull();
    expect(problem({ file: "old.ts", line: 1 }, { now: {}, before })).toBeNull();
    expect(problem({ file: "old.ts", line: 9 }, { now: {}, before })).toBe("old.ts is deleted");
    expect(problem({ line: 3, quote: "never was here" }, { before })).toMatch(/does not stand at/);
  });

  it("that only says what is asked for is no evidence", () => {
    const file = ".pairflow/sops/money.md";
    expect(problem({ file, line: 1 }, { now: { [file]: "Amounts are cents\n" } })).toBe(
      `${file} says what is asked for; it is no evidence`,
    );
  });
});

describe("the evidence of an SOP", () => {
  const rules = { "source.doc.sops.money": "Amounts are kept in cents.\nNever   use floats." };
  const echoed = (evidence: string) =>
    facts(
      {
        opinion: {
          dialect: "verdict",
          decision: "approve",
          patterns: [],
          sop_review: [{ sop_id: "source.doc.sops.money", status: "passed", evidence, violations: [] }],
        },
      },
      { rules },
    ).echoed;

  it("is an echo when it is the SOP's own text, white space and case folded", () => {
    expect(echoed("Amounts are kept in cents.")).toHaveLength(1);
    expect(echoed("amounts are kept in cents. never use FLOATS.")).toHaveLength(1);
    expect(echoed("src/cart.ts:4 starts at whole zero")).toEqual([]);
  });
});

describe("a finding that is answered fixed", () => {
  const finding = (more: Partial<Finding> = {}): Finding => ({
    ...{ id: "F1", severity: "P1", title: "Tax is doubled", file: "src/cart.ts", line: 4 },
    ...{ status: "open", proven: true, openedRound: 1, openedBy: "bob", openedTree: "T0" },
    ...more,
  });
  const unchanged = (opened: Text, one = finding(), world: World = {}) =>
    facts({}, { ...world, opened }, [one]).unchanged;
  const text = `${now}\n`;

  it("is unchanged when its file is, or when its lines stand elsewhere in it", () => {
    expect(unchanged(text)).toEqual(["F1"]);
    expect(unchanged(text.replace("return sum + tax(sum)", "return sum"))).toEqual(["F1"]);
    expect(unchanged(text.replace("import { tax } from './tax.ts';\n", ""), finding({ line: 3 }))).toEqual([
      "F1",
    ]);
  });

  it("is changed when one of the lines around it is another", () => {
    expect(unchanged(text.replace("let total = 0", "let total = 1"))).toEqual([]);
    expect(unchanged(text.replace("sum += item.cents", "sum += item.price"))).toEqual([]);
  });

  it("without a line is unchanged only when the whole file is", () => {
    const { line: _none, ...whole } = finding();
    expect(unchanged(text, whole)).toEqual(["F1"]);
    expect(unchanged(text.replace("return sum + tax(sum)", "return sum"), whole)).toEqual([]);
  });

  it("is changed when its file came or went, and nothing is said about one without a file", () => {
    expect(unchanged(undefined)).toEqual([]);
    expect(unchanged(text, finding({ file: "gone.ts" }))).toEqual([]);
    const { file: _none, ...placeless } = finding();
    expect(unchanged(text, placeless)).toEqual([]);
    expect(unchanged(null, finding({ file: "logo.png" }), { now: { "logo.png": null } })).toEqual(["F1"]);
  });

  it("is fixed elsewhere when its reason names a line that was not there when it was found", () => {
    const because = (reason: string, opened: Text, world: World = {}) =>
      facts({ answers: [{ id: "F1", status: "fixed", reason }] }, { ...world, opened }, [finding()])
        .unchanged;
    const before = text.replace("  return sum + tax(sum);\n", "  return sum;\n");
    expect(because("src/cart.ts:11 adds the tax once", before)).toEqual([]);
    expect(because("src/cart.ts:5 was always there", before)).toEqual(["F1"]);
    expect(because("src/cart.ts:8 is empty", before)).toEqual(["F1"]);
    expect(because("src/cart.ts:99 is not there", before)).toEqual(["F1"]);
    expect(because("it is right now, I promise", before)).toEqual(["F1"]);
  });

  it("is looked up only where it is answered so and names a file", () => {
    const { file: _none, ...placeless } = finding({ id: "F2" });
    const all = [finding(), placeless, finding({ id: "F3" })];
    const answers = ["F1", "F2"].map((id) => ({ id, status: "fixed" as const }));
    expect(
      listFixedFindings({ answers: [...answers, { id: "F3", status: "open" }] }, all).map(({ id }) => id),
    ).toEqual(["F1"]);
  });
});

describe("the facts of a review", () => {
  it("name the tree, and every file it mentions that exists", () => {
    const sops = [
      {
        sop_id: "s",
        status: "not_applicable" as const,
        evidence: "src/cart.ts and src/none.ts hold no queries",
        violations: [],
      },
    ];
    const found = facts({
      opinion: { dialect: "verdict", decision: "approve", patterns: [], sop_review: sops },
    });
    expect(found.tree).toBe("T1");
    expect(found.files).toEqual(["src/cart.ts"]);
  });
});
