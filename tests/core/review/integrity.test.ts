// A review counts only if it judged this tree, by somebody else than its producer, and does not contradict itself.
import { describe, expect, it } from "vitest";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import type { State } from "../../../src/core/model/state.ts";
import { listSentencesBeforeSigning } from "../../../src/core/package/list.ts";
import { proveAllPlaces } from "../../../src/testing/scenario-actors.ts";
import { quality_checks } from "../../helpers/quality.ts";
import {
  asOperator,
  clean,
  errorSop,
  evidenceFor,
  judging,
  judgingAgain,
  looked,
  opinion,
  passed,
  refusalOf,
  remark,
  says,
  saysWith,
  sop,
  violated,
  warningSop,
} from "../integrity-scene.ts";
import { p1, p3 } from "../pair.ts";

const known = (state: State) => listSentencesBeforeSigning(state).map(({ text }) => text);
const honest = clean(looked);
const found = { findings: [p1] };
const passedChecks = { quality_checks };

describe("freshness: a written review names the tree it judged", () => {
  const tree = "a1b2c3d4e5f60718293a4b5c6d7e8f9012345678";

  it("is refused without a tree, whatever it decides", () => {
    const { tree: _none, ...unnamed } = opinion();
    const revising = { ...unnamed, decision: "revise" } as const;
    says(judging(), { ...honest, opinion: unnamed }).refuses("review.stale-tree", {
      message: /does not name the tree/,
      hint: /"tree": "T1"/,
    });
    says(judging(), { ...found, opinion: revising }).refuses("review.stale-tree");
  });

  it("is refused with another tree, whatever it decides", () => {
    says(judging(), { ...honest, opinion: opinion({ tree: "T0" }) }).refuses("review.stale-tree", {
      message: /judges tree T0, this turn is about T1/,
    });
    says(judging(), {
      ...found,
      opinion: opinion({ tree: "T0", decision: "revise" }),
    }).refuses("review.stale-tree");
  });

  it("may abbreviate the tree to twelve characters, not to fewer, and not to none of it", () => {
    const scene = judging();
    const claim = (named: string) => {
      const said = { ...found, opinion: opinion({ tree: named, decision: "revise" }) };
      const facts = proveAllPlaces(said, tree);
      return { ...scene.pass({ ...said, facts }) };
    };
    const turn = { ...scene.turn, tree };
    const state = { ...scene.state, turn };
    const named = (words: string) => refusalOf(state, claim(words));
    expect(named(tree)).toBeUndefined();
    expect(named(tree.slice(0, 12))).toBeUndefined();
    expect(named(tree.slice(0, 11))).toBe("review.stale-tree");
    expect(named(`b${tree.slice(1, 12)}`)).toBe("review.stale-tree");
    expect(named(`${tree}0`)).toBe("review.stale-tree");
  });

  it("is refused when it was looked up in another tree than the turn's own", () => {
    saysWith(judging(), honest, { tree: "T0" }).refuses("review.stale-tree", { message: /looked up/ });
  });

  it("is needed by nobody who speaks by flags: they are about the tree of their turn", () => {
    says(judging(), honest).accepted();
  });
});

describe("independence", () => {
  it("refuses the review of whoever made the tree in this round", () => {
    const scene = judging();
    const own = { ...scene.state, turn: { ...scene.turn, agent: "alice" } };
    expect(refusalOf(own, scene.pass(honest))).toBe("review.not-independent");
  });

  it("does not bother a bubble with one agent, which is shown as weak instead", () => {
    const alone = { agents: { implementer: "alice", reviewer: "alice" } };
    says(judging({ config: alone }), honest).accepted();
  });

  it("lets the producer of an earlier round review what it made, after the roles were swapped", () => {
    const swapped = judging().reviews(honest).atWork();
    expect(swapped.turn.agent).toBe("alice");
    says(swapped, honest).accepted();
  });
});

