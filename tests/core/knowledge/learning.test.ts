// What critics keep noticing: how it is counted, when a human is asked, and what a human's word does.
import { describe, expect, it } from "vitest";
import { parseConventions } from "../../../src/core/knowledge/conventions.ts";
import { accept, dismiss, mostAccepted, retire } from "../../../src/core/knowledge/learning/consent.ts";
import {
  find,
  type LearningFiles,
  listConventions,
  quoteForShell,
} from "../../../src/core/knowledge/learning/conventions.ts";
import { parseLearned, serializeLearned } from "../../../src/core/knowledge/learning/file.ts";
import {
  countConvention,
  type LearnedConventions,
  mostCandidates,
  mostOfOneBubble,
  nothingLearned,
} from "../../../src/core/knowledge/learning.ts";
import { buildConventionItems } from "../../../src/core/views/bubble/inbox-conventions.ts";

const timeouts = { name: "Timeouts", pattern: "HTTP handlers use a timeout", applies_to: "handlers/*.go" };

/** A bubble whose critic noticed these. */
const bubble = (id: string, ...patterns: (typeof timeouts)[]) => ({
  bubble: id,
  noticed: patterns.map((pattern) => ({
    bubble: id,
    agent: "claude",
    tree: `tree-of-${id}`,
    at: `2026-03-0${(id.charCodeAt(0) % 9) + 1}T00:00:00.000Z`,
    pattern,
  })),
});

const counted = (learned: LearnedConventions, ...bubbles: ReturnType<typeof bubble>[]) =>
  countConvention(learned, [], bubbles);
const three = () =>
  counted(nothingLearned, bubble("a", timeouts), bubble("b", timeouts), bubble("c", timeouts));
const kept = (learned: LearnedConventions, file = ""): LearningFiles => ({ learned, file });
const said = { by: "owner (terminal)", at: "2026-03-09T00:00:00.000Z" };
const names = (known: LearningFiles, status: string) =>
  listConventions(known)
    .filter((one) => one.status === status)
    .map(({ name }) => name);

function decided(result: ReturnType<typeof accept>): LearningFiles {
  if (!result.ok) throw new Error(result.refusal.code);
  return result.kept;
}
const refusal = (result: ReturnType<typeof accept>) => (result.ok ? undefined : result.refusal);

describe("counting", () => {
  it("asks a human at the third bubble, once", () => {
    const two = counted(nothingLearned, bubble("a", timeouts), bubble("b", timeouts));
    expect(two.asked).toEqual([]);
    expect(names(kept(two.learned), "counted")).toEqual(["Timeouts"]);
    const now = counted(two.learned, bubble("c", timeouts));
    expect(now.asked.map(({ name }) => name)).toEqual(["Timeouts"]);
    expect(names(kept(now.learned), "waiting")).toEqual(["Timeouts"]);
    expect(counted(now.learned, bubble("d", timeouts)).asked).toEqual([]);
  });

  it("counts a bubble once, however many of its critics said it and however often it is counted", () => {
    const often = counted(nothingLearned, bubble("a", timeouts, timeouts, timeouts));
    const again = counted(often.learned, bubble("a", timeouts), bubble("a", timeouts));
    expect(again.learned.candidates[0]?.evidence).toHaveLength(1);
    expect(again.learned).toEqual(often.learned);
  });

  it("counts a parent and its child once, whichever comes first: their critics saw the same lines", () => {
    const [all, child] = [bubble("all", timeouts), bubble("all-a", timeouts)];
    const of = { ...child, noticed: child.noticed.map((one) => ({ ...one, parent: "all" })) };
    const other = { ...of, bubble: "all-b", noticed: of.noticed.map((one) => ({ ...one, bubble: "all-b" })) };
    const evidence = (...bubbles: (typeof all)[]) =>
      counted(nothingLearned, ...bubbles).learned.candidates[0]?.evidence.map((one) => one.bubble);
    expect(evidence(all, of, other)).toEqual(["all"]);
    expect(evidence(of, other, all)).toEqual(["all-a", "all-b"]);
  });

  it("takes the same name, or the same pattern about the same files, for one convention", () => {
    const { learned } = counted(
      nothingLearned,
      bubble("a", timeouts),
      bubble("b", { ...timeouts, name: "  TIMEOUTS. ", pattern: "Every handler sets one" }),
      bubble("c", { ...timeouts, name: "Deadlines", pattern: "http handlers use a timeout!" }),
    );
    expect(learned.candidates).toHaveLength(1);
    expect(learned.candidates[0]?.evidence.map((one) => [one.bubble, one.said])).toEqual([
      ["a", undefined],
      ["b", "Every handler sets one"],
      ["c", undefined],
    ]);
  });

  it("takes the same pattern about other files for another one", () => {
    const other = { ...timeouts, name: "Deadlines", applies_to: "jobs/*.go" };
    expect(counted(nothingLearned, bubble("a", timeouts, other)).learned.candidates).toHaveLength(2);
  });

  it("keeps what agents wrote on one line, and no name that looks like a flag", () => {
    const nasty = { name: "--yes\n## Rules", pattern: "do\n\n\u001b[2Jthis", applies_to: "src/**" };
    const [one] = counted(nothingLearned, bubble("a", nasty)).learned.candidates;
    expect(one).toMatchObject({ name: "yes ## Rules", pattern: "do [2Jthis" });
  });

  it("makes no candidate of what is accepted already", () => {
    const convention = {
      ...timeouts,
      applies_to: ["**"],
      accepted_by: "o",
      accepted_at: "2026",
      evidence: [],
    };
    expect(countConvention(nothingLearned, [convention], [bubble("a", timeouts)]).learned.candidates).toEqual(
      [],
    );
  });

  it("looks at a limited number of patterns of one bubble", () => {
    const many = Array.from({ length: 60 }, (_, i) => ({ ...timeouts, name: `n${i}`, pattern: `p${i}` }));
    expect(counted(nothingLearned, bubble("a", ...many)).learned.candidates).toHaveLength(mostOfOneBubble);
  });

  it("keeps a limited number: of those with the least evidence the oldest go first, and what is new stays", () => {
    let { learned } = three();
    for (let i = 0; i < mostCandidates; i += 10) {
      const some = Array.from({ length: 10 }, (_, j) => ({
        ...timeouts,
        name: `n${i + j}`,
        pattern: `p${i + j}`,
      }));
      learned = counted(learned, bubble(`x${i}`, ...some)).learned;
    }
    const kept = learned.candidates.map(({ name }) => name);
    expect(kept).toHaveLength(mostCandidates);
    expect(kept).toContain("Timeouts");
    expect(kept).not.toContain("n0");
    expect(kept).toContain(`n${mostCandidates - 1}`);
    expect(new Set(learned.candidates.map(({ number }) => number)).size).toBe(mostCandidates);
  });

  it("survives its file", () => {
    const { learned } = three();
    expect(parseLearned(serializeLearned(learned))).toEqual({ ok: true, learned });
    expect(parseLearned("")).toEqual({ ok: true, learned: nothingLearned });
    expect(parseLearned(`${serializeLearned(learned)}{"number":`)).toEqual({
      ok: false,
      line: 3,
      message: "is not JSON",
    });
  });
});

