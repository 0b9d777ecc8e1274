// An approval proves what it says: about each SOP that applies, each criterion, each question of its duty, or, where
// there is neither SOP nor criterion, each changed file.
import { describe, expect, it } from "vitest";
import { listSubjects } from "../../../src/core/review/subjects.ts";
import { wholePackage } from "../../../src/testing/scenario-actors.ts";
import {
  cart,
  clean,
  errorSop,
  evidenceFor,
  judging,
  judgingAgain,
  looked,
  opinion,
  passed,
  remark,
  says,
  saysWith,
  sop,
  warningSop,
  wrongAt,
} from "../integrity-scene.ts";
import { configOf, p1, p3, pair, pairProgram } from "../pair.ts";

const criteria = ["Totals are right", "An empty cart costs nothing"];
const evidence = "review.evidence";

describe("what an approval must answer for", () => {
  const ids = (scene: ReturnType<typeof judging>) => listSubjects(scene.state).map(({ id }) => id);

  it("is every SOP that applies and every criterion", () => {
    expect(ids(judging({ criteria, sops: [errorSop, warningSop, remark] }))).toEqual([
      errorSop.id,
      warningSop.id,
      "C1",
      "C2",
    ]);
  });

  it("is every changed file where there is neither", () => {
    const files = [...cart, { path: "logo.png", status: "added" as const, added: 0, removed: 0 }];
    expect(ids(judging({ files }))).toEqual(["src/cart.ts", "logo.png"]);
  });

  it("is each question of its duty on top", () => {
    const config = configOf({ review: { require_evidence: true } });
    const program = pairProgram(config);
    const steps = program.steps.map((step) =>
      step.kind === "turn" && step.role === "reviewer" ? { ...step, duties: ["implementability"] } : step,
    );
    const scene = pair({
      config: { review: { require_evidence: true } },
      criteria: ["Totals are right"],
      program: { ...program, steps },
    })
      .started()
      .implementerPasses({ package: wholePackage })
      .handsOver("T1")
      .gatesPass()
      .atWork();
    expect(ids(scene)).toEqual(["C1", "outline", "blockers"]);
    says(scene, clean(evidenceFor("C1"))).refuses(evidence, {
      details: /outline \(Which steps implement it.*\): no evidence[\s\S]*blockers/,
    });
    const outline = { ...evidenceFor("outline"), why: "first the sum, then the discount, then the tax" };
    const blockers = { ...evidenceFor("blockers"), why: "rounding is the hardest and is settled here" };
    says(scene, clean(evidenceFor("C1"), outline, blockers)).accepted();
  });
});