describe("consistency", () => {
  /** A dialect with a word that decides: it can be contradicted. */
  const worded = (more: Partial<Opinion> = {}) => opinion({ dialect: "decision", ...more });

  it("refuses an approving word that leaves a P0 or P1 open", () => {
    says(judgingAgain([p1]), {
      checked: [looked],
      answers: [{ id: "F1", status: "open" }],
      opinion: worded({ tree: "T2" }),
    }).refuses("review.contradiction", { details: /F1 P1 Total ignores discount/ });
  });

  it("refuses an approving word beside a new P1", () => {
    says(judging(), { ...found, checked: [looked], opinion: worded() }).refuses("review.contradiction");
  });

  it("refuses an approving word beside a P3 on a core path", () => {
    const core = { severity: { core_paths: ["src/**"], core_areas: [] } };
    const minor = { ...p3, file: "src/cart.ts" };
    says(judging({ config: core }), { findings: [minor], checked: [looked], opinion: worded() }).refuses(
      "review.contradiction",
    );
  });

  it("refuses a rejecting word with nothing behind it", () => {
    says(judging(), { ...honest, opinion: worded({ decision: "revise" }) }).refuses("review.contradiction", {
      message: /rejects and names no finding/,
    });
  });

  it("takes a rejecting word whose finding is an old one that is still open", () => {
    says(judgingAgain([p1]), {
      answers: [{ id: "F1", status: "open" }],
      opinion: worded({ decision: "revise", tree: "T2" }),
    }).accepted();
  });

  it.each([
    ["P2 and P3 alone", { findings: [p3] }, []],
    ["a violated SOP of severity warning", {}, [violated("naming")]],
  ])("takes a rejecting word for what it is, with %s", (_, said, sop_review) => {
    const scene = judging({ criteria: ["Totals are right"], sops: [warningSop] });
    const rejects = { ...said, opinion: worded({ decision: "revise", sop_review }) };
    const back = scene.after(says(scene, rejects).accepted()).handsOver();
    back.has({ round: 2, turn: { role: "implementer" } });
    expect(back.state.reviews.at(-1)).toMatchObject({ clean: false, rejects: true });
  });

  it("refuses an approving word beside a violated SOP that does not apply here", () => {
    const said = { ...honest, opinion: worded({ ...passedChecks, sop_review: [violated("sql")] }) };
    says(judging(), said).refuses("review.contradiction", { message: /source\.doc\.sops\.sql is violated/ });
  });

  it("refuses a GO whose quality checks are left out, null or called otherwise", () => {
    const go = (quality_checks?: Record<string, boolean>) => ({
      ...honest,
      opinion: worded(quality_checks ? { quality_checks } : {}),
    });
    const { security_review_passed: _gone, ...three } = passedChecks.quality_checks;
    const code = "review.quality-checks";
    says(judging(), go()).refuses(code, { message: /acceptance_criteria_met/ });
    says(judging(), go({})).refuses(code);
    says(judging(), go(three)).refuses(code, { message: /a quality check is not passed: security_review/ });
    says(judging(), go({ ...three, security_ok: true })).refuses(code);
    says(judging(), go(passedChecks.quality_checks)).accepted();
  });

  it("refuses an SOP that the project does not have, by its name", () => {
    const said = { ...honest, opinion: opinion({ sop_review: [passed("invented")] }) };
    saysWith(judging(), said, { unknownSops: [sop("invented")] }).refuses("review.unknown-sop", {
      message: /no SOP source\.doc\.sops\.invented/,
    });
  });

  it("refuses an answer to an SOP without evidence, whatever it decides", () => {
    const empty = { ...violated("money"), evidence: "" };
    const said = { findings: [p1], opinion: opinion({ decision: "revise", sop_review: [empty] }) };
    says(judging({ sops: [errorSop] }), said).refuses("review.evidence", { details: /evidence is empty/ });
  });

  it("refuses an approval with a violated SOP of severity error", () => {
    const said = { ...clean(), opinion: worded({ sop_review: [violated("money")] }) };
    says(judging({ sops: [errorSop] }), said).refuses("review.contradiction", {
      details: /F1 P1 source\.doc\.sops\.money/,
    });
  });

  it("takes the findings themselves for the decision where no word decides", () => {
    const said = { ...clean(), opinion: opinion({ sop_review: [violated("money")] }) };
    const scene = judging({ sops: [errorSop] });
    scene
      .after(says(scene, said).accepted())
      .handsOver()
      .has({ round: 2, findings: [{ severity: "P1", area: "sop" }], turn: { role: "implementer" } });
  });

  it("makes a P2 of a violated SOP of severity warning, and asks a human about it", () => {
    const said = { ...clean(), opinion: opinion({ sop_review: [violated("naming")] }) };
    const scene = judging({ sops: [warningSop] });
    const asked = scene.after(says(scene, said).accepted()).handsOver();
    asked.has({
      lifecycle: "WAITING_HUMAN",
      findings: [{ id: "F1", severity: "P2", area: "sop", status: "open" }],
      questions: [{ kind: "tie-break" }],
    });
  });

  it("never lets an info SOP block: neither unanswered nor violated", () => {
    const scene = judging({ sops: [remark], criteria: ["Totals are right"] });
    says(scene, clean(evidenceFor("C1"))).accepted();
    const said = { ...clean(evidenceFor("C1")), opinion: opinion({ sop_review: [violated("style")] }) };
    says(scene, said)
      .accepted()
      .state({ turn: { claim: { pass: { findings: [{ severity: "P3" }] } } } });
  });

  it("ignores what is said about SOPs that do not apply", () => {
    const said = { ...honest, opinion: opinion({ sop_review: [violated("sql"), passed("css")] }) };
    const scene = judging();
    says(scene, said)
      .accepted()
      .state({ turn: { claim: { pass: { findings: [] } } } });
  });
});

