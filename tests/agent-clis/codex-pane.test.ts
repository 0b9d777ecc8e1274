// The real Codex in a terminal: no dialog before its prompt, the agent verbs as tools, and hooks that tell what it does.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import type { Model } from "../models/model.ts";
import { answered, answers, type CodexRig, codexRig, shell } from "./codex-rig.ts";

interface Seen {
  readonly word: string;
  readonly event?: string;
  readonly turn?: string;
  readonly tool?: string;
  readonly input?: unknown;
  readonly thread?: string;
  readonly told?: { readonly session_id: string; readonly prompt?: string; readonly tool_name?: string };
}

const command = [
  process.execPath,
  resolve(import.meta.dirname, "..", "fixtures", "cli", "codex-pairflow.mjs"),
];
const limitMs = 90_000;

/** Every pane has a server of its own: one that is going down would still be found under its name. */
let panes = 0;
const socket = () => `pairflow-codex-${process.pid}-${panes}`;

function tmux(words: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  return execFileSync("tmux", ["-L", socket(), ...words], { env, encoding: "utf8", stdio: "pipe" });
}

/** Ends the pane and waits for its process: a thread has one writer at a time. */
async function endPane(): Promise<void> {
  const [pid, path] = whereabouts();
  if (pid === undefined) return;
  tmux(["kill-server"]);
  await rm(path ?? "", { force: true });
  const deadline = Date.now() + limitMs;
  while (isAlive(Number(pid))) {
    if (Date.now() > deadline) throw new Error(`the process ${pid} outlives its pane`);
    await pause(20);
  }
}

/** The process and the socket of the pane; nothing when there is none. */
function whereabouts(): string[] {
  try {
    return tmux(["list-panes", "-F", "#{pane_pid} #{socket_path}"]).trim().split(" ");
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Starts a turn as a pane does, and waits until its hooks have told what `isReady` looks for. */
async function pane(
  rig: CodexRig,
  request: TurnRequest,
  isReady: (seen: Seen[]) => boolean,
): Promise<Seen[]> {
  const { argv } = rig.adapter.launch(request);
  const env = { ...rig.env, PAIRFLOW_TURN: "bubble.turn.1.secret" };
  const size = ["-x", "160", "-y", "50"];
  panes += 1;
  tmux(["-f", "/dev/null", "new-session", "-d", ...size, "-c", request.worktree, "--", ...argv], env);
  const deadline = Date.now() + limitMs;
  for (;;) {
    const seen = seenBy(rig);
    if (isReady(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`${JSON.stringify(seen)}\n${tmux(["capture-pane", "-p"])}`);
    await pause(50);
  }
}

function seenBy(rig: CodexRig): Seen[] {
  const file = join(rig.folder, "seen.ndjson");
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Seen);
}

const stops = (count: number) => (seen: Seen[]) =>
  seen.filter(({ event }) => event === "Stop").length >= count;

describe("the real Codex in a pane", { timeout: 6 * 60_000 }, () => {
  test.each(["gpt-5.5", "gpt-6.1-sol"])(
    "%s hands over by a tool out of a read-only sandbox, and its session continues in a pane and without one",
    async (name) => {
      const handOver: Model = ({ nr }) => {
        if (nr === 1) return { calls: [{ tool: "mcp__pairflow__pass", input: { summary: "reviewed" } }] };
        return nr === 2 ? shell("echo x > written.txt") : answers(`answer ${nr}`);
      };
      await using rig = await codexRig({ model: handOver, command, settings: { model: name } });
      await using _ = { [Symbol.asyncDispose]: endPane };
      const critic = rig.request({ readOnly: true, role: "reviewer", notice: "First notice." });
      const seen = await pane(rig, critic, stops(1));

      const hooks = seen.filter(({ word }) => word === "hook");
      expect(hooks.map(({ event }) => event)).toEqual([
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUse",
        "Stop",
      ]);
      expect(hooks[1]?.told?.prompt).toBe("First notice.");
      expect(new Set(seen.map(({ turn }) => turn))).toEqual(new Set(["bubble.turn.1.secret"]));
      const session = hooks[0]?.told?.session_id ?? "";
      const passed = seen.filter(({ word }) => word === "mcp");
      expect(passed).toMatchObject([{ tool: "pass", input: { summary: "reviewed" }, thread: session }]);
      expect(rig.server.asked[0]?.tools).toContain("mcp__pairflow__pass");
      expect(rig.server.asked[2]?.results.at(-1)?.text).toMatch(/read-only file system/i);
      expect(existsSync(join(rig.worktree, "written.txt"))).toBe(false);

      await endPane();
      const goesOn = { ...critic, fresh: false, session };
      const later = await pane(rig, { ...goesOn, notice: "Second notice." }, stops(2));
      expect(new Set(later.flatMap(({ told }) => told?.session_id ?? []))).toEqual(new Set([session]));
      expect(rig.server.asked.at(-1)?.texts).toEqual(
        expect.arrayContaining(["First notice.", "Second notice."]),
      );

      await endPane();
      const { end } = await rig.turn({ ...goesOn, prompt: "Third prompt." });
      expect(end).toEqual(answered({ summary: "answer 5" }));
      expect(rig.server.asked.at(-1)?.texts).toEqual(
        expect.arrayContaining(["Second notice.", "Third prompt."]),
      );
      expect(readFileSync(join(rig.folder, "home", ".codex", "config.toml"), "utf8")).not.toMatch(
        /projects|hooks/,
      );
    },
  );

  test("tells by a hook that it waits for a human's leave", async () => {
    const escalated = { sandbox_permissions: "require_escalated", justification: "To build." };
    await using rig = await codexRig({ model: () => shell("echo x > ../outside.txt", escalated), command });
    await using _ = { [Symbol.asyncDispose]: endPane };
    const seen = await pane(rig, rig.request(), (all) =>
      all.some(({ event }) => event === "PermissionRequest"),
    );

    expect(seen.find(({ event }) => event === "PermissionRequest")?.told).toMatchObject({
      tool_name: "Bash",
      tool_input: { command: "echo x > ../outside.txt", description: "To build." },
    });
    expect(existsSync(join(rig.folder, "outside.txt"))).toBe(false);
  });
});
