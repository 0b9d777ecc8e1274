// Sentences that people sign were once made from configured roles, from the last task alone, and from guesses about who
// changed a file. Each is tried here with a history that makes it false.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fold } from "../../src/core/bubble/evolve.ts";
import type { CommandOf } from "../../src/core/model/command.ts";
import { longestPackagePart } from "../../src/core/model/record/package.ts";
import { listSentencesBeforeSigning } from "../../src/core/package/list.ts";
import { buildPackageView, renderPackageMarkdown } from "../../src/core/signing/package.ts";
import { explain } from "../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../src/core/views/history/timeline.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver } from "../../src/testing/scenario-actors.ts";
import { fullPackage, rig } from "../acceptance/rig.ts";
import { configure } from "../cli/workflow-scene.ts";
import { readyForApproval, underReview } from "../core/pair.ts";
import { pairDocument, playing } from "../core/tasks-play.ts";
import { built, codePassed, fourAgents, handsPlan, planning, planPassed } from "./pipeline-in-memory.ts";

const openOf = ({ state }: Scenario) =>
  state.findings.filter(({ status }) => status === "open").map(({ id }) => ({ id, status: "open" }) as const);
const known = (scene: Scenario) => listSentencesBeforeSigning(scene.state).map(({ text }) => text);
const packageOf = (scene: Scenario) => renderPackageMarkdown(buildPackageView(scene.state));

describe("who reviewed whom", () => {
  const whole = (agents: Readonly<Record<string, string>>) => codePassed(built(planPassed(planning(agents))));

  it("is said of a pipeline by who handed over and who passed it, not by the roles of its configuration", () => {
    expect(known(whole(fourAgents)).join()).not.toContain("weak alternation");
    const alone = Object.fromEntries(Object.keys(fourAgents).map((role) => [role, "ada"]));
    expect(known(whole(alone))).toEqual(
      expect.arrayContaining([
        "weak alternation: nobody but ada reviewed what ada made in plan",
        "weak alternation: nobody but ada reviewed what ada made in implementing_loop",
      ]),
    );
  });

  it("is not called the other agent where there is none", () => {
    const alone = readyForApproval({ config: { agents: { implementer: "solo", reviewer: "solo" } } });
    const said = explain(alone.log).map(({ text }) => text);
    expect(said.join("\n")).not.toContain("the other agent");
    expect(said.join("\n")).toContain("solo must review this tree once more: there is no other agent");
  });
});

describe("a run of several tasks", () => {
  const told = (name: string) => ({
    what: `${name} what`,
    why: `${name} why`,
    risks: `${name} risk`,
    test_plan: `${name} plan`,
    commit_message: `feat: ${name}\n\nIts body`,
  });
  const run = (pack: (name: string) => object) =>
    playing(pairDocument({ tasks: "build:\n  agent: dev\n  depends_on: [design]" }))
      .hands("T1", { package: pack("design") })
      .judges()
      .locks()
      .hands("T2", { package: pack("build") });

  it("is described by all of them, and its commit message has a line for each", () => {
    const view = buildPackageView(run(told).state);
    expect(view.what).toBe("design: design what\nbuild: build what");
    expect(view.risks).toBe("design: design risk\nbuild: build risk");
    expect(view.commit_message).toBe("Fix cart totals\n\n- design: feat: design\n- build: feat: build");
  });

  it("names the task whose producer left something out", () => {
    const scene = run((name) => (name === "build" ? { what: "build what" } : told(name)));
    expect(known(scene)).toContain("the package of build lacks: why, risks, test_plan, commit_message");
  });

  it("keeps within the size of a part, however much is said", () => {
    const long = run((name) => ({ ...told(name), what: "x".repeat(4000), commit_message: "y".repeat(4000) }));
    const { what, commit_message } = buildPackageView(long.state);
    expect(what.length).toBeLessThanOrEqual(longestPackagePart);
    expect(what).toMatch(/^design: x+…\nbuild: x+…$/);
    expect(commit_message.length).toBeLessThanOrEqual(longestPackagePart);
    expect(commit_message.split("\n")[0]?.length).toBeLessThanOrEqual(72);
  });
});

