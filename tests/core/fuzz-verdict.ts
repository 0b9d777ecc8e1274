// Reviews in every dialect, read and judged as the referee does: whatever is made of one, it approves only with
// evidence that stands in the cart.
import { decide } from "../../src/core/bubble/decide.ts";
import type { Command, ReviewClaim } from "../../src/core/model/command.ts";
import { type Dialect, dialects } from "../../src/core/model/review/verdict.ts";
import { buildSaidVerdict } from "../../src/core/review/claim.ts";
import { parseReview } from "../../src/core/review/dialect/read.ts";
import { collectReviewFacts } from "../../src/core/review/facts.ts";
import { isApproval } from "../../src/core/review/integrity.ts";
import { bad } from "./dialect-bad.ts";
import { cartCriteria, cartFile, cartText, TREE } from "./dialect-cart.ts";
import { honest } from "./dialect-honest.ts";
import type { Target } from "./fuzz-run.ts";
import { judging } from "./integrity-scene.ts";

const scene = judging({ criteria: cartCriteria });
const { state, agent } = scene;
const fits = (text: string) => text.length < 4000;
const named = (text: string) => text.replaceAll(TREE, "T1");

/** Every dialect that exists is tried on each input that names none: the first character says which. */
const dialectOf = (text: string): Dialect => dialects[text.length % dialects.length] ?? "findings";

export const verdicts: Target = {
  name: "reviews in the five dialects",
  seeds: [...honest, ...bad].map(({ text }) => named(text)).filter(fits),
  words: [
    ...[
      '"GO"',
      '"NO_GO"',
      '"approved"',
      '"rejected"',
      '"needs_changes"',
      '"challenger_approved":true',
      '"verdict"',
    ],
    ...[
      '"decision"',
      '"status"',
      '"findings":[]',
      '"tree":"T1"',
      '"checked":[]',
      '"sop_review":[]',
      '"for":["C1"]',
    ],
    ...['"C1"', '"C2"', '"C3"', '"line":36', '"quote"', '"P0"', '"P3"', '"confidence":1', '"converged":true'],
    ...[
      '"prior_findings":[{"id":"F1","status":"fixed"}]',
      '"src/cart.ts"',
      "src/cart.ts:36",
      "LGTM",
      "looks good",
    ],
  ],
  read(text) {
    const parsed = parseReview(dialectOf(text), text);
    if (!parsed.ok) return parsed.problems.length > 0 ? undefined : "it was refused without a reason";
    const claim = buildSaidVerdict(parsed.verdict);
    return claim.type === "ask-human" ? undefined : judged(claim);
  },
};

function judged(claim: ReviewClaim): string | undefined {
  const facts = collectReviewFacts(claim, [], {
    tree: "T1",
    now: (file) => (file === cartFile ? cartText : undefined),
    before: () => undefined,
    opened: () => undefined,
    isRule: () => false,
    ruleText: () => undefined,
    names: (word) => (word === cartFile ? word : undefined),
    isSop: () => true,
    matched: () => [cartFile],
  });
  const command = { ...claim, facts, actor: agent, digest: "d" } as Command;
  const { refusal } = decide(state, command, state.lastAt);
  if (refusal || !isApproval(state, claim)) return undefined;
  return isProven(claim) ? undefined : `it approves without proof: ${JSON.stringify(claim.checked)}`;
}

/** Said once more in other words than the referee's: all three criteria, and nothing that is not in the cart. */
function isProven({ checked = [], opinion }: ReviewClaim): boolean {
  const answered = new Set(checked.flatMap((entry) => entry.for ?? []));
  const stands = checked.every(
    ({ file, line = 1, quote }) =>
      file.replace(/^(\.\/)+/, "") === cartFile &&
      line <= count &&
      (!quote || squeezed(cartText).includes(squeezed(quote))),
  );
  return stands && cartCriteria.every((_, i) => answered.has(`C${i + 1}`)) && opinion?.tree === "T1";
}

const count = cartText.trimEnd().split("\n").length;
const squeezed = (text: string) => text.replace(/\s/g, "");
