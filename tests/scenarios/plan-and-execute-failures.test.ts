// what plan-and-execute.json does when a review, an agent or the context is not to be had.
import { describe, expect, it } from "vitest";
import { attempts, bad, flags, good, play, right, wrong } from "./plan-scene.ts";
import { id } from "./scene.ts";
import {
  approves,
  asOperator,
  cart,
  developerAndReviewer,
  entered,
  events,
  patience,
  question,
  rejects,
} from "./steps-scene.ts";

const sop = {
  ".pairflow/sops/money.md":
    '---\napplies_to: ["src/**"]\nrequirements:\n  - Totals are whole numbers\n---\n# Money\n\nTotals are whole.\n',
};

describe("a review that is not one", { timeout: patience }, () => {
  const again = (step: object) => ({ ...step, on_refused: "continue" });

  it("goes to a human after three tries, with the reason", async () => {
    const [silent = {}] = approves(good).steps;
    const scene = play(
      { dev: [right], rev: [{ steps: [again(silent), again(silent), again(silent)] }] },
      { files: sop },
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["validate_review", "review_invalid"]);
    const asked = question(scene);
    expect(asked.question).toMatch(/^Review validation failed: .+/);
    expect(asked.question).toContain("source.doc.sops.money");
    // Each of the three is in the log, and the one that was handed on counts as no decision.
    const log = await scene.tool.ok("review", "log", "--id", id);
    expect(log.match(/ refused {2}/g)).toHaveLength(3);
    expect(await scene.tool.ok("inbox", "--json")).not.toContain('"NO_GO"');
    await scene.answers("reject", "no");
    await scene.until("CANCELLED");
    expect(events(scene)).toMatchObject([{ event: "task_execution_complete" }]);
  });

  it("counts when every SOP is answered with evidence", async () => {
    const answered = {
      sop_id: "source.doc.sops.money",
      status: "passed",
      evidence: `${cart}:1 total: 2 is a whole number`,
      violations: [],
    };
    const scene = play(
      { dev: [right], rev: [approves({ ...good, over: { sop_review: [answered] } })] },
      { files: sop },
    );
    expect((await scene.plays(...flags)).state).toBe("READY_FOR_APPROVAL");
    expect(scene.prompts("rev")[0]).toMatch(/## Applicable SOPs\n\n[^\n]*source\.doc\.sops\.money/);
  });

  it("goes to a human at once when its critic is not sure", async () => {
    const scene = play({ dev: [right], rev: [approves({ ...good, over: { confidence: 0.4 } })] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["validate_review", "review_invalid"]);
    expect(question(scene).question).toMatch(/^Review validation failed: rev is only 0\.4 sure/);
    expect(attempts(scene, "rev")).toBe(1);
    await scene.answers("accept", "I have looked myself");
    await scene.until("READY_FOR_APPROVAL");
    expect(events(scene)).toMatchObject([{ event: "task_execution_complete" }]);
    expect(scene.artifact("done-package.md")).toContain("I have looked myself");
  });
});

describe("an agent that fails", { timeout: patience }, () => {
  it("as developer, until its retries are used up: a human is told the error", async () => {
    const scene = play({ dev: [{ steps: [{ crash: 7 }] }, right], rev: [approves(good)] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(attempts(scene, "dev")).toBe(3);
    expect(entered(scene).at(-1)).toBe("developer_failed");
    expect(question(scene).question).toMatch(/^Developer agent failed: dev \(developer\).*exit code 7/s);
    const words = ["--choose", "accept", "--message", "as it is", ...asOperator(scene)];
    const nothing = await scene.tool.run("bubble", "reply", "--id", id, ...words);
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.unknown-choice") });
    await scene.answers("continue", "the disk was full");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.prompts("dev").at(-1)).toContain("the disk was full");
  });

  it("as reviewer: a human is told the error, and nothing is approved", async () => {
    const scene = play({ dev: [right], rev: [{ steps: [{ crash: 7 }] }] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("reviewer_failed");
    expect(question(scene).question).toMatch(/^Reviewer agent failed: rev \(reviewer\).*exit code 7/s);
    await scene.answers("reject", "no reviewer, no work");
    await scene.until("CANCELLED");
    expect(entered(scene).slice(-2)).toEqual(["complete", "end"]);
  });

  it("as reviewer that says nothing readable: the third time it has failed", async () => {
    const vague = { review: "It looks good to me!", on_refused: "continue" };
    const scene = play({ dev: [right], rev: [{ steps: [vague, vague, vague] }] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("reviewer_failed");
    expect(question(scene).question).toMatch(/^Reviewer agent failed: rev .*nothing that could be read/s);
    expect(attempts(scene, "rev")).toBe(1);
  });

  it("as developer in a retry, which has no step for that: a human is asked about the agent", async () => {
    const scene = play({
      dev: [wrong(1), { steps: [{ crash: 7 }] }],
      rev: [rejects("fixable", bad)],
    });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(question(scene)).toMatchObject({
      kind: "lost-agent",
      question: expect.stringContaining("code 7"),
    });
    expect(entered(scene).at(-1)).toBe("retry_developer_feedback");
  });
});

describe("context that cannot be put together", { timeout: patience }, () => {
  it("starts no critic, although on_fail leads to one: a human is asked", async () => {
    const long = sop[".pairflow/sops/money.md"] + "A total is whole and stays whole.\n".repeat(60);
    const config = `${developerAndReviewer}  review: { context_chars: 1000 }\n`;
    const scene = play(
      { dev: [right], rev: [approves(good)] },
      { config, files: { ".pairflow/sops/money.md": long } },
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).slice(-2)).toEqual(["assemble_context", "reviewer"]);
    expect(scene.turns).toEqual(["developer dev"]);
    expect(question(scene)).toMatchObject({
      kind: "context",
      question: expect.stringMatching(/^No reviewer can be asked: /),
    });
  });
});
