// What bubbles of real CLIs use, by their own figures, and what happens when a hard limit is reached: the process is
// ended in the middle of its turn, and a person says how this continues.
import { describe, expect, test } from "vitest";
import { processesOf } from "../faults/leftovers.ts";
import type { Model, Said } from "../models/model.ts";
import { claudeSays, handoff, review, wrongTotal } from "./bubble-rig.ts";
import {
  answers,
  type Bubble,
  type Cli,
  clis,
  codex,
  handedOver,
  id,
  never,
  promptsKnown,
  runs,
  saying,
  setsTotal,
  staged,
} from "./bubble-stage.ts";

const done = handoff("The total is right");
const rates = { usd_per_million_input: 2, usd_per_million_output: 10 };

/** A step that costs more than the bubble may. */
const dear = (cli: Cli): Said => ({ ...setsTotal(cli), usage: { input: 1500, output: 100 } });

/** Spends too much with its first step and does not come to a second one, until somebody pays for it. */
function spending(cli: Cli): { readonly model: Model; grant(): void } {
  const { line } = never();
  let says = saying(dear(cli), line);
  return {
    model: (asked) => says(asked),
    grant() {
      says = saying(setsTotal(cli), answers(cli, done));
    },
  };
}

/** Before anything was handed over there is nothing to accept. */
const budgetQuestion = { kind: "budget", options: [{ key: "continue" }, { key: "reject" }] };
const withTree = { ...budgetQuestion, options: [{ key: "accept" }, ...budgetQuestion.options] };

/** Nobody works for the bubble any more. */
const isIdle = (bubble: Bubble) => processesOf(bubble.tool).length === 0;

describe.concurrent("a bubble of real CLIs with a budget", { timeout: 240_000 }, () => {
  test.for(clis)(
    "%s that uses up the tokens is ended in mid-turn; continue continues in its session",
    async (cli) => {
      const { model, grant } = spending(cli);
      await using bubble = await staged({ implementer: cli, model, budget: { max_tokens: 1500 } });
      const asked = await bubble.start();
      expect(asked.questions, await bubble.story()).toMatchObject([budgetQuestion]);
      expect(asked.questions[0]?.text).toMatch(/used up: 1[56]\d\d of 1500 tokens/);
      expect(isIdle(bubble)).toBe(true);
      const [status, inbox] = [
        await bubble.tool.ok("bubble", "status", "--id", id),
        await bubble.tool.ok("inbox"),
      ];
      expect(status).toMatch(/budget +1[56]\d\d of 1500 tokens/);
      expect(inbox).toContain(`pairflow bubble reply --id ${id} --choose continue|reject`);
      grant();
      const after = await handedOver(bubble, bubble.reply("--choose", "continue", "--message", "Finish it"));
      expect(bubble.ends()[0]).toBe("t1.1 over-budget");
      expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`]);
      expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
      expect(bubble.prompt(2)).toContain("Finish it");
      expect(after.usage.budgets).toMatchObject([{ name: "max_tokens", limit: 3000 }]);
    },
  );

  test("money at a configured rate counts in mid-turn too; reject ends the bubble", async () => {
    const { model } = spending("codex");
    await using bubble = await staged({
      implementer: "codex",
      agents: { codex: { ...codex, ...rates } },
      model,
      budget: { max_usd: 0.002 },
    });
    const asked = await bubble.start();
    expect(asked.questions, await bubble.story()).toMatchObject([budgetQuestion]);
    expect(asked.questions[0]?.text).toContain("used up: 0.004 of 0.002 US dollars");
    expect(asked.usage).toMatchObject({
      usd: 0.004,
      by_agent: { codex: { input: 1500, output: 100, usd: 0.004 } },
    });
    await bubble.tool.ok("bubble", "reply", "--id", id, "--choose", "reject", "--message", "Too dear");
    const over = await bubble.rests();
    expect(over).toMatchObject({ state: "CANCELLED", end: { message: expect.stringContaining("Too dear") } });
    expect(bubble.tool.git("branch", "--list", `bubble/${id}`)).toContain(id);
    expect(isIdle(bubble)).toBe(true);
  });

  test("minutes count while it works; accept asks for approval of what was handed over last", async () => {
    const hold = never();
    await using bubble = await staged({
      implementer: "codex",
      programs: { clerk: [{ says: review("Wrong", { findings: [wrongTotal], checked: [] }) }] },
      model: saying(setsTotal("codex", 3), answers("codex", done), setsTotal("codex"), hold.line),
      budget: { max_minutes: 3 },
    });
    await bubble.detach();
    await hold.isReached;
    bubble.later(4);
    const asked = await bubble.rests();
    expect(asked.questions, await bubble.story()).toMatchObject([withTree]);
    expect(asked.usage.minutes).toBeGreaterThanOrEqual(4);
    expect(await bubble.tool.ok("bubble", "status", "--id", id)).toContain("agents worked 4 min");
    const words = ["--choose", "accept", "--message", "We live with it"];
    const ready = await bubble.reply(...words, "--operator-key", bubble.tool.key);
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", findings: { open: [] } });
    expect(ready.findings.closed).toMatchObject([{ id: "F1", status: "waived", because: "We live with it" }]);
    // What it had begun when its time was up is in nobody's approval: it is put back, and kept as a patch.
    const approve = ["bubble", "approve", "--id", id, "--digest", ready.approval?.digest ?? ""];
    const key = ["--operator-key", bubble.tool.key];
    expect((await bubble.tool.run(...approve, ...key)).stderr).toContain("approve.tree-changed");
    await bubble.tool.ok("bubble", "resume", "--id", id, "--put-back");
    await bubble.tool.ok(...approve, ...key);
    await bubble.tool.ok("bubble", "commit", "--id", id, ...key);
    expect(bubble.tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 3\n");
  });
});

describe("what a bubble of real CLIs has used", { timeout: 240_000 }, () => {
  test("stands in its status, by agent, in tokens, money and minutes", async () => {
    await using bubble = await staged({
      implementer: "codex",
      reviewer: "claude",
      agents: { codex: { ...codex, ...rates } },
      model: saying(
        runs("codex", "printf 'total: 2\\n' > src/cart.txt"),
        answers("codex", done),
        claudeSays(review("", { status: "needs_input", questions: [{ question: "Enough?" }] })),
      ),
    });
    const { usage } = await bubble.start();
    const { codex: first, claude: second } = usage.by_agent;
    expect(first).toMatchObject({ input: 220, output: 30 });
    expect(first?.usd).toBeCloseTo((220 * 2 + 30 * 10) / 1_000_000, 10);
    expect(second).toMatchObject({ input: 200, output: 30 });
    expect(second?.usd).toBeGreaterThan(0);
    expect(usage.tokens).toMatchObject({ input: 420, output: 60 });
    expect(usage.usd).toBeCloseTo((first?.usd ?? 0) + (second?.usd ?? 0), 10);
    expect(usage).toMatchObject({ unknown_attempts: 0, unpriced_attempts: 0, budgets: [] });
    const text = await bubble.tool.ok("bubble", "status", "--id", id);
    expect(text).toContain(
      `used     codex 220 in, 30 out · claude 200 in, 30 out · $${usage.usd?.toFixed(4)}`,
    );
  });
});
