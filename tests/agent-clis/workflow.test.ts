// A workflow with a pair on the real CLIs, without a terminal: Codex drives, Claude Code challenges, the driver answers
// the critique in its own session, the challenger approves, the artifact is locked, a human signs.
import { describe, expect, test } from "vitest";
import {
  claudeSays,
  codexRuns,
  codexSays,
  fixed,
  handoff,
  judged,
  type Play,
  playing,
  realRig,
  wrongTotal,
} from "./bubble-rig.ts";

const id = "pair";

const challenge = (critique: string, more: object) => ({
  ...{ status: "completed", questions: [], message: null, ...judged },
  critique,
  ...more,
});

const play: Play = {
  "driver 1": [codexRuns("printf 'total: 3\\n' > src/cart.txt"), codexSays(handoff("The total is set"))],
  "challenger 1": [
    claudeSays(
      challenge("It assumes that three is right", {
        challenger_approved: false,
        checked: [],
        findings: [wrongTotal],
      }),
    ),
  ],
  "driver 2": [codexRuns("printf 'total: 2\\n' > src/cart.txt"), codexSays(handoff("F1 is fixed"))],
  "challenger 2": [claudeSays(challenge("Ready to lock", { challenger_approved: true, ...fixed }))],
};

describe("a pair on the real CLIs", { timeout: 180_000 }, () => {
  test("goes from the workflow to the commit", async () => {
    await using real = await realRig(playing(play));
    const { tool, server } = real;
    const ran = await tool.run(
      ...["workflow", "run", "paired", "--id", id, "--task", "Make the total right"],
      ...[
        "--test",
        "grep -q total src/cart.txt",
        "--agent",
        "implementer=codex",
        "--agent",
        "reviewer=claude",
      ],
    );
    const status = await tool.status(id);
    expect(status.state, `${ran.stderr}\n${await tool.ok("log", "--id", id, "--all")}`).toBe(
      "READY_FOR_APPROVAL",
    );
    const started = tool.log(id).flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(
      started.map(({ agent, role, fresh }) => `${agent} ${role} ${fresh ? "fresh" : "resumed"}`),
    ).toEqual([
      "codex driver fresh",
      "claude challenger fresh",
      "codex driver resumed",
      "claude challenger fresh",
    ]);
    const told = server.asked.map(({ texts }) => texts.join("\n"));
    expect(
      told.some((text) => text.includes("You are the challenger. Critique the following driver output")),
    ).toBe(true);
    expect(
      told.some((text) => text.includes("round 2") && text.includes("It assumes that three is right")),
    ).toBe(true);
    expect(tool.log(id).find(({ type }) => type === "LOCKED")?.payload).toMatchObject({
      decided_by: "claude",
      artifacts: [{ path: "src/cart.txt" }],
    });
    const digest = status.approval?.digest ?? "";
    await tool.ok("bubble", "approve", "--id", id, "--digest", digest, "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
    expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
    await tool.ok("verify", "--id", id);
  });
});
