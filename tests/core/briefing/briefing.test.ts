// What each role is told, and must not see.
import { describe, expect, it } from "vitest";
import { type AnswerKind, signals, understand } from "../../../src/core/answer/answer.ts";
import { buildAnswerSchema } from "../../../src/core/answer/schema.ts";
import {
  type BriefingInputs,
  buildPrompt,
  buildTurnNotice,
  type Voice,
} from "../../../src/core/briefing/prompt.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { afterSwap, p1, p3, pair, readyForApproval, underReview } from "../pair.ts";

const praise = "I am proud of this flawless change";

const given: Omit<BriefingInputs, "roleText"> = {
  task: "Totals must include the discount.",
  worktree: "/work/cart",
  out: "/out/cart",
  artifact: (name) => `/record/artifacts/${name}`,
  summary: praise,
  voice: "verbs",
  resumed: false,
};

function told(scene: Scenario, more: { voice?: Voice; resumed?: boolean } = {}): string {
  const roleText = `You are the **${scene.turn.role}**.`;
  return buildPrompt(scene.state, scene.turn, { roleText, ...given, ...more });
}

/** A bubble that implements a document. */
const implementing = (scene: Scenario, blind = false): [Scenario["state"], Scenario["turn"]] => [
  {
    ...scene.state,
    document,
    config: { ...scene.state.config, review: { ...scene.state.config.review, blind } },
  },
  scene.turn,
];
const document = {
  bubble: "prd",
  path: "docs/cart.md",
  tree: "d1",
  artifact: "implements.md",
  sha256: "0",
};
const documentText = "# Cart\n\n## Scope\n\nThe discount counts.\n\n## Standards\n\nOnly for critics.\n";

const criteria = ["Totals include the discount"];

