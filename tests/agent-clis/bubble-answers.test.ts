// Answers of the real CLIs that are none, or that the referee refuses: the agent hears exactly what was wrong, in the
// session it has, at most twice; then a person is asked. The same for a tool that nobody lets it use.
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { fixed, handoff, review, wrongTotal } from "./bubble-rig.ts";
import {
  answers,
  asksForMore,
  type Cli,
  clis,
  codex,
  handedOver,
  promptsKnown,
  saying,
  setsTotal,
  staged,
} from "./bubble-stage.ts";

const done = handoff("The total is right");

/** Claude Code itself reminds a model once that only talks. */
const talks = (cli: Cli, text: string): Said[] => (cli === "claude" ? [{ text }, { text }] : [{ text }]);

describe.concurrent("an answer of a real CLI that is no answer", { timeout: 240_000 }, () => {
  test.for(clis)("%s is asked again in its session with the error, twice; then a human is", async (cli) => {
    await using bubble = await staged({
      implementer: cli,
      model: saying(
        setsTotal(cli),
        ...talks(cli, "All is well, I think."),
        ...talks(cli, JSON.stringify({ ...done, status: "done" })),
        ...talks(cli, "Really, all is well."),
        answers(cli, done),
      ),
    });
    const asked = await bubble.start();
    expect(asked.questions, await bubble.story()).toMatchObject([
      { kind: "lost-agent", text: expect.stringMatching(/\(3 attempts\): garbage\. .*Really, all is well/s) },
    ]);
    expect(bubble.prompt(2)).toMatch(/## What was wrong\n\n.*All is well, I think\./);
    expect(bubble.prompt(3)).toContain("status: must be one of completed, needs_input, error, in_progress");
    await handedOver(bubble, bubble.reply("--choose", "retry", "--message", "One JSON object, please"));
    expect(bubble.prompt(4)).toContain("One JSON object, please");
    expect(bubble.attempts().slice(0, 4)).toEqual([
      `t1.1 ${cli} fresh`,
      ...[2, 3, 4].map((nr) => `t1.${nr} ${cli} resumed`),
    ]);
    expect(promptsKnown(bubble)).toEqual(["the", "still the", "still the", "still the"]);
  });

  test.for(clis)(
    "%s that leaves an open finding without an answer hears so from the referee",
    async (cli) => {
      const author = [
        { does: "echo 'total: 3' > src/cart.txt", says: done },
        { does: "echo 'total: 2' > src/cart.txt", says: handoff("F1 is fixed") },
        { says: asksForMore },
      ];
      await using bubble = await staged({
        ...{ implementer: "author", reviewer: cli, programs: { author } },
        model: saying(
          answers(cli, review("The total is wrong", { findings: [wrongTotal], checked: [] })),
          answers(cli, review("Nothing found")),
          answers(cli, review("Fixed", fixed)),
        ),
      });
      await handedOver(bubble, bubble.start(), "author");
      expect(bubble.attempts().filter((one) => one.includes(cli))).toEqual([
        `t2.1 ${cli} fresh`,
        `t4.1 ${cli} fresh`,
        `t4.2 ${cli} resumed`,
      ]);
      expect(bubble.ends()).toContain("t4.1 garbage");
      expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
      expect(bubble.prompt(5)).toMatch(/## What was wrong\n\nthe referee refused the answer: .*F1/s);
    },
  );

  const forbidden: Record<Cli, Said> = {
    claude: { calls: [{ tool: "Write", input: { file_path: "/var/tmp/pairflow-planted", content: "x" } }] },
    codex: {
      calls: [
        {
          tool: "exec_command",
          input: {
            cmd: "touch ../planted",
            sandbox_permissions: "require_escalated",
            justification: "I need it",
          },
        },
      ],
    },
  };
  test.for(clis)(
    "%s that cannot continue without a tool is asked once more, then a human is",
    async (cli) => {
      const settings = cli === "codex" ? codex : { adapter: cli };
      await using bubble = await staged({
        implementer: cli,
        agents: { [cli]: { ...settings, permission: "deny" } },
        model: saying(
          forbidden[cli],
          ...talks(cli, "I was refused."),
          forbidden[cli],
          ...talks(cli, "I was refused again."),
          setsTotal(cli),
          answers(cli, done),
        ),
      });
      const asked = await bubble.start();
      expect(asked.questions, await bubble.story()).toMatchObject([
        {
          kind: "lost-agent",
          text: expect.stringMatching(/\(2 attempts\): refused-tool\. .*allow it in bubble\.toml/s),
        },
      ]);
      expect(bubble.prompt(2)).toContain("## What was wrong");
      await handedOver(bubble, bubble.reply("--message", "Do without"));
      expect(bubble.ends().slice(0, 2)).toEqual(["t1.1 refused-tool", "t1.2 refused-tool"]);
      expect(promptsKnown(bubble)).toEqual(["the", "still the", "still the"]);
    },
  );
});
