// The review loop: what the review loop promises beside its scenarios: chains, fixed roles, locks, a log that may fail.
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { authFlow, better, first, flags, log, play, specified } from "./review-scene.ts";
import { id, makes, type Scene } from "./scene.ts";
import { asOperator, cart, goes, noGo, patience } from "./steps-scene.ts";

describe("the review loop", { timeout: patience }, () => {
  const chained = specified.replace("reviewer_agent: reviewer", "reviewer_agent: [reviewer, second]");

  it("asks a chain of reviewers about the same tree, and all of them must say GO", async () => {
    const scene = play(
      {
        dev: [better],
        reviewer: [goes({ feedback: "All criteria met." })],
        second: [goes({ feedback: "Safe as well." })],
      },
      { workflow: chained },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual(["coder dev", "reviewer reviewer", "reviewer second"]);
    expect(new Set(scene.lines("HANDOFF").map(({ payload }) => payload.tree)).size).toBe(1);
    const decided = log(scene).iterations as { iteration: number; decision: string }[];
    expect(decided.map(({ iteration, decision }) => `${iteration} ${decision}`)).toEqual(["1 GO", "1 GO"]);
  });

  it("goes back to the coder when the second of a chain says NO_GO, and begins with the first again", async () => {
    const scene = play(
      {
        dev: [first, better],
        reviewer: [
          goes({ feedback: "All criteria met.", quote: "total: 3" }),
          goes({ feedback: "Also now.", prior: [{ id: "F1", status: "fixed" }] }),
        ],
        second: [noGo({ feedback: authFlow }), goes({ feedback: "Safe as well." })],
      },
      { workflow: chained },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual([
      "coder dev",
      "reviewer reviewer",
      "reviewer second",
      "coder dev",
      "reviewer reviewer",
      "reviewer second",
    ]);
    expect(scene.prompts("dev")[1]).toContain(authFlow);
  });

  it("never switches roles, whatever the project's pair does", async () => {
    const scene = play({
      dev: [first, better],
      reviewer: [
        noGo({ feedback: authFlow }),
        goes({ feedback: "It is caught now", prior: [{ id: "F1", status: "fixed" }] }),
      ],
    });
    const status = await scene.plays(...flags);
    expect(status.round_role_history.map(({ round: _round, ...roles }) => roles)).toEqual([
      { coder: "dev", reviewer: "reviewer" },
      { coder: "dev", reviewer: "reviewer" },
    ]);
  });

  it("continues when the review log cannot be written, and says so once", async () => {
    const scene = play({
      dev: [{ steps: [{ wait: "1500ms" }, ...better.steps] }],
      reviewer: [goes({ feedback: "All criteria met." })],
    });
    const running = scene.run(...flags);
    await expect.poll(() => hasBegun(scene), { timeout: 30_000 }).toBe(true);
    mkdirSync(scene.path("review-logs/implement.json"), { recursive: true });
    expect((await running).code).toBe(0);
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
    const warnings = scene.lines("WARNING").map(({ payload }) => payload);
    expect(warnings).toMatchObject([
      {
        code: "view.unwritable",
        message: expect.stringMatching(/^review-logs\/implement\.json could not be written: /),
      },
    ]);
  });

  it("refuses a GO whose own quality checks fail, and asks the reviewer again", async () => {
    const contradicting = goes({
      feedback: "All criteria met.",
      over: { quality_checks: { acceptance_criteria_met: true, security_review_passed: false } },
    });
    const scene = play({
      dev: [better],
      reviewer: [
        {
          steps: [
            { ...contradicting.steps[0], on_refused: "continue" },
            ...goes({ feedback: "All criteria met." }).steps,
          ],
        },
      ],
    });
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.lines("WARNING").map(({ payload }) => payload)).toEqual([
      expect.objectContaining({
        agent: "reviewer",
        details: [expect.stringContaining("security_review_passed")],
      }),
    ]);
    expect(log(scene).iterations).toHaveLength(1);
  });

  it("lets a human send back what was locked: the coder may change it, and it is reviewed and locked again", async () => {
    const more = makes(cart, "total: 2\ncaught: yes\n", "says so");
    const scene = play({
      dev: [better, more],
      reviewer: [goes({ feedback: "All criteria met." }), goes({ feedback: "Said as well." })],
    });
    await scene.plays(...flags);
    await scene.tool.ok("bubble", "request-rework", "--id", id, "--message", "say that it is caught");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.turns).toEqual(["coder dev", "reviewer reviewer", "coder dev", "reviewer reviewer"]);
    expect(scene.lines("LOCKED")).toHaveLength(2);
    await scene.signs();
    await scene.until("DONE");
    expect(scene.committed(cart)).toBe("total: 2\ncaught: yes\n");
  });

  it("runs the YAML of the specification from the command to the commit", async () => {
    const scene = play({
      dev: [first, better],
      reviewer: [
        noGo({ feedback: authFlow }),
        goes({ feedback: "It is caught now", prior: [{ id: "F1", status: "fixed" }] }),
      ],
    });
    await scene.plays(...flags);
    await scene.signs();
    await scene.until("DONE");
    expect(scene.committed(cart)).toBe("total: 2\n");
    expect((await scene.tool.run("verify", "--id", id)).code).toBe(0);
    expect(scene.lines("BUBBLE_CREATED")[0]?.payload.program.tasks).toMatchObject([
      { key: "implement", overlay: "agentic_review", loop: { max_rounds: 3, dialect: "decision" } },
    ]);
  });

  it("tells the parent of tasks side by side that one of them was rejected, although nobody drives it any more", async () => {
    const workflow = `${specified.replace("max_iterations: 3", "max_iterations: 1")}
  docs: { agent: writer }
max_concurrent: 2
join: { agent: dev, reviewer: reviewer }
`;
    const scene = play(
      {
        dev: [first],
        reviewer: [noGo({ feedback: authFlow })],
        writer: [makes("docs.md", "# Shop\n")],
      },
      { workflow },
    );
    await scene.plays(...flags);
    const child = `${id}-implement`;
    await scene.tool.until(child, ({ state }) => state === "WAITING_HUMAN", "the child asks", patience);
    const words = ["--choose", "reject", "--message", "not like this", ...asOperator(scene)];
    await scene.tool.ok("bubble", "reply", "--id", child, ...words);
    await scene.until("WAITING_HUMAN");
    const reports = scene.lines("CHILD_REPORTED").map(({ payload }) => `${payload.key} ${payload.status}`);
    expect(reports.sort()).toEqual(["docs completed", "implement cancelled"]);
  });
});

function hasBegun(scene: Scene): boolean {
  try {
    return scene.turns.length > 0;
  } catch {
    return false;
  }
}