describe("who changed it", () => {
  it("of files during a reviewer's turn is not guessed, least of all while it waited for a human", () => {
    const files = [{ path: "src/cart.ts", status: "modified", added: 1, removed: 1 } as const];
    const plain = underReview().reviewerPasses().handsOver("T9", { files });
    expect(plain.state.position.why).toContain(
      "files changed during the turn of bob (reviewer): src/cart.ts",
    );
    const asked = underReview().asks("Which tax?").replies({ message: "19 %" });
    const waited = asked.reviewerPasses().handsOver("T9", { files });
    expect(waited.state.position.why).toContain(
      "files changed while the turn of bob (reviewer) ran or waited for a human: src/cart.ts",
    );
  });

  it("while an attempt waited for a human is asked, and nothing is put back unasked", () => {
    const asked = underReview().asks("Which tax?").turnEnds("asked").replies({ message: "19 %" });
    const command: CommandOf<"tree-changed"> = {
      type: "tree-changed",
      actor: driver,
      expected: "T1",
      found: "T9",
      files: ["x"],
    };
    const question = asked.does(command).last("HUMAN_QUESTION").payload.question;
    expect(question).toMatch(/^Files changed while the turn of bob \(reviewer\) waited for a human: x\./);
  });

  it("of bubble.toml is not known, and each value is named before and after", {
    timeout: 120_000,
  }, async () => {
    const tool = rig();
    try {
      const works = {
        role: "implementer",
        steps: [
          { write: { path: "src/cart.txt", text: "total: 2\n" } },
          { pass: { summary: "built", ...fullPackage } },
        ],
      };
      const checked = ["src/cart.txt:1 the first line holds the total that was asked for"];
      const pass = { pass: { summary: "clean", no_findings: true, checked } };
      const clean = { role: "reviewer", steps: [pass] };
      const asks = { role: "reviewer", steps: [{ ask: { question: "Is it two?" } }, pass] };
      configure(
        tool,
        { codex: [works, clean], claude: [asks] },
        "defaults: { notifications: { enabled: false } }",
      );
      await tool.ok(
        "bubble",
        "create",
        "--id",
        "cart",
        "--task",
        "Make it two",
        "--test",
        "grep -q 2 src/cart.txt",
      );
      await tool.ok("bubble", "start", "--id", "cart", "--headless");
      await tool.until("cart", ({ state }) => state === "WAITING_HUMAN", "the reviewer asks");
      const file = join(tool.repo, ".pairflow/bubbles/cart/bubble.toml");
      const text = readFileSync(file, "utf8");
      writeFileSync(
        file,
        text
          .replace("turn_timeout_minutes = 30", "turn_timeout_minutes = 29")
          .replace(/^\[agent\.claude\]\n/m, "[agent.claude]\nusd_per_million_input = 1\n"),
      );
      await tool.ok("bubble", "resume", "--id", "cart", "--headless", "--operator-key", tool.key);
      await tool.until(
        "cart",
        ({ state }) => state === "READY_FOR_APPROVAL",
        "approval is asked for",
        60_000,
      );
      const log = tool.log("cart");
      const line = log.find(({ type }) => type === "CONFIGURED");
      expect(line?.sender).toBe("orchestrator");
      expect(line && buildTimelineRow(line).text).toContain(
        "turn_timeout_minutes: 30 → 29 · agent.claude.usd_per_million_input: not set → 1 · read from bubble.toml at resume; who edited it is not known",
      );
      const written = readFileSync(
        join(tool.repo, ".pairflow/bubbles/cart/artifacts/done-package.md"),
        "utf8",
      );
      expect(written).toContain(
        "bubble.toml, after the start: agent.claude.usd_per_million_input: not set → 1",
      );
      expect(written).toMatch(
        /a setting changed after the start: turn_timeout_minutes: 30 → 29 \(read from bubble\.toml at resume; who edited it is not known\)/,
      );
      expect(await tool.ok("explain", "--id", "cart")).toContain("agent.claude.usd_per_million_input");
      const state = fold(log);
      expect(state && renderPackageMarkdown(buildPackageView(state))).toBe(written);
    } finally {
      await tool.close();
    }
  });

  it("of files that a human kept is said as that", () => {
    const stray: CommandOf<"tree-changed"> = {
      type: "tree-changed",
      actor: driver,
      expected: "T1",
      found: "T9",
      files: ["x.ts"],
    };
    const kept = underReview().does(stray).resumes({ tree: "keep" }).implements("T9");
    expect(packageOf(kept)).toContain(
      "files that changed while no agent was at work were kept by a human: x.ts",
    );
  });
});

describe("what stands under “exactly this tree”", () => {
  it("is no gate run that was void because it changed what it judged", () => {
    const handed = underReview()
      .reviews({ findings: [{ severity: "P1", title: "Wrong" }] })
      .implementerPasses()
      .handsOver("T2");
    const voided = handed.after(handed.tries(handed.gateRun({}, { changed: ["src/cart.ts"] })));
    expect(packageOf(voided)).toContain("## Gates on this tree, in the worktree\n\n- none");
    expect(known(voided)).toContain("required gates that are not green on exactly this tree: test");
  });

  it("is no plan that a human took as it was, called completed", () => {
    let plan = planning({ ...fourAgents }, { review: { require_evidence: false } });
    for (let i = 0; i < 60 && plan.state.lifecycle === "RUNNING"; i++) {
      if (plan.turn.role === "planner") plan = handsPlan(plan);
      else plan = plan.judges({ findings: [{ severity: "P1", title: `Wrong ${i}` }], answers: openOf(plan) });
    }
    const done = codePassed(built(plan.replies({ choice: "accept", message: "good enough" })));
    expect(known(done).join("\n")).toMatch(/a human accepted the task plan as it was after \d+ iterations/);
    expect(packageOf(done)).not.toMatch(/- plan: completed/);
  });
});
