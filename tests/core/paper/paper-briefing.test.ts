// What authors of papers and their critics are told, and what papers tell those who build.
import { describe, expect, it } from "vitest";
import { understand } from "../../../src/core/answer/answer.ts";
import { buildPaperAnswerSchema } from "../../../src/core/answer/schema.ts";
import { type BriefingInputs, buildPrompt, buildTurnNotice } from "../../../src/core/briefing/prompt.ts";
import type { Paper } from "../../../src/core/model/run.ts";
import type { State } from "../../../src/core/model/state.ts";
import { numberPaperLines, serializePaper } from "../../../src/core/paper/text.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { p1, pair, underReview } from "../pair.ts";
import { accepted, authoring, exampleOf, kindOf, paperUnderReview } from "../paper-scene.ts";

function told(scene: Pick<Scenario, "state" | "turn">, more: Partial<BriefingInputs> = {}): string {
  return buildPrompt(scene.state, scene.turn, {
    roleText: `You are the **${scene.turn.role}**.`,
    task: "Users must be able to sign in.",
    worktree: "/work/cart",
    out: "/out/cart",
    artifact: (name) => `/record/${name}`,
    voice: "verbs",
    resumed: false,
    ...more,
  });
}

/** The same scene, with something else in its state. */
const having = ({ state, turn }: Scenario, more: Partial<State>) => ({ state: { ...state, ...more }, turn });
const sectionOf = (text: string, title: string) =>
  text.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? "";

const paperOf = (value: Paper["value"], seq: number): Paper => ({
  ...{ value, agent: "alice", tree: "P0", seq },
  at: "2026-02-21T09:00:00.000Z",
});
const story = paperOf(accepted("user-story"), 3);
const later = paperOf({ title: "Came later" }, 900);
const papers = { "user-story": story };

/** The same scene where critics stand in a chain that continues. */
const inChain = (scene: Scenario) =>
  having(scene, {
    program: { ...scene.state.program, loop: { ...scene.state.program.loop, chain_order: "go_on" } },
  });
const objected = () => paperUnderReview().reviews({ findings: [p1] });

describe("the author of a paper", () => {
  it("is told its role, the task, what the paper is, and that it changes no file", () => {
    const text = told(authoring());
    expect(text).toContain("You are the **implementer**.");
    expect(text).toContain("Users must be able to sign in.");
    const words = sectionOf(text, "The paper you hand in");
    expect(words).toContain(kindOf("plan").about);
    expect(words).toContain("You change no file");
    expect(words).toContain(JSON.stringify(exampleOf("plan"), null, 2));
    expect(words).toContain("`pairflow schema plan`");
    expect(text).not.toMatch(/package parts|--what|Do not commit|Gates the referee/);
  });

  it("is told how to hand in and how to ask, with the voice it has", () => {
    const verbs = told(authoring());
    expect(verbs).toContain("--paper /out/cart/paper.json");
    expect(verbs).toContain('pairflow ask-human --question "one question that blocks you" --option');
    expect(verbs).not.toContain("--dispute");
    const scene = authoring();
    expect(told(scene, { voice: "tools" })).toContain("`pass` or `ask_human`");
    expect(buildTurnNotice(scene.state, scene.turn, "/p.md", "tools")).toMatch(/the pass or ask_human tool/);
  });

  it("without a terminal is shown a form that is understood, for the paper and for questions", () => {
    const text = told(authoring("user-story"), { voice: "json" });
    const shown = [...text.matchAll(/```json\n(\{"status.*)\n```/g)].map(([, json = ""]) => JSON.parse(json));
    const properties = Object.keys(buildPaperAnswerSchema(kindOf("user-story")).properties as object).sort();
    for (const form of shown) expect(Object.keys(form).sort()).toEqual(properties);
    expect(shown.map((form) => understand("paper", form))).toMatchObject([
      { kind: "claim", claim: { type: "pass", paper: exampleOf("user-story") } },
      { kind: "asks", questions: [{ id: "q1", options: ["One", "Several"] }] },
    ]);
    expect(text).not.toMatch(/pairflow (pass|ask-human)/);
    expect(text).not.toContain(JSON.stringify(exampleOf("user-story"), null, 2));
  });

  it("is given the papers that count already, whole", () => {
    const text = told(having(authoring(), { papers }));
    expect(sectionOf(text, "Paper: user-story")).toContain(serializePaper(story.value));
    expect(text).not.toContain("Your paper as you handed it in last");
  });

  it("revises with its last paper numbered and what was found in it", () => {
    const text = told(objected());
    expect(sectionOf(text, "Your paper as you handed it in last")).toContain(
      numberPaperLines(exampleOf("plan")),
    );
    expect(sectionOf(text, "Findings")).toContain("**F1** P1 Total ignores discount");
    expect(text).toContain("--dispute 'F1:reason that can be checked'");
    expect(text).not.toContain("## Paper: plan");
    expect(told(objected(), { voice: "json" })).toContain("put it into `disputes`");
  });

  it("is reminded shortly when its session continues within the turn", () => {
    const scene = authoring().turnStarts();
    const text = told(scene, { resumed: true });
    expect(text).toContain("Continue where you were");
    expect(text).toContain("--paper /out/cart/paper.json");
    expect(text).not.toContain("The paper you hand in");
  });
});

