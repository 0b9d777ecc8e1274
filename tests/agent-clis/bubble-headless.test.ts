// A whole bubble on the real CLIs as npm installs them, without a terminal and without a question: Codex implements, Claude
// Code finds a P1, Codex fixes it in the session it had, roles alternate, a human approves, and the commit holds exactly the
// approved tree.
import { describe, expect, test } from "vitest";
import { expectShown } from "../helpers/shown.ts";
import {
  asNpmInstalls,
  claudeSays,
  codexRuns,
  codexSays,
  fixed,
  handoff,
  type Play,
  playing,
  realRig,
  review,
  shellWork,
  wrongTotal,
} from "./bubble-rig.ts";

const id = "total";

const play: Play = {
  "implementer 1": [codexRuns(shellWork(3)), codexSays(handoff("The total is set"))],
  "reviewer 1": [claudeSays(review("The total is wrong", { findings: [wrongTotal], checked: [] }))],
  "implementer 2": [codexRuns(shellWork(2)), codexSays(handoff("F1 is fixed"))],
  "reviewer 2": [claudeSays(review("F1 is fixed", fixed))],
  "reviewer 3": [codexSays(review("Nothing found", { converged: true }))],
};

describe("a whole bubble without a terminal on the real CLIs", { timeout: 180_000 }, () => {
  test("goes from the task to the commit, with a P1 fixed by a resumed session", async () => {
    await using real = await realRig(playing(play), {}, asNpmInstalls());
    const { tool, server } = real;
    const create = ["bubble", "create", "--id", id, "--task", "Make the total right"];
    await tool.ok(...create, "--test", "grep -q total src/cart.txt");
    const driven = await tool.run("bubble", "start", "--id", id, "--headless");
    expectShown(
      "docs/agents.md",
      "$ pairflow bubble start --id total --headless",
      `${driven.stderr}${driven.stdout}`,
    );

    const status = await tool.status(id);
    expect(status.state, await tool.ok("log", "--id", id, "--all")).toBe("READY_FOR_APPROVAL");
    expect(status.usage).toMatchObject({
      by_agent: { codex: { input: expect.any(Number) }, claude: { usd: expect.any(Number) } },
      unknown_attempts: 0,
    });
    const started = tool.log(id).flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(
      started.map(({ agent, role, fresh }) => `${agent} ${role} ${fresh ? "fresh" : "resumed"}`),
    ).toEqual([
      "codex implementer fresh",
      "claude reviewer fresh",
      "codex implementer resumed",
      "claude reviewer fresh",
      "codex reviewer fresh",
    ]);
    // The session is the one in which the first version was written: the model sees both prompts.
    const fix = server.asked.find(
      (asked) => asked.api === "responses" && asked.texts.join().includes("round 2"),
    );
    expect(fix?.texts.filter((text) => text.startsWith(`# ${id} · round`))).toHaveLength(2);

    const digest = status.approval?.digest ?? "";
    await tool.ok("bubble", "approve", "--id", id, "--digest", digest, "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
    expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
    await tool.ok("verify", "--id", id);
  });
});
