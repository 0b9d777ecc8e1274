// Every bad answer there is, and every honest one, put to the referee as the command line puts them: in a real git
// repository, parsed, looked up in git's objects, and judged. No bad one approves; no honest one is refused.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckedReview, checkReview } from "../../src/app/record/review/check.ts";
import { dialects } from "../../src/core/model/review/verdict.ts";
import { bad } from "../core/dialect-bad.ts";
import { TREE } from "../core/dialect-cart.ts";
import { honest, surrounded } from "../core/dialect-honest.ts";
import { goodAnswers, type Played } from "./answers.ts";
import { generated } from "./generated.ts";
import { openStage, type Stage, written } from "./scene.ts";
import { instead, unproven } from "./unproven.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.shop.close());

/** The answer with real ids in place of their names. */
function real({ text, bubble }: Pick<Played, "text" | "bubble">): string {
  const tree = stage.treeOf(bubble);
  return written(text)
    .replaceAll(/@tree@\[(\d+),(\d+)\]/g, (_, from, to) => tree.slice(Number(from), Number(to)))
    .replaceAll(TREE, tree)
    .replaceAll(instead.base, stage.stale.baseTree)
    .replaceAll(instead.commit, stage.stale.commit)
    .replaceAll(instead.first, stage.stale.firstTree);
}

const judged = ({ dialect, ...answer }: Played): Promise<CheckedReview> =>
  checkReview(stage.shop.world, answer.bubble, { dialect, text: real(answer) });

/** Judges them all, a few at a time; what is said of those that came out otherwise than wanted. */
async function surprises(
  answers: readonly Played[],
  wanted: (review: CheckedReview, answer: Played) => boolean,
): Promise<string[]> {
  const said: string[] = [];
  for (let from = 0; from < answers.length; from += 8) {
    const some = answers.slice(from, from + 8);
    const reviews = await Promise.all(some.map(judged));
    for (const [i, review] of reviews.entries()) {
      const answer = some[i];
      if (answer && !wanted(review, answer))
        said.push(
          `${answer.dialect}: ${answer.name} → ${review.refusal ? `${review.refusal.code} ${review.refusal.message} ${review.refusal.details?.join("; ") ?? ""}` : review.decision}`,
        );
    }
  }
  return said;
}

const isRefused = ({ refusal, decision }: CheckedReview) =>
  refusal !== undefined && decision === undefined && /^(review|finding|convergence)\./.test(refusal.code);

describe("bad answers", () => {
  const malformed = bad.map((sample): Played => ({ ...sample, bubble: "criteria" }));

  it("are more than three hundred, half of them in good form, in every dialect", () => {
    expect(malformed.length + unproven.length + generated.length).toBeGreaterThanOrEqual(300);
    expect(unproven.length + generated.length).toBeGreaterThanOrEqual(150);
    for (const dialect of dialects)
      expect(unproven.filter((answer) => answer.dialect === dialect).length).toBeGreaterThanOrEqual(60);
    const names = [...unproven, ...generated].map(
      ({ dialect, bubble, name }) => `${dialect} ${bubble} ${name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it("in bad form are refused", { timeout: 60_000 }, async () => {
    expect(await surprises(malformed, isRefused)).toEqual([]);
  });

  it("in good form that prove nothing are refused", { timeout: 60_000 }, async () => {
    expect(await surprises(unproven, isRefused)).toEqual([]);
  });

  it("with evidence made up by chance are refused for it", { timeout: 60_000 }, async () => {
    const isFalse = ({ refusal }: CheckedReview) => refusal?.code === "review.evidence";
    expect(await surprises(generated, isFalse)).toEqual([]);
  });

  it("approved with a violated SOP, as a specification prints it, are refused for the contradiction", async () => {
    const printed = unproven.find(({ name }) => name === "the printed example about the right tree");
    if (!printed) throw new Error("the printed example is missing");
    const { refusal, decision } = await judged(printed);
    expect(decision).toBeUndefined();
    expect(refusal).toMatchObject({ code: "review.contradiction" });
    expect(refusal?.details?.join()).toMatch(/P1 source\.doc\.sops\.money/);
  });
});

describe("answers that were valid before evidence had one form", () => {
  const file = join(import.meta.dirname, "..", "fixtures", "reviews", "honest-answers-0.1.ndjson");
  const earlier = readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Played & { readonly decision: string } => ({ ...JSON.parse(line), bubble: "criteria" }));
  /** GO was possible with the four checks left out or null; that is the only answer that must be said anew. */
  const lacksChecks = ({ dialect, decision, text }: (typeof earlier)[number]) =>
    dialect === "decision" && decision === "approve" && !/"quality_checks":\s*\{/.test(text);

  it("are still read, and mean what they meant", { timeout: 60_000 }, async () => {
    expect(earlier.length).toBe(387);
    const kept = earlier.filter((answer) => !lacksChecks(answer));
    expect(kept.length).toBeGreaterThan(340);
    const meant = new Map(kept.map(({ text, decision }) => [text, decision]));
    expect(
      await surprises(kept, ({ refusal, decision }, { text }) => !refusal && decision === meant.get(text)),
    ).toEqual([]);
  });

  it("except GO without its quality checks, which says what is missing", { timeout: 60_000 }, async () => {
    const refused = ({ refusal }: CheckedReview) => refusal?.code === "review.quality-checks";
    expect(await surprises(earlier.filter(lacksChecks), refused)).toEqual([]);
  });
});

describe("honest answers", () => {
  it("in any form approve or reject as they mean it, at least sixty in every dialect", {
    timeout: 60_000,
  }, async () => {
    for (const dialect of dialects)
      expect(honest.filter((sample) => sample.dialect === dialect).length).toBeGreaterThanOrEqual(60);
    const all = [...honest, ...surrounded];
    const meant = new Map(all.map((sample) => [sample.text, sample.decision]));
    const answers = all.map((sample): Played => ({ ...sample, bubble: "criteria" }));
    expect(
      await surprises(answers, ({ refusal, decision }, { text }) => !refusal && decision === meant.get(text)),
    ).toEqual([]);
  });

  it("approve by criteria, by SOPs, by files, and with an old finding answered", async () => {
    expect(await surprises(goodAnswers, ({ decision }) => decision === "approve")).toEqual([]);
  });
});