describe("the rules of mending", () => {
  it("are told where critics stand in a chain that continues, after an objection", () => {
    const rules = sectionOf(told(inChain(objected())), "How to fix it");
    expect(rules).toMatch(/without debate/);
    expect(rules).toMatch(/root causes/);
    expect(rules).toMatch(/every part of the paper/);
    expect(rules).not.toMatch(/tests after/);
    const building = sectionOf(told(inChain(underReview().reviews({ findings: [p1] }))), "How to fix it");
    for (const rule of [
      /without debate/,
      /disputed/,
      /root causes/,
      /Run the tests/,
      /architecture/,
      /nothing new/,
    ])
      expect(building).toMatch(rule);
  });

  it("are told after an objection that named no finding", () => {
    const { state } = authoring();
    const lastReview = { agent: "bob", tree: "P1", seq: 1, approved: false, feedback: "no" };
    const scene = inChain(authoring());
    expect(told(having(authoring(), { ...scene.state, lastReview }))).toContain("## How to fix it");
    expect(told(having(authoring(), { ...state, lastReview }))).not.toContain("## How to fix it");
  });

  it("are nobody's who begins, or whose critics begin again anyway", () => {
    expect(told(inChain(authoring()))).not.toContain("## How to fix it");
    expect(told(objected())).not.toContain("## How to fix it");
  });
});

describe("the critic of a paper", () => {
  it("sees the paper with numbered lines, and how to name its places", () => {
    const judged = sectionOf(told(paperUnderReview()), "What you judge");
    expect(judged).toContain("Tree P1: the paper plan");
    expect(judged).toContain(numberPaperLines(exampleOf("plan")));
    expect(judged).toContain("`.pairflow/papers/plan.json:LINE`");
  });

  it("hears of no diff", () => {
    expect(told(paperUnderReview())).not.toMatch(/[Dd]iff/);
    expect(told(underReview())).toContain("Diff against the base");
  });

  it("is given the papers before it as a yardstick, not itself nor what came later", () => {
    const scene = paperUnderReview();
    const text = told(having(scene, { papers: { ...scene.state.papers, ...papers, refinement: later } }));
    expect(sectionOf(text, "Paper: user-story")).toContain(serializePaper(story.value));
    expect(text).not.toMatch(/## Paper: (plan|refinement)/);
  });
});

describe("papers of the run", () => {
  it("are told to whoever builds, and to the critic of what was built", () => {
    for (const scene of [pair().started(), underReview()]) {
      const text = told(having(scene, { papers: { ...papers, refinement: later } }));
      expect(sectionOf(text, "Paper: user-story")).toContain(serializePaper(story.value));
      expect(text).toContain("Came later");
      expect(told(scene)).not.toContain("## Paper");
    }
  });
});

describe("a gate whose session continues", () => {
  /** The critic's step lets its last critic continue in its session. */
  const going = (scene: Scenario) =>
    having(scene, {
      program: {
        ...scene.state.program,
        steps: scene.state.program.steps.map((step) =>
          step.kind === "turn" && step.answer === "findings" ? { ...step, last_session: "resumed" } : step,
        ),
      },
    });
  const resumed = { resumed: true, changes: "src/cart.ts: +3 −1", knowledge: "## SOPs\n\nRound once." };

  it("is told what changed, what is open and how to answer, and not the whole again", () => {
    const scene = going(
      underReview({ criteria: ["Totals are right"] })
        .reviews({ findings: [p1] })
        .implements("T2"),
    );
    const text = told(scene, resumed);
    expect(sectionOf(text, "What changed since your last review")).toContain("src/cart.ts: +3 −1");
    expect(text).toContain("Tree T2");
    expect(sectionOf(text, "Findings so far")).toContain("**F1**");
    expect(text).toContain("--fixed F1|--open F1");
    expect(text).not.toMatch(/You are the \*\*|## Task|Users must be able|Round once/);
  });

  it("is told the rules again where the tree has some to answer for", () => {
    const scene = going(underReview());
    const tree = scene.state.tree && {
      ...scene.state.tree,
      context: { sops: [{ id: "source.doc.sops.a", severity: "error" as const }], problem: undefined },
    };
    const text = told({ ...scene, state: { ...scene.state, tree } as State }, resumed);
    expect(text).toContain("Round once.");
  });

  it("sees a paper whole, because it stands nowhere else", () => {
    const text = told(going(paperUnderReview()), resumed);
    expect(text).toContain(numberPaperLines(exampleOf("plan")));
  });

  it("in a new session is told everything", () => {
    const scene = going(underReview());
    expect(told(scene, { ...resumed, resumed: false })).toContain("## Task");
    expect(told(underReview(), resumed)).toContain("## Task");
  });
});
