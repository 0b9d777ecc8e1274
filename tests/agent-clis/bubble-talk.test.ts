// People and agents on the real screens: a question asked from a pane and answered into it, an agent that rests without
// having handed over, and a dialog that only a person at the pane can answer.
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { handoff, type Line, type Play, playing, realRig } from "./bubble-rig.ts";

const id = "total";
const pack = handoff("").package;

const tool = (name: string, input: object): Said => ({ calls: [{ tool: `mcp__pairflow__${name}`, input }] });
const rests: Said = { text: "I wait." };

async function started(play: Play, implementer: "claude" | "codex", env: Record<string, string> = {}) {
  const real = await realRig(playing(play), env);
  const reviewer = implementer === "claude" ? "codex" : "claude";
  await real.tool.ok(
    ...["bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true"],
    ...["--implementer", implementer, "--reviewer", reviewer],
  );
  await real.tool.ok("bubble", "start", "--id", id);
  return real;
}

const setsTotal = (agent: "claude" | "codex"): Said => {
  const command = "echo 'total: 2' > src/cart.txt";
  return agent === "codex"
    ? { calls: [{ tool: "exec_command", input: { cmd: command } }] }
    : { calls: [{ tool: "Bash", input: { command, description: "Set the total" } }] };
};

describe("on the real screens", { timeout: 180_000 }, () => {
  test.for(["claude", "codex"] as const)(
    "%s asks, is answered into its pane, and continues",
    async (agent) => {
      await using real = await started(
        {
          "implementer 1": [
            tool("ask_human", { question: "Before or after tax?", options: ["before", "after"] }),
            rests,
            setsTotal(agent),
            tool("pass", { summary: "After tax", package: pack }),
            rests,
          ],
        },
        agent,
      );
      const { tool: pairflow, server } = real;
      await pairflow.until(id, ({ state }) => state === "WAITING_HUMAN", "a question", 60_000);
      await pairflow.ok("bubble", "reply", "--id", id, "--choose", "after", "--message", "as on the invoice");
      await pairflow.until(id, ({ tree }) => tree !== null, "a handover", 60_000);
      const heard = server.asked
        .flatMap(({ texts }) => texts)
        .filter((text) => text.includes("as on the invoice"));
      expect(heard.length).toBeGreaterThan(0);
      const starts = pairflow.log(id).filter(({ type }) => type === "TURN_STARTED");
      expect(starts.filter(({ payload }) => (payload as { turn: string }).turn === "t1")).toHaveLength(1);
      const delivered = pairflow.log(id).filter(({ type }) => type === "DELIVERY");
      expect(delivered.map(({ payload }) => (payload as { status: string }).status)).toContain("sent");
    },
  );

  test("an agent that rests without having handed over is reminded by its hook, and hands over then", async () => {
    await using real = await started(
      {
        "implementer 1": [setsTotal("codex"), rests, tool("pass", { summary: "Done", package: pack }), rests],
      },
      "codex",
    );
    const { tool: pairflow, server } = real;
    await pairflow.until(id, ({ tree }) => tree !== null, "a handover", 60_000);
    const reminded = server.asked.some(({ texts }) => texts.join().includes("You have not handed over yet"));
    expect(reminded).toBe(true);
  });

  test("an agent that never hands over is started again twice, then a human is asked", async () => {
    const never = Array.from({ length: 30 }, () => rests);
    await using real = await started({ "implementer 1": never }, "codex");
    const { tool: pairflow } = real;
    const status = await pairflow.until(id, ({ state }) => state === "WAITING_HUMAN", "a question", 90_000);
    expect(status.questions).toMatchObject([
      { kind: "lost-agent", text: expect.stringContaining("reminded 2 times") },
    ]);
    expect(pairflow.log(id).filter(({ type }) => type === "TURN_STARTED")).toHaveLength(3);
    expect(real.server.asked).toHaveLength(9);
  });

  test.for(["claude", "codex"] as const)(
    "a %s whose key is refused is known from its session's file, and a human is asked at once",
    async (agent) => {
      const refused: Said = { error: 401, type: "authentication_error", message: "invalid key" };
      const refusals = Array.from({ length: 40 }, () => refused);
      await using real = await started({ "implementer 1": refusals }, agent, {
        CLAUDE_CODE_MAX_RETRIES: "1",
      });
      const asks = await real.tool.until(id, ({ state }) => state === "WAITING_HUMAN", "a question", 90_000);
      expect(asks.questions).toMatchObject([
        { kind: "lost-agent", text: expect.stringContaining(": auth. ") },
      ]);
      expect(real.tool.log(id).filter(({ type }) => type === "TURN_STARTED")).toHaveLength(1);
    },
  );

  test.for(["claude", "codex"] as const)(
    "a dialog of %s in its pane stands in the inbox until it is answered",
    async (agent) => {
      await using real = await started(
        {
          "implementer 1": [
            outside(agent),
            tool("pass", { summary: "Done", package: pack, no_change: "none" }),
            rests,
          ],
        },
        agent,
      );
      const { tool: pairflow } = real;
      const waiting = await pairflow.until(id, ({ turn }) => turn?.waits_for != null, "a dialog", 60_000);
      expect(waiting.state).toBe("RUNNING");
      const inbox = await pairflow.ok("inbox");
      expect(inbox).toContain(`${agent}`);
      expect(inbox).toContain(`pairflow bubble attach --id ${id}`);
      const keys = agent === "claude" ? "Enter" : "y";
      await pairflow.until(id, () => dialogIsOpen(pairflow.socket), "the dialog on the screen", 30_000);
      execFileSync("tmux", ["-L", pairflow.socket, "send-keys", "-t", paneOf(pairflow.socket, agent), keys]);
      const over = await pairflow.until(id, ({ turn }) => turn?.waits_for == null, "the answer", 60_000);
      expect(over.state).toBe("RUNNING");
    },
  );
});

/** Something only a person may allow: a file that is in no worktree. */
function outside(agent: "claude" | "codex"): Line {
  const command = "touch ../planted-by-a-test";
  return agent === "codex"
    ? {
        calls: [
          {
            tool: "exec_command",
            input: { cmd: command, sandbox_permissions: "require_escalated", justification: "a test" },
          },
        ],
      }
    : ({ texts }) => {
        const folder = /Read (\S+?)\/shop\//.exec(texts.join("\n"))?.[1];
        return { calls: [{ tool: "Write", input: { file_path: `${folder}/planted.txt`, content: "x" } }] };
      };
}

function screenOf(socket: string, pane: string): string {
  return execFileSync("tmux", ["-L", socket, "capture-pane", "-p", "-t", pane], { encoding: "utf8" });
}

function panes(socket: string): string[][] {
  const format = "#{pane_id} #{@pairflow_agent}";
  const text = execFileSync("tmux", ["-L", socket, "list-panes", "-a", "-F", format], { encoding: "utf8" });
  return text
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
}

const paneOf = (socket: string, agent: string) => panes(socket).find(([, name]) => name === agent)?.[0] ?? "";

const dialogIsOpen = (socket: string) =>
  panes(socket).some(([pane = ""]) => /(?:❯|›) 1\. Yes/.test(screenOf(socket, pane)));
