// A human signs one digest of one tree; the commit holds exactly that, or nothing is committed.
import { describe, expect, it } from "vitest";
import {
  buildApprovalSubject,
  buildPackageView,
  renderPackageMarkdown,
} from "../../../src/core/signing/package.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { afterSwap, p1, p3, readyForApproval, underReview } from "../pair.ts";

const approve = { type: "approve", actor: operator, digest: "digest-1", tree: "T1", message: "ok" } as const;
const commit = {
  type: "commit",
  actor: operator,
  commit: "c0ffee",
  tree: "T1",
  branch: "bubble/cart",
} as const;
const rework = { type: "request-rework", actor: operator, message: "rename it", reject: false } as const;

describe("an approval", () => {
  it("binds to the digest that was shown", () => {
    readyForApproval()
      .tries({ ...approve, digest: "digest-0" })
      .refuses("approve.digest");
  });

  it("binds to the tree: a file changed since is refused", () => {
    readyForApproval()
      .tries({ ...approve, tree: "T9" })
      .refuses("approve.tree-changed", { hint: /--put-back/ });
  });

  it("moves the bubble to APPROVED_FOR_COMMIT and nothing else", () => {
    readyForApproval()
      .tries(approve)
      .then([
        {
          type: "APPROVAL_DECISION",
          sender: "human",
          payload: { decision: "approve", digest: "digest-1", via: "terminal", message: "ok" },
        },
      ])
      .state({ lifecycle: "APPROVED_FOR_COMMIT", approval: { decision: "approve", tree: "T1" } });
  });

  it("is given once", () => {
    readyForApproval()
      .approves()
      .tries(approve)
      .refuses("approve.already", { hint: /bubble commit/ });
  });

  it("is refused before convergence", () => {
    afterSwap().tries(approve).refuses("approve.wrong-state");
  });
});

describe("a commit", () => {
  it.each([
    ["while the bubble runs", () => afterSwap(), /bubble status/],
    ["while a question is open", () => afterSwap().asks("?"), /bubble status/],
    ["before the approval", () => readyForApproval(), /bubble approve/],
  ])("cannot happen %s", (_when, scene, hint) => {
    scene().tries(commit).refuses("commit.not-approved", { hint });
  });

  it("cannot happen after a rework request", () => {
    readyForApproval().reworks("again").tries(commit).refuses("commit.not-approved");
  });

  it("refuses any other byte", () => {
    readyForApproval()
      .approves()
      .tries({ ...commit, tree: "T9" })
      .refuses("commit.tree-changed", { details: /approved tree T1, found T9/ });
  });

  it("of the approved tree ends the bubble as DONE, through COMMITTED", () => {
    readyForApproval()
      .approves()
      .tries(commit)
      .then([{ type: "COMMITTED", payload: { commit: "c0ffee", tree: "T1" } }, { type: "FINISHED" }])
      .state({ lifecycle: "DONE", commit: { id: "c0ffee" } });
  });

  it("done twice is one commit", () => {
    const done = readyForApproval().approves().commits();
    done.tries(commit).repeats(done.state.seq);
    done.tries({ ...commit, commit: "other" }).refuses("bubble.ended");
  });
});

describe("a request for rework", () => {
  it("sends the result back with the message, in a new round, and the reviews count no more", () => {
    readyForApproval()
      .tries(rework)
      .then([
        { type: "APPROVAL_DECISION", payload: { decision: "revise", message: "rename it" } },
        { type: "STEP_ADVANCED", payload: { outcome: "revise", to: "implement", round: 3 } },
      ])
      .state({
        lifecycle: "RUNNING",
        reviews: [],
        notes: ["rename it"],
        turn: { role: "implementer", agent: "bob", why: /asked for rework: rename it/ },
      });
  });

  it("as a rejection also goes back to RUNNING", () => {
    const rejected = readyForApproval().reworks("wrong approach", true);
    rejected.has({ lifecycle: "RUNNING" });
    expect(rejected.last("APPROVAL_DECISION").payload.decision).toBe("reject");
    expect(rejected.state.convergence).toBeUndefined();
  });

  it("needs a message", () => {
    readyForApproval()
      .tries({ ...rework, message: " " })
      .refuses("rework.no-message");
  });

  it("is refused elsewhere", () => {
    afterSwap().tries(rework).refuses("request-rework.wrong-state");
    readyForApproval().approves().tries(rework).refuses("request-rework.wrong-state");
  });

  it("needs both reviews again, even if nothing was changed", () => {
    const again = readyForApproval()
      .reworks("explain it")
      .implements("T1", { noChange: "it is explained in the package" });
    again.has({ turn: { role: "reviewer", agent: "alice" } });
    again
      .reviews()
      .has({ turn: { agent: "bob" } })
      .reviewerConverges()
      .handsOver()
      .packageWritten("digest-2")
      .has({ lifecycle: "READY_FOR_APPROVAL", approval: { digest: "digest-2" } });
  });

  it("makes the old approval request worthless", () => {
    readyForApproval().reworks("again").tries(approve).refuses("approve.wrong-state");
  });
});

