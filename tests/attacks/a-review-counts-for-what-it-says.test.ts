// A word that was taken back, a check that was left out, a rejection with small findings, a rule that nobody has: each was
// once judged as something that its critic had not said. They are put to the referee as the command line puts them.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCommandAgent } from "../../src/adapters/agent/command/adapter.ts";
import { checkReview } from "../../src/app/record/review/check.ts";
import type { Dialect } from "../../src/core/model/review/verdict.ts";
import type { TurnEvent, TurnRequest } from "../../src/ports/agent/adapter.ts";
import { TREE } from "../core/dialect-cart.ts";
import { quality_checks } from "../helpers/quality.ts";
import { bySop, type Fields, good, inDialect } from "../reviews/answers.ts";
import { type BubbleName, openStage, type Stage } from "../reviews/scene.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.shop.close());

async function check(bubble: BubbleName, dialect: Dialect, text: string) {
  const review = { dialect, text: text.replaceAll(TREE, stage.treeOf(bubble)) };
  try {
    return await checkReview(stage.shop.world, bubble, review);
  } catch (error) {
    return { refusal: error as { code: string; message: string; details?: string[] }, decision: undefined };
  }
}

/** What the adapter `command` makes of what its program printed. */
function heard(output: string): string | undefined {
  const events: TurnEvent[] = [];
  const turn: TurnRequest = {
    ...{ settings: { adapter: "command", command: "tool" }, agent: "mine", role: "reviewer", session: "s" },
    ...{ fresh: true, notice: "", promptFile: "/p", prompt: "", answerSchema: {}, worktree: "/w", out: "/o" },
    readOnly: true,
  };
  const conversation = createCommandAgent()
    .headless(turn)
    .converse({ send: () => {}, happened: (event) => events.push(event) });
  conversation.begin();
  for (const line of output.split("\n")) conversation.heard(line);
  conversation.closed({ code: 0, stderr: "" });
  const [event] = events;
  return event?.type === "over" ? event.end.outcome : undefined;
}

describe("what may stand around an answer is one rule for a file and for a program's output:", () => {
  const whole = inDialect("verdict", good.criteria);
  const fenced = `\`\`\`json\n${whole}\n\`\`\``;

  it.each([
    ["nothing", whole],
    ["a byte order mark", `\uFEFF${whole}`],
    ["talk before it", `I have looked at all of it.\n${whole}\n`],
    ["a fenced block", fenced],
    ["talk before a fenced block", `Here it is:\n\n${fenced}\n`],
  ])("%s", async (_, text) => {
    expect(await check("criteria", "verdict", text)).toMatchObject({ decision: "approve" });
    expect(heard(text)).toBe("answered");
  });

  it.each([
    ["not a correction behind it", `${whole}\nCorrection: I withdraw that.`],
    ["not a question behind a fenced block", `${fenced}\nAnything else?`],
    ["not another answer before it", `${whole}\n${whole}`],
    ["not a sentence that it is part of", `My verdict is ${whole}`],
    ["not another kind of block", `\`\`\`yaml\n${whole}\n\`\`\``],
  ])("%s", async (_, text) => {
    expect((await check("criteria", "verdict", text)).decision).toBeUndefined();
    expect(heard(text)).toBe("garbage");
  });
});

describe("GO passes no quality check that it does not name as passed:", () => {
  const { security_review_passed: _, ...others } = quality_checks;
  const go = (checks: unknown) =>
    inDialect("decision", { ...good.criteria, more: { quality_checks: checks } as Fields });

  it.each<[string, unknown]>([
    ["null", { ...others, security_review_passed: null }],
    ["left out", others],
    ["called otherwise", { ...others, security_ok: true }],
    ["false", { ...others, security_review_passed: false }],
    ["all of them left out", {}],
    ["all of them null", null],
  ])("%s", async (_name, checks) => {
    const { decision, refusal } = await check("criteria", "decision", go(checks));
    expect(decision).toBeUndefined();
    expect(refusal).toBeDefined();
  });

  it("and with all of them it approves", async () => {
    expect(await check("criteria", "decision", go(quality_checks))).toMatchObject({ decision: "approve" });
  });
});

