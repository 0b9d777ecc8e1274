// The real CLIs as reviewers: one that only stamps never gets a bubble to its approval, an honest one does, and a
// verdict answers for every SOP. The author is a plain program, which reviews last and honestly.
import { describe, expect, test } from "vitest";
import { handoff, judged, looked, review } from "./bubble-rig.ts";
import { answers, type Bubble, type Cli, clis, id, saying, staged } from "./bubble-stage.ts";

const does = "echo 'total: 2' > src/cart.txt";
const done = handoff("The total is right");

/** Somebody else's work, judged by a real CLI that gives these answers one after the other. */
function reviewedBy(cli: Cli, says: readonly object[], more: Partial<Parameters<typeof staged>[0]> = {}) {
  const author = [{ does, says: done }, { says: review("Nothing found", { converged: true }) }];
  return staged({
    ...{ implementer: "author", reviewer: cli, programs: { author } },
    model: saying(...says.map((answer) => answers(cli, answer))),
    ...more,
  });
}

/** What the referee told the reviewer about its last answer. */
const blamed = (bubble: Bubble, attempt: number) =>
  /## What was wrong\n\n([\s\S]*?)\n\n## /.exec(bubble.prompt(attempt))?.[1] ?? "";

const warned = (bubble: Bubble) => bubble.all("WARNING").map(({ code }) => code);

describe.concurrent("a real CLI that stamps", { timeout: 240_000 }, () => {
  const stamps = [
    review("LGTM", { checked: [] }),
    review("Looks good", { checked: [{ ...looked, why: "Looks good to me, no issues found" }] }),
    review("Verified", { checked: [{ ...looked, line: 40, quote: "total = net - discount" }] }),
  ];

  test.for(clis)("%s is asked again twice, then the human is; nothing is approved", async (cli) => {
    await using bubble = await reviewedBy(cli, stamps);
    const status = await bubble.start();
    expect(status.state, await bubble.story()).toBe("WAITING_HUMAN");
    expect(status.questions).toMatchObject([
      { kind: "lost-agent", text: expect.stringMatching(/\(3 attempts\): garbage\. .*there is no line 40/s) },
    ]);
    expect(warned(bubble)).toEqual(["review.evidence", "review.evidence", "review.evidence"]);
    expect(blamed(bubble, 3)).toContain("src/cart.txt: no evidence");
    expect(blamed(bubble, 4)).toContain("src/cart.txt: the evidence says nothing about it");
    expect(bubble.attempts().slice(1)).toEqual([
      `t2.1 ${cli} fresh`,
      `t2.2 ${cli} resumed`,
      `t2.3 ${cli} resumed`,
    ]);
    expect(bubble.all("PASS")).toHaveLength(1);
    expect(bubble.all("APPROVAL_REQUEST")).toEqual([]);
    const { tool } = bubble;
    const approve = ["bubble", "approve", "--id", id, "--yes", "--operator-key", tool.key];
    expect((await tool.run(...approve)).code).toBe(1);
  });
});

describe.concurrent("a real CLI that looked", { timeout: 240_000 }, () => {
  test.for(clis)("%s approves with evidence, and the bubble comes to its approval", async (cli) => {
    await using bubble = await reviewedBy(cli, [review("Nothing found")]);
    const status = await bubble.start();
    expect(status.state, await bubble.story()).toBe("READY_FOR_APPROVAL");
    expect(warned(bubble)).toEqual([]);
    const tree = status.tree?.id;
    expect(bubble.all("PASS")[1]).toMatchObject({
      checked: [{ file: "src/cart.txt", line: 1, why: looked.why }],
      opinion: { dialect: "findings", decision: "approve", tree },
    });
    expect(bubble.all("CONVERGENCE")).toMatchObject([{ opinion: { tree } }]);
  });
});

const prefix = "source.doc.sops.";
const sopFile = (rule: string) => `---\napplies_to: "src/**"\nrequirements:\n  - ${rule}\n---\n`;

/** A project whose reviews say approved or rejected, and answer for two SOPs. */
const project = {
  ".pairflow/config.yaml": "defaults:\n  review:\n    dialect: verdict\n",
  ".pairflow/sops/error-handling.md": sopFile("Errors are wrapped"),
  ".pairflow/sops/test-coverage.md": sopFile("New functions have a test"),
};

const passed = (slug: string, why: string, line = 1) => ({
  ...{ sop_id: `${prefix}${slug}`, status: "passed", violations: [] },
  evidence: [{ file: "src/cart.txt", line, end_line: null, quote: null, why }],
});

/** Every SOP answered with a place that stands in the tree. */
const honest = (more: object = {}) => ({
  ...{ status: "completed", questions: [], message: null, ...judged, checked: [] },
  ...{ verdict: "approved", rejection_type: null, confidence: 0.9 },
  feedback: "One number changed; both procedures hold",
  sop_review: [
    passed("error-handling", "it is a number; nothing in it can fail"),
    passed("test-coverage", "it adds no function that would need a test"),
  ],
  ...more,
});

/** A review that sounds thorough: it approves although it found a procedure violated. */
const contradictory = honest({
  sop_review: [
    passed("error-handling", "Error wrapping uses fmt.Errorf with %w at lines 45, 67, 89"),
    {
      ...passed("test-coverage", "New function ProcessData has no test coverage"),
      status: "violated",
      violations: ["Missing unit test for ProcessData"],
    },
  ],
  confidence: 0.85,
  feedback: "Overall implementation is solid but missing test coverage for ProcessData",
  patterns: [
    {
      name: "Context timeout in handlers",
      pattern: "All HTTP handlers use context.WithTimeout",
      applies_to: "handlers/*.go",
    },
  ],
});

describe.concurrent("a real CLI that gives a verdict", { timeout: 240_000 }, () => {
  const author = [{ does, says: done }, { says: honest({ feedback: "Both procedures hold here" }) }];
  const cast = { files: project, programs: { author } };

  test.for(clis)("%s cannot approve with a violated SOP, and can with evidence for each", async (cli) => {
    await using bubble = await reviewedBy(cli, [contradictory, honest()], cast);
    const status = await bubble.start();
    expect(status.state, await bubble.story()).toBe("READY_FOR_APPROVAL");
    expect(warned(bubble)).toEqual(["review.contradiction"]);
    expect(blamed(bubble, 3)).toContain(`P1 ${prefix}test-coverage: Missing unit test for ProcessData`);
    expect(bubble.prompt(2)).toContain(`${prefix}test-coverage`);
    expect(bubble.all("PASS")[1]).toMatchObject({
      findings: [],
      opinion: { dialect: "verdict", decision: "approve", confidence: 0.9, sop_review: [{}, {}] },
    });
  });

  test.for(clis)("%s that is not sure of itself leaves the decision to the human", async (cli) => {
    await using bubble = await reviewedBy(cli, [honest({ confidence: 0.5 })], cast);
    const asked = await bubble.start();
    expect(asked.state, await bubble.story()).toBe("WAITING_HUMAN");
    expect(asked.questions).toMatchObject([
      { kind: "unsure", text: expect.stringContaining(`${cli} is only 50 % sure`) },
    ]);
    expect(bubble.all("APPROVAL_REQUEST")).toEqual([]);
    const key = ["--operator-key", bubble.tool.key];
    const trusted = await bubble.reply("--choose", "trust", "--message", "I have read it too", ...key);
    expect(trusted.state, await bubble.story()).toBe("READY_FOR_APPROVAL");
  });
});
