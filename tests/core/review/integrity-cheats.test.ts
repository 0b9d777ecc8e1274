// Ways to look as if one had looked: each is refused, and what honest critics write beside it is not.
import { describe, expect, it } from "vitest";
import type { Finding } from "../../../src/core/model/review/finding.ts";
import { buildLocationKey } from "../../../src/core/review/citations.ts";
import { collectReviewFacts, type Sources } from "../../../src/core/review/facts.ts";
import { listSubjects } from "../../../src/core/review/subjects.ts";
import { wholePackage } from "../../../src/testing/scenario-actors.ts";
import {
  clean,
  errorSop,
  evidenceFor,
  judging,
  looked,
  opinion,
  passed,
  says,
  saysWith,
  sop,
  violated,
  warningSop,
} from "../integrity-scene.ts";
import { pair } from "../pair.ts";

const evidence = "review.evidence";
const sources = (text: string, more: Partial<Sources> = {}): Sources => ({
  tree: "T1",
  now: (file) => (file === "src/cart.ts" ? text : undefined),
  before: () => undefined,
  opened: () => undefined,
  isRule: () => false,
  ruleText: () => undefined,
  names: (word) => (["src/cart.ts", "docs/money.md", "CHANGELOG.md"].includes(word) ? word : undefined),
  isSop: () => true,
  matched: () => [],
  ...more,
});
const rules = (id: string) => (id === sop("money") ? "Amounts are whole cents and never floats" : undefined);

describe("no evidence", () => {
  it("is an SOP's own text behind a true place", () => {
    const echoed = (words: string) =>
      collectReviewFacts(
        { opinion: opinion({ sop_review: [passed("money", words)] }) },
        [],
        sources("const a = 1;\n", { ruleText: rules }),
      ).echoed;
    expect(echoed("src/cart.ts:1 Amounts are whole cents and never floats")).toEqual([sop("money")]);
    expect(echoed("src/cart.ts:1: amounts are whole cents.")).toEqual([sop("money")]);
    expect(echoed("src/cart.ts:1 keeps cents as integers")).toEqual([]);
    expect(echoed("src/cart.ts:1")).toEqual([]);
  });

  it("is an SOP's own text in what was checked for it", () => {
    const checked = [{ ...evidenceFor(sop("money")), why: "Amounts are whole cents" }];
    const facts = collectReviewFacts({ checked }, [], sources("x\n".repeat(50), { ruleText: rules }));
    expect(facts.echoed).toEqual([sop("money")]);
    saysWith(judging({ sops: [errorSop] }), clean(...checked), { echoed: [sop("money")] }).refuses(evidence, {
      details: /own text/,
    });
  });

  it("is the criterion said back with another full stop, or the hint with one", () => {
    const scene = judging({ criteria: ["Totals are right"] });
    for (const why of ["Totals are right.", "“Totals are right”!", "what you saw there."])
      says(scene, clean({ ...evidenceFor("C1"), why })).refuses(evidence);
  });

  it("is one sentence for three SOPs", () => {
    const slugs = ["a", "b", "c"];
    const scene = judging({ sops: slugs.map((slug) => ({ id: sop(slug), severity: "error" as const })) });
    const said = (words: (i: number) => string) => ({
      ...clean(),
      opinion: opinion({ sop_review: slugs.map((slug, i) => passed(slug, words(i))) }),
    });
    says(
      scene,
      said(() => "src/cart.ts:41 keeps to the rule"),
    ).refuses(evidence, {
      details: /the same words stand for 3/,
    });
    says(
      scene,
      said((i) => `src/cart.ts:4${i} keeps to rule ${i} of them`),
    ).accepted();
  });

  it("is one place for everything", () => {
    const criteria = ["One", "Two", "Three", "Four"];
    says(judging({ criteria }), clean(evidenceFor("C1", "C2", "C3", "C4"))).refuses(evidence, {
      details: /one place stands for 4/,
    });
  });

  it("is nothing at all where nothing was changed", () => {
    const scene = pair({ config: { review: { require_evidence: true } } })
      .started()
      .implementerPasses({ noChange: "it is right already", package: wholePackage })
      .handsOver("T0", { files: [] })
      .gatesPass()
      .atWork();
    expect(listSubjects(scene.state).filter(({ kind }) => kind === "file")).toEqual([]);
    says(scene, { noFindings: true }).refuses(evidence);
    says(scene, clean(looked)).accepted();
  });

  it.each([
    "no problems were found",
    "all tests pass",
    "meets the requirements",
    "satisfies the criterion",
    "excellent work, well done",
    "I have no concerns",
    "nice and clean code",
    "good to go, ship it",
    "seems fine",
    "implementation is solid",
    "the requirement is met",
    "no bugs seen",
  ])("is praise: %s", (why) => {
    says(judging({ criteria: ["Totals are right"] }), clean({ ...evidenceFor("C1"), why })).refuses(evidence);
  });
});

describe("an honest critic", () => {
  it("may name another file in backticks", () => {
    const words = "src/cart.ts:1 does what `docs/money.md` and `CHANGELOG.md` ask for";
    const claim = { opinion: opinion({ sop_review: [passed("money", words)] }) };
    expect(collectReviewFacts(claim, [], sources("const a = 1;\n")).read[words]?.cites).toEqual([
      { file: "src/cart.ts", line: 1 },
    ]);
  });

  it("may quote a short line where it names the line", () => {
    const [there, somewhere] = [
      { file: "src/cart.ts", line: 2, quote: "return 0;", why: "w" },
      { file: "src/cart.ts", quote: "return 0;", why: "w" },
    ] as const;
    const { places } = collectReviewFacts(
      { checked: [there, somewhere] },
      [],
      sources("if (x)\n  return 0;\n"),
    );
    expect(places[buildLocationKey(there)]).toBeNull();
    expect(places[buildLocationKey(somewhere)]).toMatch(/too short/);
  });

  it("may close a finding whose line never was, once its file has changed", () => {
    const finding: Finding = {
      ...{ id: "F1", severity: "P1", title: "t", file: "src/cart.ts", line: 900, status: "open" },
      ...{ proven: false, openedRound: 1, openedBy: "bob", openedTree: "T0" },
    };
    const unchanged = (now: string) =>
      collectReviewFacts({}, [finding], sources(now, { opened: () => "a\n" })).unchanged;
    expect(unchanged("b\n")).toEqual([]);
    expect(unchanged("a\n")).toEqual(["F1"]);
  });

  it("may list a grave finding of its own under an SOP's name", () => {
    const own = { severity: "P0" as const, area: "sop", title: `${sop("naming")}: the key is in the name` };
    const scene = judging({ sops: [warningSop] });
    const said = opinion({ decision: "revise", sop_review: [violated("naming")] });
    says(scene, { findings: [own], opinion: said })
      .accepted()
      .state({ turn: { claim: { pass: { findings: [{ severity: "P0" }, { severity: "P2" }] } } } });
  });
});
