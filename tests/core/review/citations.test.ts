// What a review cites in fields of its own and in its texts, and words that say nothing.
import { describe, expect, it } from "vitest";
import {
  buildLocationKey,
  isReview,
  listEvidenceSentences,
  listTypedLocations,
} from "../../../src/core/review/citations.ts";
import { normalizePath } from "../../../src/core/review/evidence/token.ts";
import {
  isSaidBack,
  isSubstantial,
  isSubstantialBesidePraise,
} from "../../../src/core/review/evidence/words.ts";

describe("a file", () => {
  it("has one spelling", () => {
    expect(normalizePath(" ././src/a.ts ")).toBe("src/a.ts");
    expect(buildLocationKey({ file: "./src/a.ts", line: 3 })).toBe(
      buildLocationKey({ file: "src/a.ts", line: 3 }),
    );
    expect(buildLocationKey({ file: "a.ts" })).not.toBe(buildLocationKey({ file: "a.ts", quote: "x" }));
    expect(buildLocationKey({ file: "a.ts", line: 1 })).not.toBe(
      buildLocationKey({ file: "a.ts", line: 1, end_line: 2 }),
    );
  });
});

describe("words", () => {
  it("say something from eight letters or digits on", () => {
    expect(isSubstantial("a+b=c-d-e-f-g")).toBe(false);
    expect(isSubstantial("abcd 1234")).toBe(true);
    expect(isSubstantial("数量が一未満なら例外になる")).toBe(true);
  });

  it.each([
    "the sum starts at zero",
    "it returns early when the list is empty",
    "Die Steuer wird zuletzt addiert",
    "数量が1未満なら BadItem になる",
    "looks good because every branch ends in a return",
    "sieht gut aus, denn jeder Zweig endet mit einem return",
    "bien: chaque montant est arrondi une seule fois",
    "правильно: сумма округляется один раз в конце",
    "没问题：金额只在最后四舍五入一次",
  ])("say something: %s", (words) => expect(isSubstantialBesidePraise(words)).toBe(true));

  it.each([
    "LGTM",
    "looks good to me",
    "no issues found",
    "all good, everything is fine",
    "Sieht gut aus, keine Probleme gefunden",
    "Alles in Ordnung, die Anforderungen sind erfüllt",
    "Tout est correct, aucun problème trouvé",
    "Todo está bien, no se encontraron errores",
    "Tudo certo, nenhum problema encontrado",
    "Tutto a posto, nessun problema trovato",
    "Ziet er goed uit, geen problemen gevonden",
    "Wszystko w porządku, nie znaleziono błędów",
    "Всё в порядке, ошибок не найдено",
    "代码看起来没问题，未发现任何错误",
    "問題は見つかりませんでした。良さそうです",
    "문제 없습니다. 좋아 보입니다",
    "",
    "?!",
    "✅ ✅ ✅",
  ])("say nothing: %s", (words) => expect(isSubstantialBesidePraise(words)).toBe(false));

  const asked = "Rounding: an amount is rounded once, after the tax";
  it.each([
    asked,
    "an amount is rounded once, after the tax",
    "an amount is rounded once",
    "After the tax an amount is rounded once.",
    "Yes, an amount is indeed rounded once",
  ])("only say the question back: %s", (words) => expect(isSaidBack(words, asked)).toBe(true));

  it.each(["Math.round stands once, behind the tax", "totalOf rounds the amount once after the tax"])(
    "say more than the question: %s",
    (words) => expect(isSaidBack(words, asked)).toBe(false),
  );
});

describe("all that a review cites", () => {
  const opinion = {
    dialect: "verdict" as const,
    decision: "approve" as const,
    patterns: [],
    sop_review: [
      { sop_id: "s", status: "passed" as const, evidence: "src/a.ts:1 `export const a`", violations: [] },
      {
        sop_id: "t",
        status: "passed" as const,
        evidence: [{ file: "src/b.ts", line: 2, end_line: 4, quote: "rounded(net)", why: "once" }],
        violations: [],
      },
    ],
  };
  const claim = {
    checked: [{ file: "./src/c.ts", line: 3, quote: "let total = 0", why: "starts at zero" }],
    findings: [{ severity: "P1" as const, title: "t", file: "src/d.ts", line: 4, quote: "sum" }],
    answers: [{ id: "F1", status: "fixed" as const, reason: "moved to src/e.ts:5" }],
    opinion,
  };

  it("is in checked, findings and SOPs, and in texts that the grammar reads", () => {
    expect(listTypedLocations(claim)).toEqual([
      { file: "src/c.ts", line: 3, quote: "let total = 0" },
      { file: "src/d.ts", line: 4, quote: "sum" },
      { file: "src/b.ts", line: 2, end_line: 4, quote: "rounded(net)" },
    ]);
    expect(listEvidenceSentences(claim)).toEqual(["src/a.ts:1 `export const a`", "moved to src/e.ts:5"]);
  });

  it("makes a review of a claim", () => {
    expect(isReview(claim)).toBe(true);
    expect(isReview({ opinion })).toBe(true);
    expect(isReview({ unreadable: ["it is empty"] })).toBe(true);
    expect(isReview({ noFindings: true })).toBe(true);
    expect(isReview({ findings: [], answers: [], checked: [] })).toBe(false);
  });
});