describe("confidence", () => {
  const verdict = { dialect: "verdict" } as const;

  it("is always said in the dialect verdict, by flags too", () => {
    says(judging({ review: verdict }), honest).refuses("review.no-confidence", { hint: /--confidence/ });
    const said = { ...honest, opinion: opinion({ ...verdict, confidence: 0.9 }) };
    says(judging({ review: verdict }), said).accepted();
  });

  it("below 0.7 asks a human, who trusts the review, wants another, or rejects", () => {
    const scene = judging().reviews({ ...honest, opinion: opinion({ confidence: 0.69 }) });
    scene.has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "unsure", text: /69 % sure/ }],
    });
    const options = scene.state.questions[0]?.options?.map(({ key }) => key);
    expect(options).toEqual(["trust", "again", "reject"]);
    scene
      .replies({ choice: "trust", message: "I read it myself" })
      .has({ lifecycle: "RUNNING", round: 2, turn: { role: "reviewer", agent: "alice" } });
    scene
      .replies({ choice: "again", message: "" })
      .has({ lifecycle: "RUNNING", round: 1, turn: { role: "reviewer", agent: "bob" } });
    scene.replies({ choice: "reject", message: "" }).has({ lifecycle: "CANCELLED" });
  });

  it("of exactly 0.7 is enough, and a bubble may ask for more", () => {
    const sure = { ...honest, opinion: opinion({ confidence: 0.7 }) };
    judging().reviews(sure).has({ lifecycle: "RUNNING", round: 2 });
    judging({ review: { min_confidence: 0.8 } })
      .reviews(sure)
      .has({ lifecycle: "WAITING_HUMAN" });
  });

  it("of a review that a human trusts is shown to whoever signs", () => {
    const trusted = judging()
      .reviews({ ...honest, opinion: opinion({ confidence: 0.5 }) })
      .replies({ choice: "trust", message: "I read it myself" });
    expect(known(trusted.state).join("\n")).toMatch(
      /bob was only 50 % sure of its review; a human trusts it/,
    );
  });
});

describe("fixed", () => {
  const fixed = (reason?: string) => ({
    ...clean(looked),
    answers: [{ id: "F1", status: "fixed" as const, ...(reason ? { reason } : {}) }],
  });
  const unchanged = { unchanged: ["F1"] };

  it("is refused for a finding whose lines did not change", () => {
    saysWith(judgingAgain([p1]), fixed(), unchanged).refuses("review.fixed-unchanged", {
      message: /F1: answered fixed, but nothing changed/,
      hint: /--open F1/,
    });
  });

  it("is refused for one of two, in a rejection too", () => {
    const two = judgingAgain([p1, { ...p1, title: "Tax is doubled" }]);
    const said = {
      answers: [
        { id: "F1", status: "fixed" as const },
        { id: "F2", status: "open" as const },
      ],
    };
    saysWith(two, said, unchanged).refuses("review.fixed-unchanged");
  });

  it("is taken where the lines changed", () => {
    says(judgingAgain([p1]), fixed()).accepted();
  });
});