describe("the package", () => {
  const full = () =>
    underReview({ criteria: ["Totals include the discount"] })
      .reviews({ findings: [p3] })
      .replies({ choice: "waive", message: "taste" })
      .reviewerConverges()
      .handsOver()
      .finallyGreen();

  it("has the specification's six parts and what the referee adds", () => {
    const text = renderPackageMarkdown(buildPackageView(full().state));
    for (const part of [
      "What changed",
      "Why",
      "Tradeoffs and residual risks",
      "Changed files",
      "Manual test plan",
      "Commit message",
      "Gates on a clean checkout of exactly this tree",
      "Reviews of exactly this tree",
      "Findings",
    ]) {
      expect(text).toContain(`## ${part}\n`);
    }
    expect(text).toContain("src/cart.ts (modified, +3 −1)");
    expect(text).toContain("F1 P3 Name is vague: waived (taste)");
    expect(text).toContain("Totals include the discount");
  });

  it("is demanded only for the tree that asks for approval", () => {
    full()
      .tries({
        type: "package-written",
        actor: { kind: "driver", id: "d1" },
        tree: "T9",
        artifact: "a",
        sha256: "s",
        digest: "d",
      })
      .refuses("driver.not-due");
  });

  it("merges what later passes say into what earlier ones said", () => {
    underReview()
      .reviews({ findings: [p1] })
      .implements("T2", { package: { risks: "None left" } })
      .has({ package: { what: "Discounts apply before tax", risks: "None left" } });
  });

  it("names agents that ran without a sandbox, whoever had the last turn", () => {
    const open = afterSwap().turnStarts({ sandboxed: false });
    const ready = open.does(open.converged()).handsOver().packageWritten();
    expect(ready.last("DONE_PACKAGE").payload.weak).toEqual([
      "reviews need no evidence here (review.require_evidence = false)",
      "without an OS sandbox: alice",
    ]);
    const earlier = underReview().turnStarts({ sandboxed: false });
    const later = earlier
      .does(earlier.pass({ noFindings: true }))
      .handsOver()
      .reviewerConverges()
      .handsOver()
      .packageWritten();
    expect(later.last("DONE_PACKAGE").payload.weak).toEqual([
      "reviews need no evidence here (review.require_evidence = false)",
      "without an OS sandbox: bob",
    ]);
  });

  it("shows a scope override given before, and one given afterwards does not undo the signature", () => {
    const override = {
      type: "override-scope",
      actor: operator,
      paths: ["docs/**"],
      reason: "manual",
    } as const;
    expect(renderPackageMarkdown(buildPackageView(full().does(override).state))).toContain(
      "scope overridden for: docs/**",
    );
    const approved = readyForApproval().approves();
    expect(buildApprovalSubject(approved.does(override).state, "sha")).toBe(
      buildApprovalSubject(approved.state, "sha"),
    );
    approved.does(override).commits().has({ lifecycle: "DONE" });
  });

  it("is signed over everything that would make it another decision", () => {
    const { state } = full();
    const subject = buildApprovalSubject(state, "sha");
    expect(buildApprovalSubject(JSON.parse(JSON.stringify(state)), "sha")).toBe(subject);
    const others = [
      { ...state, tree: { ...state.tree!, id: "T9" } },
      { ...state, baseCommit: "other" },
      { ...state, package: { ...state.package, commit_message: "other" } },
      { ...state, waivedGates: ["test"] },
      { ...state, findings: [] },
      { ...state, reviews: state.reviews.slice(1) },
      { ...state, gates: { ...state.gates!, results: [] } },
    ];
    const digests = [
      subject,
      buildApprovalSubject(state, "sha2"),
      ...others.map((other) => buildApprovalSubject(other, "sha")),
    ];
    expect(new Set(digests).size).toBe(digests.length);
  });
});