describe("a human's word", () => {
  it("accepts: the file's line says who, when, for which files and by which evidence", () => {
    const after = decided(accept(kept(three().learned), "timeouts", { ...said, reason: "it pays" }));
    expect(parseConventions(after.file)).toEqual({
      accepted: [
        {
          ...timeouts,
          applies_to: ["handlers/*.go"],
          accepted_by: "owner (terminal)",
          accepted_at: said.at,
          evidence: [
            "a: claude approved tree tree-of-a, 2026-03-08",
            "b: claude approved tree tree-of-b, 2026-03-09",
            "c: claude approved tree tree-of-c, 2026-03-01",
            "accepted because: it pays",
          ],
        },
      ],
      waiting: [],
      problems: [],
    });
    expect(names(after, "accepted")).toEqual(["Timeouts"]);
    expect(refusal(accept(after, "Timeouts", said))?.code).toBe("conventions.already");
  });

  it("keeps every other line of the file as it was written", () => {
    const other = '{ "name": "Mine", "pattern": "x",   "applies_to": "*.md" }';
    const after = decided(accept(kept(three().learned, other), "Timeouts", said));
    expect(after.file.split("\n")[0]).toBe(other);
    expect(names(after, "waiting")).toEqual(["Mine"]);
    const both = decided(accept(after, "Mine", said));
    expect(parseConventions(both.file).accepted.map(({ name }) => name)).toEqual(["Timeouts", "Mine"]);
    expect(parseConventions(both.file).problems).toEqual([]);
  });

  it("says no for good: what is dismissed or retired is counted on and never asked again", () => {
    const dismissed = decided(dismiss(kept(three().learned), "1", said));
    const later = counted(dismissed.learned, bubble("d", timeouts), bubble("e", timeouts));
    expect(later.asked).toEqual([]);
    expect(later.learned.candidates[0]?.evidence).toHaveLength(5);
    expect(names(kept(later.learned), "dismissed")).toEqual(["Timeouts"]);

    const accepted = decided(accept(kept(three().learned), "Timeouts", said));
    const retired = decided(retire(accepted, "Timeouts", { ...said, reason: "the router does it" }));
    expect(retired.file).toBe("");
    const after = countConvention(retired.learned, [], [bubble("d", timeouts)]);
    expect(after.asked).toEqual([]);
    expect(names(kept(after.learned), "retired")).toEqual(["Timeouts"]);
  });

  it("remembers the no to a convention that others accepted, though it was never counted here", () => {
    const line = `${JSON.stringify({ ...timeouts, accepted_by: "o", accepted_at: "2026-01-01" })}\n`;
    const retired = decided(retire(kept(nothingLearned, line), "Timeouts", said));
    expect(retired.file).toBe("");
    expect(
      countConvention(
        retired.learned,
        [],
        [bubble("a", timeouts), bubble("b", timeouts), bubble("c", timeouts)],
      ).asked,
    ).toEqual([]);
  });

  it("may be changed: what was dismissed can be accepted", () => {
    const dismissed = decided(dismiss(kept(three().learned), "Timeouts", said));
    expect(names(decided(accept(dismissed, "Timeouts", said)), "accepted")).toEqual(["Timeouts"]);
  });

  it("is refused where it cannot mean anything", () => {
    const waiting = kept(three().learned);
    expect(refusal(retire(waiting, "Timeouts", said))?.code).toBe("conventions.not-accepted");
    expect(refusal(dismiss(decided(accept(waiting, "Timeouts", said)), "Timeouts", said))?.code).toBe(
      "conventions.already",
    );
    expect(refusal(accept(kept(nothingLearned, "{"), "x", said))).toMatchObject({
      code: "conventions.invalid",
      details: ["line 1: is not one JSON object"],
    });
  });

  it("needs files: prose in place of a pattern is refused, and a pattern of one's own is taken", () => {
    const prose = { ...timeouts, applies_to: "./all handlers" };
    const known = kept(counted(nothingLearned, bubble("a", prose)).learned);
    expect(refusal(accept(known, "Timeouts", said))).toMatchObject({
      code: "conventions.bad-pattern",
      hint: `pairflow conventions accept "Timeouts" --applies-to 'src/**'`,
    });
    expect(parseConventions(decided(accept(known, "Timeouts", said, ["src/**"])).file)).toMatchObject({
      accepted: [{ applies_to: ["src/**"] }],
      problems: [],
    });
  });

  it("is limited: one more is accepted when one was retired", () => {
    const lines = Array.from({ length: mostAccepted }, (_, i) =>
      JSON.stringify({
        name: `N${i}`,
        pattern: `p${i}`,
        applies_to: "*",
        accepted_by: "o",
        accepted_at: `2026-01-${10 + (i % 20)}`,
      }),
    );
    const full = kept(three().learned, lines.map((line) => `${line}\n`).join(""));
    expect(refusal(accept(full, "Timeouts", said))).toMatchObject({
      code: "conventions.full",
      hint: expect.stringMatching(/^pairflow conventions retire "N\d+" --reason "…"$/),
    });
    expect(
      names(decided(accept(decided(retire(full, "N7", said)), "Timeouts", said)), "accepted"),
    ).toHaveLength(50);
  });
});