describe("findings without proof", () => {
  it("count, and are marked", () => {
    const bare = { severity: "P1", title: "No test for an empty cart" } as const;
    judging()
      .reviews({ findings: [bare] })
      .has({ findings: [{ id: "F1", proven: false, status: "open" }], round: 2 });
  });

  it("are those, too, whose place does not stand in the tree", () => {
    const scene = judging();
    const said = { findings: [p1] };
    const outcome = saysWith(scene, said, { places: {}, files: [] });
    scene
      .after(outcome.accepted())
      .handsOver()
      .has({ findings: [{ id: "F1", proven: false }] });
    judging()
      .reviews(said)
      .has({ findings: [{ id: "F1", proven: true }] });
  });
});

describe("an operator's review", () => {
  it("need prove nothing, and never counts as clean", () => {
    const scene = judging({ criteria: ["Totals are right"] });
    const passedOn = scene.does(asOperator(scene.pass({ noFindings: true }))).handsOver();
    expect(passedOn.state.reviews.at(-1)).toMatchObject({ byOperator: true, clean: false });
    expect(passedOn.state.lifecycle).not.toBe("READY_FOR_APPROVAL");
  });
});

describe("a reviewer that is refused", () => {
  const lazy = { noFindings: true };

  it("is asked twice more; the third review of its turn that cannot count goes to a human", () => {
    const first = judging();
    const second = first.after(says(first, lazy).refuses("review.evidence"));
    const third = second.after(says(second, lazy).refuses("review.evidence"));
    expect(third.state.lifecycle).toBe("RUNNING");
    const outcome = says(third, lazy);
    expect(outcome.decision.refusal?.code).toBe("review.evidence");
    const asked = third.after(outcome).has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "refused", text: /handed in 3 reviews that cannot count/ }],
    });
    says(asked, honest).refuses("bubble.waiting-human");
  });

  it("gets as many tries again after a human's word", () => {
    let scene = judging();
    for (let n = 0; n < 3; n++) scene = scene.after(says(scene, lazy));
    scene = scene.replies({ message: "look at src/cart.ts" });
    expect(scene.state.lifecycle).toBe("RUNNING");
    scene = scene.after(says(scene, lazy).refuses("review.evidence"));
    says(scene, honest).accepted();
  });

  it("is started again when it has no terminal, however often its process ended before", () => {
    const first = judging();
    let scene = first.turnEnds("superseded").turnStarts({ seat: "process" });
    for (let n = 0; n < 2; n++)
      scene = scene.after(says(scene, lazy)).turnEnds("crashed").turnStarts({ seat: "process" });
    const asked = scene.after(says(scene, lazy)).has({ questions: [{ kind: "refused" }] });
    for (const answered of [
      asked.replies({ choice: "retry", message: "look" }),
      asked.resumes({ message: "look" }),
    ]) {
      answered.has({
        lifecycle: "RUNNING",
        questions: [],
        turn: { status: "due", failures: 0, refusedReviews: 0 },
      });
      answered.turnStarts().has({ turn: { attempt: 5 }, deliveries: [] });
    }
  });

  it("in a pane is told in place, and its process continues", () => {
    let scene = judging();
    for (let n = 0; n < 3; n++) scene = scene.after(says(scene, lazy));
    scene
      .replies({ choice: "retry", message: "look" })
      .has({ turn: { status: "running" }, deliveries: [{ text: "look" }] });
  });

  it("counts unreadable reviews as well", () => {
    let scene = judging();
    const garbage = { unreadable: ["it is empty"] };
    for (let n = 0; n < 3; n++) scene = scene.after(says(scene, garbage));
    scene.has({ lifecycle: "WAITING_HUMAN", questions: [{ kind: "refused" }] });
  });
});

describe("a bubble that asks for no evidence", () => {
  it("takes a bare --no-findings, and says so to whoever signs", () => {
    const scene = judging({ criteria: ["Totals are right"], review: { require_evidence: false } });
    says(scene, { noFindings: true }).accepted();
    expect(known(scene.state)).toContain("reviews need no evidence here (review.require_evidence = false)");
    expect(known(judging().state).join()).not.toMatch(/evidence/);
  });

  it("still refuses what contradicts itself, and an approval of another tree", () => {
    const scene = judging({ sops: [errorSop], review: { require_evidence: false } });
    says(scene, {
      noFindings: true,
      opinion: opinion({ dialect: "decision", sop_review: [violated("money")] }),
    }).refuses("review.contradiction");
    says(scene, { noFindings: true, opinion: opinion({ tree: "T0" }) }).refuses("review.stale-tree");
    expect(sop("money")).toBe(errorSop.id);
  });
});