/** The word that rejects, in each dialect that has one. */
const rejections = {
  decision: { decision: "NO_GO", quality_checks: undefined },
  status: { status: "needs_changes" },
  verdict: { verdict: "rejected", rejection_type: "fixable" },
  challenge: { challenger_approved: false },
} as const satisfies Partial<Record<Dialect, Fields>>;
const rejecting = Object.keys(rejections) as (keyof typeof rejections)[];

describe.each(rejecting)("a rejection in the dialect %s", (dialect) => {
  const small = { severity: dialect === "status" ? "low" : "P3", title: "The name says little" };
  const says = (more: Fields) =>
    inDialect(dialect, { ...good.rules, sops: [], more: { ...rejections[dialect], ...more } });

  it("with small findings alone rejects by these, and by no other that it is said to mean", async () => {
    const { decision, ...rest } = await check("criteria", dialect, says({ findings: [small] }));
    expect(decision).toBe("revise");
    expect(rest).toMatchObject({ findings: [{ title: small.title }] });
  });

  it("whose only ground is a violated SOP of severity warning rejects", async () => {
    const violated = { ...bySop[1], status: "violated", violations: ["totalOf is a noun"] };
    const { decision } = await check("rules", dialect, says({ sop_review: [violated] }));
    expect(decision).toBe("revise");
  });
});

describe("a name that the project does not have", () => {
  const invented = { ...bySop[0], sop_id: "source.doc.sops.invented" };

  it.each(["passed", "violated", "not_applicable"])(
    "an SOP said to be %s is refused by it",
    async (status) => {
      const violations = status === "violated" ? ["it is broken"] : [];
      const sops = [...bySop, { ...invented, status, violations }];
      const { decision, refusal } = await check(
        "rules",
        "verdict",
        inDialect("verdict", { ...good.rules, sops }),
      );
      expect(decision).toBeUndefined();
      expect(refusal?.code).toBe("review.unknown-sop");
      expect(JSON.stringify(refusal)).toContain("source.doc.sops.invented");
    },
  );

  it("a criterion is refused by it, and the short name of an SOP means the SOP", async () => {
    const [first, ...others] = good.criteria.checked;
    const checked = [{ ...first, for: ["C1", "C9"] }, ...others];
    const text = inDialect("verdict", { ...good.criteria, checked });
    const { refusal } = await check("criteria", "verdict", text);
    expect(JSON.stringify(refusal)).toContain("C9");
    const short = bySop.map((entry) => ({ ...entry, sop_id: entry.sop_id.replace(/.*\./, "") }));
    const named = inDialect("verdict", { ...good.rules, sops: short });
    expect(await check("rules", "verdict", named)).toMatchObject({ decision: "approve" });
  });
});

describe("what is said back", () => {
  it.each<[string, Fields]>([
    ["a number for a word", { verdict: 1 }],
    ["a text for a list", { checked: "all of it" }],
    ["an unknown word", { verdict: "fine" }],
    ["an unknown field", { mood: "good" }],
    ["an empty SOP", { sop_review: [{}] }],
    [
      "a line that is no number",
      { checked: [{ for: ["C1"], file: "src/cart.ts", line: "x", why: "it is so" }] },
    ],
  ])("about %s is our own sentence, not that of a library", async (_, more) => {
    const text = inDialect("verdict", { ...good.criteria, more });
    const { refusal } = await check("criteria", "verdict", text);
    expect(refusal).toBeDefined();
    expect(JSON.stringify(refusal)).not.toMatch(
      /Invalid (?:type|key|length)|Expected .* but received|undefined/,
    );
  });

  it("about evidence that is empty is a refused review, which a critic may correct", async () => {
    const sops = [{ ...bySop[0], evidence: "" }, bySop[1] as Fields];
    const { refusal } = await check("rules", "verdict", inDialect("verdict", { ...good.rules, sops }));
    expect(refusal?.code).toBe("review.evidence");
  });
});