describe("coverage", () => {
  it("refuses a bare --no-findings, and says what is missing and how to say it", () => {
    says(judging({ criteria }), { noFindings: true }).refuses(evidence, {
      message: /needs evidence that stands in the reviewed tree/,
      hint: /--checked 'C1 src\/cart\.ts:LINE what you saw there'/,
      details: /C1 \(Totals are right\): no evidence\nC2 \(An empty cart costs nothing\): no evidence/,
    });
  });

  it("never hints at a line of a file that the change deletes", () => {
    const gone = { path: "src/legacy.ts", status: "deleted" as const, added: 0, removed: 4 };
    const files = [gone, ...cart];
    const none = { noFindings: true };
    const line = (what: string) => new RegExp(`^--checked '${what}src/cart\\.ts:LINE what you saw there'$`);
    says(judging({ criteria, files }), none).refuses(evidence, { hint: line("C1 ") });
    says(judging({ files: [...cart, gone] }), none).refuses(evidence, { hint: line("") });
    says(judging({ sops: [errorSop], files }), none).refuses(evidence, {
      hint: /^--sop '\S+ passed src\/cart\.ts:LINE what you saw there'$/,
    });
    says(judging({ files }), none).refuses(evidence, {
      hint: /^--checked 'src\/legacy\.ts why it may go'$/,
    });
  });

  it("refuses a criterion left out, and evidence that names none of them", () => {
    says(judging({ criteria }), clean(evidenceFor("C1"))).refuses(evidence, {
      details: /^C2 .*no evidence$/,
    });
    says(judging({ criteria }), clean(looked)).refuses(evidence);
    says(judging({ criteria }), clean(evidenceFor("C1", "C2"), evidenceFor("C3"))).refuses(
      "review.unknown-subject",
      {
        message: /there is no criterion C3 here/,
        hint: /C1, C2/,
      },
    );
    says(judging(), clean(evidenceFor("C1"))).refuses("review.unknown-subject", { message: /C1/ });
  });

  it("takes one place for two criteria", () => {
    says(judging({ criteria }), clean(evidenceFor("C1", "C2"))).accepted();
  });

  it("refuses an SOP left out, whatever is said about the others", () => {
    const scene = judging({ sops: [errorSop, warningSop] });
    const said = { ...clean(), opinion: opinion({ sop_review: [passed("money")] }) };
    says(scene, said).refuses(evidence, { details: /^source\.doc\.sops\.naming: no evidence$/ });
  });

  it("takes an SOP answered by evidence for its id", () => {
    says(judging({ sops: [errorSop] }), clean(evidenceFor(sop("money")))).accepted();
  });

  it("refuses a changed file that nobody looked at", () => {
    const files = [...cart, { path: "src/tax.ts", status: "added" as const, added: 9, removed: 0 }];
    says(judging({ files }), clean(looked)).refuses(evidence, { details: /^src\/tax\.ts: no evidence$/ });
    says(
      judging({ files }),
      clean(looked, { ...looked, file: "./src/tax.ts", why: "rounds to cents" }),
    ).accepted();
  });

  it("takes either name of a renamed file", () => {
    const files = [
      { path: "src/basket.ts", from: "src/cart.ts", status: "renamed" as const, added: 0, removed: 0 },
    ];
    says(judging({ files }), clean(looked)).accepted();
    says(judging({ files }), clean({ ...looked, file: "src/basket.ts" })).accepted();
  });

  it("is needed for a pass that only notes P2 and P3, and for converged", () => {
    says(judging({ criteria: ["Totals are right"] }), { findings: [p3] }).refuses(evidence);
    says(judging({ criteria: ["Totals are right"] }), {
      findings: [p3],
      checked: [evidenceFor("C1")],
    }).accepted();
    const last = judging().reviews(clean(looked)).atWork();
    last.tries(last.converged()).refuses(evidence);
    last.tries(last.converged({ checked: [looked] })).accepted();
  });

  it("is not needed to reject", () => {
    says(judging({ criteria, sops: [errorSop] }), { findings: [p1] }).accepted();
  });

  it("is needed when old findings are all closed and nothing new is found", () => {
    const scene = judgingAgain([p1], { criteria: ["Totals are right"] });
    const answers = [{ id: "F1", status: "fixed" as const }];
    says(scene, { noFindings: true, answers }).refuses(evidence);
    says(scene, { ...clean(evidenceFor("C1")), answers }).accepted();
  });
});

describe("evidence that is none", () => {
  const scene = judging({ criteria: ["Totals are right."] });
  const why = (words: string) => clean({ ...evidenceFor("C1"), why: words });

  it.each([
    "LGTM",
    "lgtm!!!",
    "looks good",
    "Looks good to me.",
    "looks fine, all good",
    "Everything is correct.",
    "no issues found",
    "No problems here",
    "nothing to report",
    "This change is fine and works as expected",
    "the code looks great overall",
    "checked, verified, approved, done",
    "This file looks correct",
    "very good",
    "👍👍👍👍👍👍👍👍👍👍",
    "short",
    "--------------------",
  ])("is praise or a sign: %s", (words) => {
    says(scene, why(words)).refuses(evidence, { details: /says nothing about it/ });
  });

  it.each(["Totals are right.", "  totals ARE right.  ", "why it is right", "what you saw there"])(
    "is the question said back: %s",
    (words) => {
      says(scene, why(words)).refuses(evidence, { details: /says nothing about it/ });
    },
  );

  it("counts when one of several is more than that", () => {
    says(scene, { noFindings: true, checked: [...why("LGTM").checked, evidenceFor("C1")] }).accepted();
  });

  it("is the same words for three places", () => {
    const all = ["One rule holds", "Another rule holds", "A third rule holds"];
    const said = ["C1", "C2", "C3"].map((id, i) => ({ ...evidenceFor(id), line: 41 + i }));
    says(judging({ criteria: all }), clean(...said)).refuses(evidence, {
      details: /the same words stand for 3 places/,
    });
    const two = said.map((one, i) =>
      i === 2 ? { ...one, why: "the loop never runs when it is empty" } : one,
    );
    says(judging({ criteria: all }), clean(...two)).accepted();
  });

  it("is a place that is not true, even beside evidence that is", () => {
    const invented = { ...looked, line: 900, why: "the tax is added last of all" };
    const said = clean(evidenceFor("C1"), invented);
    saysWith(scene, said, wrongAt(said, invented, "src/cart.ts has 50 lines")).refuses(evidence, {
      details: /^src\/cart\.ts has 50 lines$/,
    });
  });

  it("is a place that nobody looked up", () => {
    saysWith(scene, clean(evidenceFor("C1")), { places: {} }).refuses(evidence, {
      details: /was not looked up/,
    });
    const { facts: _none, ...blind } = scene.pass(clean(evidenceFor("C1"))) as { facts?: object };
    scene
      .tries({ ...scene.pass(clean(evidenceFor("C1"))), ...blind, facts: undefined } as never)
      .refuses(evidence);
  });

  it("is shown with its reasons, and not without end", () => {
    const many = Array.from({ length: 40 }, (_, i) => `Criterion number ${i + 1}`);
    const { details = [] } = says(judging({ criteria: many }), { noFindings: true }).decision.refusal ?? {};
    expect(details).toHaveLength(19);
    expect(details.at(-1)).toBe("… and 22 more");
  });
});