describe("naming one", () => {
  const known = kept(
    counted(
      nothingLearned,
      bubble(
        "a",
        timeouts,
        { ...timeouts, name: "Time zones", pattern: "z" },
        { ...timeouts, name: "2", pattern: "y" },
      ),
    ).learned,
  );
  const named = (word: string) => {
    const found = find(known, word);
    return found.ok ? found.known.name : found.refusal.code;
  };

  it("goes by name, number, or the beginning of a name", () => {
    expect(named("timeouts")).toBe("Timeouts");
    expect(named("#1")).toBe("Timeouts");
    expect(named("time z")).toBe("Time zones");
    expect(named("2")).toBe("2");
    expect(named("time")).toBe("conventions.ambiguous");
    expect(named("tmeouts")).toBe("conventions.unknown");
  });

  it("can be pasted without running anything", () => {
    expect(quoteForShell("Context timeout")).toBe('"Context timeout"');
    expect(quoteForShell("$(rm -r .)")).toBe("'$(rm -r .)'");
    expect(quoteForShell("don't `x`")).toBe("'don'\\''t `x`'");
  });
});

it("the inbox shows what waits, with its evidence and what each answer does", () => {
  expect(buildConventionItems(listConventions(kept(three().learned)))).toEqual([
    {
      bubble: null,
      id: "convention:Timeouts",
      kind: "convention",
      from: "claude",
      text: [
        "Timeouts: HTTP handlers use a timeout (handlers/*.go)",
        "Reviewers noticed it in 3 bubbles whose work was approved. A convention?",
        "· a: claude approved tree tree-of-a, 2026-03-08",
        "· b: claude approved tree tree-of-b, 2026-03-09",
        "· c: claude approved tree tree-of-c, 2026-03-01",
      ].join("\n"),
      at: "2026-03-01T00:00:00.000Z",
      round: 0,
      options: [
        { key: "accept", does: "reviewers of later bubbles are told it, for handlers/*.go" },
        { key: "dismiss", does: 'not asked again: pairflow conventions dismiss "Timeouts"' },
      ],
      command: 'pairflow conventions accept "Timeouts"',
      convention: expect.objectContaining({ name: "Timeouts" }),
    },
  ]);
  expect(
    buildConventionItems(listConventions(decided(dismiss(kept(three().learned), "Timeouts", said)))),
  ).toEqual([]);
});
