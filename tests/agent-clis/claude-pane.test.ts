// The real Claude Code on its own screen, in a pane: no dialog stands before the first word, Pairflow's tools and hooks
// are reached, and the session continues when the pane is started anew.
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import { type ClaudeRig, claudeRig } from "./claude-rig.ts";

const standIn = resolve(import.meta.dirname, "..", "fixtures", "cli", "claude-pairflow.mjs");
const patience = { timeout: 90_000, interval: 100 };

interface Noted {
  readonly hook?: string;
  readonly tool?: string;
  readonly turn?: string;
  readonly input: Readonly<Record<string, unknown>>;
}

describe("the real Claude Code in a pane", { timeout: 240_000 }, () => {
  test("begins with the notice, hands over by tool, and continues in the same session in the next turn", async () => {
    await using rig = await claudeRig({
      model: (asked) =>
        asked.results.length === 0
          ? { calls: [{ tool: "mcp__pairflow__pass", input: { summary: "done" } }] }
          : { text: "That was all." },
    });
    const pane = paneFor(rig);
    const request = rig.request();
    pane.show(request);
    await expect.poll(() => pane.noted().map(({ hook }) => hook), patience).toContain("Stop");

    const [submitted] = pane.noted().filter(({ hook }) => hook === "UserPromptSubmit");
    expect(submitted?.input).toMatchObject({ prompt: request.notice, session_id: request.session });
    const [passed] = pane.noted().filter(({ tool }) => tool === "pass");
    expect(passed).toEqual({ tool: "pass", input: { summary: "done" }, turn: "the turn" });
    expect(rig.server.asked[0]?.tools).toContain("mcp__pairflow__pass");
    expect(rig.server.asked[0]?.tools).not.toContain("AskUserQuestion");
    expect(existsSync(join(rig.worktree, ".claude"))).toBe(false);

    pane.show({ ...request, fresh: false, notice: "One thing more." });
    await expect.poll(() => rig.server.asked.at(-1)?.texts, patience).toContain("One thing more.");
    expect(rig.server.asked.at(-1)?.texts).toContain(request.notice);
  });

  test("tells at once when a dialog waits for a person", async () => {
    await using rig = await claudeRig({
      model: () => ({
        calls: [{ tool: "Write", input: { file_path: join(rig.folder, "outside.txt"), content: "x" } }],
      }),
    });
    const pane = paneFor(rig);
    pane.show(rig.request());
    await expect.poll(() => pane.noted().map(({ hook }) => hook), patience).toContain("PermissionRequest");
    const [dialog] = pane.noted().filter(({ hook }) => hook === "PermissionRequest");
    expect(dialog?.input).toMatchObject({ tool_name: "Write" });
    await expect.poll(() => pane.text(), patience).toContain("Do you want to create outside.txt?");
    expect(existsSync(join(rig.folder, "outside.txt"))).toBe(false);
  });
});

/** A pane of a tmux server of the test's own. */
function paneFor({ folder, worktree, home }: ClaudeRig) {
  const log = join(folder, "noted.ndjson");
  writeFileSync(log, "");
  const adapter = createClaudeAgent({ command: [process.execPath, standIn, log] });
  const socket = `pairflow-claude-${randomUUID()}`;
  const tmux = (...words: string[]) =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...words], { encoding: "utf8" });
  tmux("new-session", "-d", "-x", "120", "-y", "40", "-s", "s", "sleep 1000");
  tmux("set", "-g", "remain-on-exit", "on");
  onTestFinished(() => void tmux("kill-server"));
  let shown = 0;
  return {
    show(request: TurnRequest) {
      const { argv, env } = adapter.launch(request);
      const all = { ...home.env, PAIRFLOW_TURN: "the turn", ...env };
      const words = ["env", "-i", ...Object.entries(all).map(([name, value]) => `${name}=${value}`), ...argv];
      shown += 1;
      const script = join(folder, `pane-${shown}.sh`);
      writeFileSync(script, `cd ${quoted(worktree)} && exec ${words.map(quoted).join(" ")}\n`);
      tmux("respawn-pane", "-k", "-t", "s", `sh ${quoted(script)}`);
    },
    text: () => tmux("capture-pane", "-p", "-t", "s"),
    noted: () =>
      readFileSync(log, "utf8")
        .split("\n")
        // Behind the last newline stands nothing, or a line that is just being written.
        .slice(0, -1)
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Noted),
  };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