describe("everybody", () => {
  it("is told the role, the task, the criteria, and where the worktree is", () => {
    for (const scene of [pair({ criteria }).started(), underReview({ criteria })]) {
      const text = told(scene);
      expect(text).toContain(`You are the **${scene.turn.role}**.`);
      expect(text).toContain("Totals must include the discount.");
      expect(text).toMatch(/- (?:\*\*C1\*\* )?Totals include the discount/);
      expect(text).toContain("/work/cart");
      expect(text).toContain(`round ${scene.state.round}`);
    }
  });

  it("gets the human's words that are on their way", () => {
    expect(told(pair().started().asks("Which?").turnEnds("asked").replies({ message: "the first" }))).toMatch(
      /## From the human\n\n- Answer to your question "Which\?": the first/,
    );
    expect(told(readyForApproval().reworks("rename it"))).toMatch(/## From the human\n\n- rename it/);
  });

  it("gets a short notice with the file to read", () => {
    const scene = pair().started();
    expect(buildTurnNotice(scene.state, scene.turn, "/record/prompt.md", "verbs")).toBe(
      "[pairflow] cart, round 1: you are the implementer. Read /record/prompt.md and do what it says; answer with pairflow pass, converged or ask-human.",
    );
    expect(buildTurnNotice(scene.state, scene.turn, "/record/prompt.md", "tools")).toMatch(
      /answer with the pass or ask_human tool of the MCP server pairflow\.$/,
    );
  });
});

describe("the reviewer", () => {
  it("is told how full the producer's context was, where its CLI reports it and the workflow assembles a context", () => {
    const scene = pair().started().turnStarts();
    const full = scene.uses({ input: 9, output: 1, context: 0.834 }).implements("T1");
    const { program } = full.state;
    const context = { name: "assemble", kind: "context", on: {} } as const;
    const assembling = { ...full.state, program: { ...program, steps: [...program.steps, context] } };
    expect(buildPrompt(assembling, full.turn, { roleText: "", ...given })).toContain("83 %");
    expect(told(full)).not.toContain("context was");
  });

  it("is told whether a finding was reported before, and not whether another critic took it for fixed", () => {
    const text = told(
      underReview()
        .reviews({ findings: [p1] })
        .implements("T2")
        .reviews({ noFindings: true, answers: [{ id: "F1", status: "fixed", reason: "bob looked" }] }),
    );
    expect(text).toContain(
      "**F1** P1 Total ignores discount — src/cart.ts:41 [reported earlier, not open any more]",
    );
    expect(text).not.toContain("bob looked");
  });

  it("sees the diff, the tree, the files, the gates and prior findings", () => {
    const text = told(
      underReview()
        .reviews({ findings: [p1] })
        .implements("T2"),
    );
    expect(text).toContain("Tree T2");
    expect(text).toContain("/record/artifacts/round-2.diff");
    expect(text).toContain("src/cart.ts (modified, +3 −1)");
    expect(text).toContain("- test: passed");
    expect(text).toMatch(
      /\*\*F1\*\* P1 Total ignores discount — src\/cart\.ts:41 \[open\]\n {2}evidence: sum \+= price/,
    );
    expect(text).toContain("--fixed F1|--open F1|--withdrawn 'F1:reason'");
  });

  it("does not see the author's praise of itself", () => {
    expect(told(underReview())).not.toContain(praise);
  });

  it("sees it when the bubble is configured so", () => {
    expect(told(underReview({ config: { reviewer_sees_summary: true } }))).toContain(praise);
  });

  it("is not told that another critic found nothing", () => {
    const text = told(afterSwap());
    expect(text).not.toMatch(/clean pass|found nothing|bob/);
    expect(text).toContain("This tree waits for a review.");
  });

  it("is told why its last review was refused", () => {
    const again = underReview()
      .reviewerPasses()
      .handsOver("T9", { files: [{ path: "src/cart.ts", status: "modified", added: 1, removed: 0 }] });
    expect(told(again)).toMatch(/files changed during the turn of bob \(reviewer\): src\/cart\.ts/);
  });

  it("sees what the producer disputes, with the reason", () => {
    const disputed = underReview()
      .reviews({ findings: [p1] })
      .implements("T1", { disputes: [{ id: "F1", reason: "the sum is net" }], noChange: "fine" });
    expect(told(disputed)).toContain("disputed by the producer: the sum is net");
  });

  it("sees what was waived, and why, so that it is not found again", () => {
    expect(
      told(
        underReview()
          .reviews({ findings: [p3] })
          .replies({ choice: "waive", message: "taste" }),
      ),
    ).toMatch(/F1\*\* P3 Name is vague .*\[waived\][\s\S]*waived: taste/);
  });

  it("is told how to answer, with both shapes", () => {
    const text = told(underReview());
    expect(text).toContain("--finding 'P1:Title @ file:line | `quoted text` what is wrong with it'");
    expect(text).toContain("--no-findings --checked");
    expect(text).toContain("pairflow converged");
    expect(text).not.toContain("--dispute");
  });

  it("is shown both shapes of the bubble's dialect, beside the commands too", () => {
    const text = told(underReview({ config: { review: { dialect: "verdict" } } }));
    expect(text).toContain("This bubble's reviews speak the dialect verdict");
    expect(text).toMatch(/Approving:\n\n```json\n\{.*"verdict":"approved"/);
    expect(text).toMatch(/Rejecting:\n\n```json\n\{.*"rejection_type":"fixable"/);
  });

  it("is told when no gates exist, and why", () => {
    expect(told(underReview({ gates: [], profile: { not_available: "a prototype" } }))).toContain(
      "none: a prototype",
    );
  });
});

describe("the producer", () => {
  it("sees the output of gates that failed, and what will be run", () => {
    const text = told(pair().started().implementerPasses().handsOver("T1").gatesFail());
    expect(text).toMatch(/### test: failed \(npm test\)\n\n```\ntest says failed\n```/);
    expect(text).toContain("- test: `npm test`");
  });

  it("still sees it after a human granted more rounds", () => {
    const more = pair({ config: { max_rounds: 1 } })
      .started()
      .implementerPasses()
      .handsOver("T1")
      .gatesFail()
      .replies({ choice: "continue", message: "try again" });
    expect(told(more)).toContain("test says failed");
  });

  it("does not see the output of gates that were green", () => {
    expect(told(underReview().reviews({ findings: [p1] }))).not.toContain("test says passed");
  });

  it("sees every earlier finding, not only the last", () => {
    const third = underReview()
      .reviews({ findings: [p1] })
      .implements("T2")
      .reviews({ findings: [{ ...p1, title: "Rounding is off" }], answers: [{ id: "F1", status: "fixed" }] })
      .implements("T3")
      .reviews({ answers: [{ id: "F2", status: "open" }] });
    const text = told(third);
    expect(text).toMatch(/F1\*\* P1 Total ignores discount .*\[fixed\]/);
    expect(text).toMatch(/F2\*\* P1 Rounding is off .*\[open\]/);
    expect(text).toContain("--dispute 'F1:reason");
  });

  it("sees findings marked as unproven or escaped", () => {
    const { evidence: _none, ...unproven } = p1;
    expect(told(underReview().reviews({ findings: [unproven] }))).toContain("[open, unproven]");
  });

  it("is told which parts of the package are still empty", () => {
    const bare = pair()
      .started()
      .implements("T1", { package: { what: "x", why: "y", risks: "z" } })
      .reviews({ findings: [p1] });
    expect(told(bare)).toContain("still empty: test_plan, commit_message");
  });

  it("is told its scope", () => {
    expect(told(pair({ config: { scope: { in: ["src/**"], do_not_touch: [".env"] } } }).started())).toMatch(
      /## Scope\n\n- only: src\/\*\*\n- never touch: \.env/,
    );
  });

  it("is told why its handoff was refused", () => {
    expect(
      told(
        pair()
          .started()
          .implementerPasses()
          .handsOver("T1", { problems: ["a merge is under way"] }),
      ),
    ).toContain("a merge is under way");
  });
});

/** The example of an answer that the text shows, read as JSON. */
function example(text: string): Record<string, unknown> {
  const found = /```json\n(.*)\n```/.exec(text);
  return JSON.parse(found?.[1] ?? "null") as Record<string, unknown>;
}
const properties = (kind: Exclude<AnswerKind, "paper">) =>
  Object.keys((buildAnswerSchema(kind) as { properties: Record<string, unknown> }).properties).sort();

describe("an agent without a terminal", () => {
  const json = { voice: "json" } as const;

  it("is told to answer with one JSON object, and no command to type", () => {
    for (const scene of [pair().started(), underReview()]) {
      const text = told(scene, json);
      expect(text).toMatch(/[Yy]our final answer is one JSON object of the given schema and nothing else/);
      expect(text).not.toMatch(/pairflow (pass|converged|ask-human)|MCP/);
      for (const signal of signals) expect(text).toContain(`"status": "${signal}"`);
    }
  });

  it("is shown a form that is understood, with every property of the schema", () => {
    const scenes = { handoff: pair().started(), findings: underReview() };
    for (const kind of ["handoff", "findings"] as const) {
      const form = example(told(scenes[kind], json));
      expect(Object.keys(form).sort()).toEqual(properties(kind));
    }
    expect(understand("handoff", example(told(scenes.handoff, json)))).toMatchObject({ kind: "claim" });
  });

  it("that says the example back is not understood", () => {
    const echo = understand("findings", example(told(underReview(), json)));
    expect(echo).toMatchObject({ kind: "garbage", problem: expect.stringMatching(/example/) });
  });

  it("that builds is told about the package, and where files go", () => {
    const text = told(pair().started(), json);
    for (const part of ["what (changed), why, risks, test_plan", "commit_message"])
      expect(text).toContain(part);
    expect(text).toContain("/out/cart");
    expect(text).not.toContain("`disputes`");
    const bare = pair()
      .started()
      .implements("T1", { package: { what: "x", why: "y", risks: "z" } });
    const again = told(bare.reviews({ findings: [p1] }), json);
    expect(again).toContain("(still empty: test_plan, commit_message)");
    expect(again).toContain("`disputes` with a reason that can be checked");
  });

  it("that reviews is told which findings need an answer, and to change no file", () => {
    expect(told(underReview(), json)).not.toContain("`answers` needs");
    const second = underReview()
      .reviews({ findings: [p1] })
      .implements("T2");
    expect(told(second, json)).toContain("`prior_findings` needs one entry for each open finding: F1.");
    expect(told(second, json)).toContain("Change no file.");
    expect(told(second, json)).not.toContain(praise);
  });
});

describe("an agent with the tools of the MCP server", () => {
  it("is told the tools of its role first, and the same on a command line", () => {
    const builds = told(pair().started(), { voice: "tools" });
    expect(builds).toMatch(/one call of a tool of the MCP server `pairflow` .*: `pass` or `ask_human`\./);
    expect(builds.indexOf("MCP server")).toBeLessThan(builds.indexOf("pairflow pass --summary"));
    const reviews = told(underReview(), { voice: "tools" });
    expect(reviews).toMatch(/: `submit_review`, `converged` or `ask_human`\./);
    expect(reviews).toContain("pairflow converged --summary");
  });

  it("is not told of it where there are only verbs", () => {
    expect(told(pair().started())).not.toContain("MCP");
  });

  it("has them named in its notice, by its role", () => {
    const scene = underReview();
    expect(buildTurnNotice(scene.state, scene.turn, "/p.md", "tools")).toMatch(
      /you are the reviewer\. .*answer with the submit_review, converged or ask_human tool/,
    );
  });
});

describe("words and files between the two sides", () => {
  const advised = { ...p1, advice: "take it off before the tax" };
  const rejected = () =>
    underReview().reviews({
      summary: "the tax is right, the discount is not",
      findings: [advised],
      refs: ["artifact://refs/repro.sh", "worktree://src/cart.ts"],
    });

  it("a critic's summary, advice and files reach the producer", () => {
    const text = told(rejected());
    expect(text).toMatch(
      /## What reviewers said last\n\nbob \(reviewer\), round 1:\n\n> the tax is right, the discount is not/,
    );
    expect(text).toContain("  advice: take it off before the tax");
    expect(text).toContain("- /record/artifacts/refs/repro.sh\n- /work/cart/src/cart.ts");
  });

  it("they are told until a newer tree was judged, also behind red gates", () => {
    const red = rejected().implementerPasses().handsOver("T2").gatesFail();
    expect(told(red)).toContain("> the tax is right");
    const judged = rejected()
      .implements("T2")
      .reviews({ summary: "still wrong", answers: [{ id: "F1", status: "open" }] });
    expect(told(judged)).toContain("> still wrong");
    expect(told(judged)).not.toContain("> the tax is right");
  });

  it("a rejection that is a finding by its own words is not repeated", () => {
    const text = told(underReview().reviews({ summary: p1.title, findings: [p1] }));
    expect(text).not.toContain("What reviewers said last");
  });

  it("a file that was new in the critic's worktree is found in the patch", () => {
    const text = told(
      underReview()
        .reviewerPasses({ findings: [p1], refs: ["worktree://repro.sh"] })
        .handsOver("T1", {
          files: [{ path: "repro.sh", status: "added", added: 1, removed: 0 }],
          put_back: "round-001.critic.patch",
        }),
    );
    expect(text).toContain(
      "repro.sh: new in the worktree, so it was put back; the patch that holds it: /record/artifacts/round-001.critic.patch",
    );
  });

  it("no critic is told another critic's summary, advice or files", () => {
    const text = told(rejected().implements("T2"));
    for (const said of ["the tax is right", "take it off", "repro.sh"]) expect(text).not.toContain(said);
  });

  it("a producer's files reach the critic, and its words about itself do not", () => {
    const text = told(
      pair()
        .started()
        .implements("T1", { summary: praise, refs: ["artifact://refs/run.log"] }),
    );
    expect(text).toContain("## Files the producer handed in\n\n- /record/artifacts/refs/run.log");
    expect(text).not.toContain(praise);
  });
});

describe("the document that is implemented", () => {
  const builds = (scene: Scenario, { room = 1000, blind = false } = {}) =>
    buildPrompt(...implementing(scene, blind), {
      ...given,
      roleText: "",
      document: { text: documentText, room },
    });

  it("is told to both sides with its file, its headings below the prompt's own", () => {
    for (const scene of [pair().started(), underReview()]) {
      const text = builds(scene);
      expect(text).toContain("`docs/cart.md`, approved by a human in the bubble prd.");
      expect(text).toContain("The whole text: /record/artifacts/implements.md");
      expect(text).toContain("#### Scope\n\nThe discount counts.");
    }
    expect(builds(pair().started())).toContain("Build what it describes");
    expect(builds(underReview())).toContain("The work must fit it");
  });

  it("is named only where its words have no room", () => {
    const text = builds(pair().started(), { room: 20 });
    expect(text).toContain("/record/artifacts/implements.md");
    expect(text).toContain("no room for them here: read the file");
    expect(text).not.toContain("The discount counts.");
  });

  it("keeps from a blind producer what only critics may know, and the file that says it", () => {
    const text = builds(pair().started(), { blind: true });
    expect(text).toContain("The discount counts.");
    expect(text).not.toContain("Only for critics.");
    expect(text).not.toContain("implements.md");
    expect(builds(underReview(), { blind: true })).toContain("Only for critics.");
  });

  it("is not told again to a session that knows it", () => {
    const scene = pair().started().atWork().turnEnds("garbage", { detail: "summary is missing" });
    const again = { ...given, roleText: "", resumed: true, document: { text: documentText, room: 1000 } };
    expect(buildPrompt(...implementing(scene), again)).not.toContain("The discount counts.");
  });
});

describe("a session that continues within its turn", () => {
  const resumed = { resumed: true } as const;
  const wrong = (scene: Scenario) => scene.atWork().turnEnds("garbage", { detail: "summary is missing" });

  it("is told what was wrong and how to answer, and nothing it knows already", () => {
    for (const scene of [pair({ criteria }).started(), underReview({ criteria })]) {
      const text = told(wrong(scene), resumed);
      expect(text).toContain(`is still the ${scene.turn.role}`);
      expect(text).toMatch(/## What was wrong\n\nsummary is missing/);
      expect(text).toContain("## How to answer");
      for (const known of [
        "Totals must include",
        "You are the **",
        "## Acceptance criteria",
        "## Gates",
        praise,
      ])
        expect(text).not.toContain(known);
      expect(text.length).toBeLessThan(told(wrong(scene)).length);
    }
  });

  it("answers in its own voice", () => {
    const scene = wrong(pair().started());
    expect(understand("handoff", example(told(scene, { ...resumed, voice: "json" }))).kind).toBe("claim");
    expect(told(scene, { ...resumed, voice: "tools" })).toContain("`pass` or `ask_human`");
    expect(told(scene, resumed)).toContain("pairflow pass --summary");
  });

  it("gets the human's answers to all its questions", () => {
    const asked = pair()
      .started()
      .asks("Which?", { others: [{ id: "b", question: "And then?" }] })
      .turnEnds("asked");
    const text = told(asked.replies({ message: "the first" }).replies({ message: "stop" }), resumed);
    expect(text).toContain('- Answer to your question "Which?": the first');
    expect(text).toContain('- Answer to your question "And then?": stop');
    expect(text).not.toContain("What was wrong");
  });

  it("gets the words of the human who granted it more budget", () => {
    const spent = pair({ config: { budget: { max_tokens: 10 } } })
      .started()
      .atWork()
      .uses({ input: 10, output: 0 });
    const more = spent.budgetIsChecked().replies({ choice: "continue", message: "be brief" });
    expect(told(more, resumed)).toMatch(/## From the human\n\n- be brief/);
  });

  it("is told everything when the turn is new, or the session is", () => {
    const nextTurn = underReview().reviews({ findings: [p1] });
    expect(told(nextTurn, resumed)).toContain("Totals must include the discount.");
    expect(told(wrong(pair().started()), { resumed: false })).toContain("Totals must include the discount.");
  });
});