describe("an SOP that is answered", () => {
  const scene = judging({ sops: [errorSop] });
  const answered = (entry: ReturnType<typeof passed>) => ({
    ...clean(),
    opinion: opinion({ sop_review: [entry] }),
  });
  const notApplicable = (words: string) => ({
    ...passed("money", words),
    status: "not_applicable" as const,
  });

  it("passed with a place, or with code quoted from a file", () => {
    says(scene, answered(passed("money", "src/cart.ts:41"))).accepted();
    says(scene, answered(passed("money", "src/cart.ts has `const cents: number` alone"))).accepted();
  });

  it("did not pass without either, or with a quote of fewer than eight letters", () => {
    const needs = { details: /passed needs a quote or file:line/ };
    says(scene, answered(passed("money", "I read all of it with great care"))).refuses(evidence, needs);
    says(scene, answered(passed("money", "src/cart.ts keeps to it everywhere"))).refuses(evidence, needs);
    says(scene, answered(passed("money", "src/cart.ts has `sum` in it, so it keeps to it"))).refuses(
      evidence,
      needs,
    );
  });

  it("did not pass by praise or by its own text", () => {
    says(scene, answered(passed("money", "all good"))).refuses(evidence, { details: /says nothing/ });
    const said = answered(passed("money", "Amounts are kept in cents"));
    saysWith(scene, said, { echoed: [sop("money")] }).refuses(evidence, { details: /the SOP's own text/ });
  });

  it("does not apply for a reason that names a file", () => {
    says(scene, answered(notApplicable("src/cart.ts has no amounts, only counts"))).accepted();
    says(scene, answered(notApplicable("there are no amounts in this change"))).refuses(evidence, {
      details: /not_applicable needs a reason that names a file/,
    });
  });

  it("does not stop to apply because of a file that does not exist", () => {
    const said = answered(notApplicable("src/none.ts has no amounts, only counts"));
    saysWith(scene, said, { files: [] }).refuses(evidence, { details: /names a file of the tree/ });
  });

  it("cites no false place, though another one proves it", () => {
    const said = answered(passed("money", "src/cart.ts:41 and src/cart.ts:900 keep amounts in cents"));
    const places = { [JSON.stringify(["src/cart.ts", 900, null])]: "there is no line 900" };
    saysWith(scene, said, {
      places: { ...{ [JSON.stringify(["src/cart.ts", 41, null])]: null }, ...places },
    }).refuses(evidence, { details: /^there is no line 900$/ });
  });
});

describe("the driver's own look", () => {
  it("sends a review back whose evidence does not stand after all", () => {
    const scene = judging();
    const claimed = scene.does(scene.pass(clean(looked)));
    const lost = {
      tree: "T1",
      places: {},
      read: {},
      files: [],
      unchanged: [],
      echoed: [],
      unknownSops: [],
      matched: {},
    };
    const back = claimed.handsOver("T1", { facts: lost });
    back.has({ lifecycle: "RUNNING", reviews: [], turn: { role: "reviewer", agent: "bob", status: "due" } });
    expect(back.last("HANDOFF").payload.problems.join()).toMatch(/needs evidence/);
  });

  it("sends one back that nobody looked up", () => {
    const scene = judging();
    const claimed = scene.does(scene.pass(clean(looked)));
    const { facts: _gone, ...handoff } = claimed.handoff("T1") as { facts?: object };
    claimed.does(handoff as never).has({ reviews: [], turn: { status: "due", role: "reviewer" } });
  });

  it("counts what it finds true", () => {
    const scene = judging();
    const counted = scene.does(scene.pass(clean(looked))).handsOver();
    counted.has({ round: 2, reviews: [{ agent: "bob", clean: true, tree: "T1" }] });
  });
});
