// what plan-and-execute.json does when retries and time are used up, and what a human makes of it.
import { describe, expect, it } from "vitest";
import { bad, changed, fixed, flags, good, play, right, still, words, wrong } from "./plan-scene.ts";
import { id, makes } from "./scene.ts";
import { approves, asOperator, cart, entered, events, patience, question, rejects } from "./steps-scene.ts";

describe("retries that are used up", { timeout: patience }, () => {
  const rejecting = [rejects("fixable", bad), rejects("fixable", still), rejects("fixable", still)];
  const spent = async (dev: readonly object[] = [], rev: readonly object[] = []) => {
    const scene = play({ dev: [wrong(1), wrong(2), wrong(3), ...dev], rev: [...rejecting, ...rev] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    return scene;
  };

  it("ask a human after three turns of the developer, and an accepted result is signed as accepted", async () => {
    const scene = await spent();
    expect(scene.turns.filter((turn) => turn === "developer dev")).toHaveLength(3);
    const asked = question(scene);
    expect(asked.question).toContain("Max retries exceeded after 3 attempts");
    expect(asked.question).toContain("It is three still");
    expect(asked.options?.map((option) => option.key)).toEqual(["accept", "continue", "reject"]);
    const bare = await scene.tool.run(
      "bubble",
      "reply",
      "--id",
      id,
      "--choose",
      "accept",
      ...asOperator(scene),
    );
    expect(bare).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.no-reason") });
    await scene.answers("accept", "three is fine for now");
    await scene.until("READY_FOR_APPROVAL");
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["accepted"]);
    expect(events(scene).map(({ event }) => event)).not.toContain("workflow.task.complete");
    expect(entered(scene).slice(-3)).toEqual(["complete", "end", "approval"]);
  });

  it("continue with the rounds a human grants, and what the human says", async () => {
    const scene = await spent([right], [approves(fixed)]);
    await scene.answers("continue", "write a two", "--rounds", "2");
    await scene.until("READY_FOR_APPROVAL");
    const last = scene.prompts("dev").at(-1) ?? "";
    expect(last).toContain("write a two");
    expect(last).toContain("Reviewer rejected implementation. Address the feedback:");
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["approved"]);
    expect(events(scene).at(-1)).toMatchObject({ event: "task_execution_complete", iterations: 4 });
  });

  it("end without a signature when a human says no; complete runs, and nothing calls it a success", async () => {
    const scene = await spent();
    await scene.answers("reject", "another way");
    await scene.until("CANCELLED");
    expect(events(scene).map(({ event }) => event)).toEqual([
      "rejection_categorized",
      "rejection_categorized",
      "rejection_categorized",
      "task_execution_complete",
    ]);
    expect(scene.lines("RUN_RESULT").map(({ payload }) => payload.result)).toEqual(["rejected"]);
    expect(scene.tool.git("branch", "--list", `bubble/${id}`)).toContain(`bubble/${id}`);
    expect(scene.lines("APPROVAL_REQUEST")).toEqual([]);
  });

  it("are one budget for gates and reviews", async () => {
    const none = makes(cart, "sum: 3\n", "no total at all");
    const scene = play({ dev: [none, wrong(2), none], rev: [rejects("fixable", bad)] });
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(scene.turns).toEqual(["developer dev", "developer dev", "reviewer rev", "developer dev"]);
    expect(question(scene).question).toContain("Max retries exceeded after 3 attempts");
    // Red gates are signed away by name or not at all.
    const accepting = ["--choose", "accept", "--message", "good enough", ...asOperator(scene)];
    const red = await scene.tool.run("bubble", "reply", "--id", id, ...accepting);
    expect(red).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.red-gates") });
    await scene.answers("accept", "good enough", "--waive-gate", "test");
    await scene.until("READY_FOR_APPROVAL");
  });
});

describe("time", { timeout: patience }, () => {
  const hangs = { steps: [{ hang: true }] };

  it("of a step is enforced: the developer that hangs has failed", async () => {
    const scene = changed({ dev: [hangs], rev: [approves(good)] }, '"timeout": "10m"', '"timeout": "1s"');
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(entered(scene).at(-1)).toBe("developer_failed");
    expect(question(scene).question).toMatch(/^Developer agent failed: .*developer has had its 1 s/s);
    expect(scene.lines("TURN_ENDED").at(-1)?.payload.outcome).toBe("timed-out");
  });

  it("of the gates is enforced: the developer goes again and is told", async () => {
    const scene = changed(
      { dev: [wrong(1), right], rev: [approves(good)] },
      '"timeout": "5m"',
      '"timeout": "2s"',
    );
    const gate = `grep -q 'total: 2' ${cart} || sleep 60`;
    expect((await scene.plays(...words, "--test", gate, "--base-gates", "off")).state).toBe(
      "READY_FOR_APPROVAL",
    );
    expect(entered(scene)).toContain("retry_developer_gates");
    expect(scene.prompts("dev")[1]).toContain("structural_gates has had its 2 s");
  });

  it("of the whole run is enforced: a human says how it continues, and may give it once more", async () => {
    const scene = changed(
      { dev: [{ steps: [{ hang: true, once: true }, ...right.steps] }], rev: [approves(good)] },
      '"timeout": "30m"',
      '"timeout": "2s"',
    );
    expect((await scene.plays(...flags)).state).toBe("WAITING_HUMAN");
    expect(question(scene)).toMatchObject({
      kind: "timeout",
      question: expect.stringContaining("the run has had its 2 s"),
    });
    // A slow machine may need its two seconds more than once.
    for (let times = 0; times < 20 && (await scene.status()).state === "WAITING_HUMAN"; times++) {
      await scene.answers("continue", "once more");
      await scene.tool.until(id, ({ state }) => state !== "RUNNING", "it stands again", 60_000);
    }
    expect((await scene.status()).state).toBe("READY_FOR_APPROVAL");
  });
});
