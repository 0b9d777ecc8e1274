// Words that reach an agent inside its turn, and people who are called: delivery, acknowledgement, notifications.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { edit, readArtifact } from "../helpers/operator.ts";
import { first, screen, sees, spawned } from "./panes.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const asks = (...after: object[]) => ({
  ...shortest,
  implementer: [
    {
      role: "implementer",
      steps: [{ ask: { question: "Which total?", wait: true } }, ...after, ...shortest.implementer[0]!.steps],
    },
    shortest.implementer[1],
  ],
});
const isWaiting = ({ state }: { state: string }) => state === "WAITING_HUMAN";
const isReady = ({ state }: { state: string }) => state === "READY_FOR_APPROVAL";
const deliveries = (id: string, at = tool) =>
  at.log(id).flatMap((envelope) => (envelope.type === "DELIVERY" ? [envelope.payload.status] : []));

async function asked(id: string, rigged: Rig, ...after: object[]): Promise<void> {
  await createScripted(rigged, id, asks(...after));
  await rigged.ok("bubble", "start", "--id", id);
  await rigged.until(id, isWaiting, "the question");
}

describe.concurrent("an answer to an agent that waits in its pane", () => {
  it("arrives as a short notice with the message file, and the same process continues", async () => {
    await asked("answer", tool);
    await tool.ok("bubble", "reply", "--id", "answer", "--message", "Two, please");
    const shown = await sees(tool, "answer", first, /^< \[pairflow\] answer: /m);
    const file = /\((\S+messages\/\d+-human-reply\.md)\)/.exec(shown)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toContain("Two, please");
    await tool.until("answer", isReady, "ready");
    expect(spawned(tool, "answer").map(({ turn, attempt }) => `${turn}.${attempt}`)).toEqual([
      "t1.1",
      "t2.1",
      "t3.1",
    ]);
    // The agent may be quicker than the driver, who reports then what was sent before the turn was over.
    await expect.poll(() => deliveries("answer"), { timeout: 10_000 }).toEqual(["sent"]);
    expect(tool.log("answer").filter((envelope) => envelope.type === "HUMAN_REPLY")).toHaveLength(1);
  });

  it("that is long comes as a reference alone, and a hook's sign acknowledges it", async () => {
    // Hooks belong to CLIs with a sandbox of their own, whose hooks run outside of it.
    const outside = rig().with({ PAIRFLOW_SANDBOX: "off" });
    try {
      await asked("long", outside, { verb: ["hook", "prompt-submit"] }, { wait: "1s" });
      const words = "two\nlines, and one of them is not short at all";
      await outside.ok("bubble", "reply", "--id", "long", "--message", words);
      await sees(outside, "long", first, /< \[pairflow\] long: the human answered \(\S+-human-reply\.md\)/);
      await outside.until("long", isReady, "ready");
      expect(deliveries("long", outside)).toEqual(["sent", "acknowledged"]);
      expect(screen(outside, "long", first)).not.toContain("one of them");
    } finally {
      await outside.close();
    }
  });

  it("resume without words tells it to continue, with a file that exists", async () => {
    await asked("judgement", tool);
    await tool.ok("bubble", "resume", "--id", "judgement");
    const shown = await sees(tool, "judgement", first, /^< \[pairflow\] judgement: .*use your judgement/m);
    const file = /\((\S+messages\/\S+\.md)\)/.exec(shown)?.[1] ?? "";
    expect(readFileSync(file, "utf8")).toContain("use your judgement");
    await tool.until("judgement", isReady, "ready");
    expect(spawned(tool, "judgement")[1]).toMatchObject({ turn: "t2" });
  });

  it("that nobody reads is sent again, then a person is told, and the turn starts again with it", async () => {
    // A tmux server of its own: the first bubble of a server gives it its environment.
    const alone = rig();
    const hasty = alone.with({ PAIRFLOW_ACKNOWLEDGE_MS: "700" });
    try {
      await asked("deaf", hasty, { hang: true, once: true });
      await hasty.ok("bubble", "reply", "--id", "deaf", "--message", "Two, please");
      const isTold = ({ questions }: { questions: readonly { kind: string }[] }) =>
        questions[0]?.kind === "undelivered";
      const waiting = await hasty.until("deaf", isTold, "a person is told");
      expect(deliveries("deaf", alone)).toEqual(["sent", "sent", "undelivered"]);
      expect(waiting.questions[0]?.text).toContain("was put into its pane 2 times and never read");
      const notices = screen(alone, "deaf", first).match(/^(< )?\[pairflow\] deaf: Answer/gm);
      expect(notices?.length).toBeGreaterThanOrEqual(2);
      await hasty.ok("bubble", "reply", "--id", "deaf", "--choose", "retry");
      await hasty.until("deaf", isReady, "ready");
      expect(readArtifact(alone, "deaf", "prompts/t1.2-codex.md")).toContain("Two, please");
    } finally {
      await alone.close();
    }
  });
});

describe.concurrent("people are called", () => {
  it("by the configured command when a bubble waits and when it has converged, once each", async ({
    expect,
  }) => {
    await createScripted(tool, "calls", {
      ...shortest,
      implementer: [
        { role: "implementer", steps: [{ ask: "Which total?" }, ...shortest.implementer[0]!.steps] },
        shortest.implementer[1],
      ],
    });
    const told = join(tool.folder, "told-calls");
    edit(tool, "calls", (text) =>
      text.replace(
        /^# command = "notify.*$/m,
        `command = 'echo "$PAIRFLOW_EVENT $PAIRFLOW_BUBBLE $PAIRFLOW_TEXT" >> ${told}'`,
      ),
    );
    await tool.ok("bubble", "start", "--id", "calls");
    await tool.until("calls", isWaiting, "the question");
    await expect
      .poll(() => existsSync(told) && readFileSync(told, "utf8"), { timeout: 10_000 })
      .toMatch(/^waiting-human calls Which total\? \(record: \d+ · [0-9a-f]{4} [0-9a-f]{4}\)\n$/);
    await tool.ok("bubble", "reply", "--id", "calls", "--message", "Two");
    await tool.until("calls", isReady, "ready");
    await expect
      .poll(() => readFileSync(told, "utf8").trim().split("\n"), { timeout: 10_000 })
      .toEqual([
        expect.stringMatching(/^waiting-human calls Which total\?/),
        expect.stringMatching(/^converged calls calls asks for approval \(record: \d+ · /),
      ]);
  });

  it("by nothing when notifications are off", async () => {
    await createScripted(tool, "quiet", shortest);
    const told = join(tool.folder, "told-quiet");
    edit(tool, "quiet", (text) =>
      text
        .replace(/^enabled = true/m, "enabled = false")
        .replace(/^# command = "notify.*$/m, `command = "touch ${told}"`),
    );
    await tool.ok("bubble", "start", "--id", "quiet", "--headless");
    expect((await tool.status("quiet")).state).toBe("READY_FOR_APPROVAL");
    expect(existsSync(told)).toBe(false);
  });
});
