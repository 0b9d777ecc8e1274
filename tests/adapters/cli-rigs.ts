// The two big CLIs for the agents' contract: by what the real programs said, recorded from runs against a scripted
// model. tests/agent-clis holds such runs for real.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";
import type { ProcessExit, TurnRequest } from "../../src/ports/agent/adapter.ts";
import type { Recording } from "../../src/testing/agent/play.ts";
import type { AgentRig } from "../../src/testing/agent/rig.ts";

const fixtures = join(import.meta.dirname, "..", "fixtures", "cli");

function linesOf(cli: string, name: string): string[] {
  return readFileSync(join(fixtures, `${cli}-${name}.ndjson`), "utf8")
    .trimEnd()
    .split("\n");
}

type Told = Partial<Omit<Recording, "name" | "lines">> & { readonly turn?: Partial<TurnRequest> };

/** The recordings of a CLI by their names; `turn` is what all of them have in common. */
function recordingsOf(
  cli: string,
  turn: Partial<TurnRequest>,
  all: Readonly<Record<string, Told>>,
): Recording[] {
  const exit: ProcessExit = { code: 0, stderr: "" };
  return Object.entries(all).map(([name, told]) => ({
    ...{ shows: [], exit, ...told, name },
    turn: { ...turn, ...told.turn },
    lines: linesOf(cli, name),
  }));
}

/** The recording with another answer in the place of its own. */
function withAnswer(recording: Recording | undefined, answer: unknown): Recording {
  if (!recording) throw new Error("there is no recording of an answer");
  const own = '{"summary":"wrote it"}';
  const inText = (json: string) => JSON.stringify(json).slice(1, -1);
  const other = JSON.stringify(answer);
  const lines = recording.lines.map((line) =>
    line.replaceAll(own, () => other).replaceAll(inText(own), () => inText(other)),
  );
  return { ...recording, lines };
}

/** Claude Code. */
export async function claudeRig(): Promise<AgentRig> {
  const places = { worktree: "/project/worktree", out: "/project/out" };
  const recordings = recordingsOf(
    "claude",
    { ...places, session: "11111111-1111-4111-8111-111111111111" },
    {
      answered: { shows: ["structuredAnswer", "usage"] },
      asked: { shows: ["ask"], answers: { q1: "Blue", q2: "S, L" } },
      permission: { answers: { permission: "allow" } },
      resumed: { shows: ["resume"], turn: { fresh: false } },
      interrupted: { shows: ["interrupt"], interruptAfter: 1 },
      ...{ garbage: {}, "no-session": { turn: { fresh: false } } },
      ...{ auth: {}, overflow: {}, overloaded: {}, quota: {}, "rate-limited": {} },
    },
  );
  return {
    adapter: createClaudeAgent({ command: ["pairflow"] }),
    settings: {
      ...{ adapter: "claude", program: "claude", model: "opus", effort: "high", permission: "ask" },
      ...{ sandbox: "off", append_system_prompt: "Be brief.", args: ["--debug"], max_turns: 9 },
    },
    recordings: async () => recordings,
    answering: async (answer) => withAnswer(recordings[0], answer),
    close: async () => {},
  };
}

/** Codex. */
export async function codexRig(): Promise<AgentRig> {
  const places = { worktree: "/bubble/worktree", out: "/bubble/out" };
  const recordings = recordingsOf(
    "codex",
    { ...places, session: "thread-1" },
    {
      answered: { shows: ["structuredAnswer", "usage"] },
      asked: { shows: ["ask"], answers: { db: "SQLite" } },
      resumed: { shows: ["resume"], turn: { fresh: false } },
      interrupted: { shows: ["interrupt"], interruptAfter: 9 },
      ...{ declined: {}, "no-thread": { turn: { fresh: false } }, "sub-agent": {} },
      ...{ unauthorized: {}, "used-up": {} },
    },
  );
  return {
    adapter: createCodexAgent({ command: ["pairflow"] }),
    settings: {
      ...{ adapter: "codex", program: "codex", model: "gpt-5.5", effort: "high", permission: "ask" },
      ...{ sandbox: "workspace-write", config: ['model_verbosity="low"'], args: ["--oss"] },
    },
    recordings: async () => recordings,
    answering: async (answer) => withAnswer(recordings[0], answer),
    close: async () => {},
  };
}
