// Before a bubble starts: an agent whose program is missing is named with what installs it, and nothing is run.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { checkAgentsReady, listAgentsNotReady } from "../../src/app/agents/ready.ts";
import type { BubbleConfig } from "../../src/core/model/config.ts";
import { configOf } from "../core/pair.ts";
import { type Bench, openBench } from "./doctor-rig.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
  vi.stubEnv("PATH", bench.bin);
});
afterEach(() => {
  vi.unstubAllEnvs();
  bench.close();
});

const bubble = (more: Partial<BubbleConfig> = {}) =>
  configOf({
    id: "fix-cart",
    repo_path: bench.repo,
    agents: { implementer: "codex", reviewer: "claude" },
    ...more,
  });

const file = "/shop/.pairflow/bubbles/fix-cart/bubble.toml";

it("both programs of the usual pair missing: the hint installs them", () => {
  expect(checkAgentsReady(bubble(), file, "tmux")).toEqual({
    code: "agent.not-ready",
    message: "codex and claude cannot be started",
    hint: "npm install -g @openai/codex && npm install -g @anthropic-ai/claude-code",
    details: [
      "codex: codex is not on the PATH; to install it: npm install -g @openai/codex",
      "claude: claude is not on the PATH; to install it: npm install -g @anthropic-ai/claude-code",
    ],
  });
});

it("a program that is there is enough: it is not run, and nobody need be logged in", () => {
  for (const name of ["codex", "claude"]) bench.program(name, `echo ran > ${bench.folder}/ran; exit 1`);
  expect(checkAgentsReady(bubble(), file, "tmux")).toBeUndefined();
  expect(listAgentsNotReady(bubble())).toEqual([]);
  expect(bench.read("ran")).toBe("");
});

it("an agent that nobody knows is to be described in the bubble's own file", () => {
  bench.program("codex", "exit 0");
  const refused = checkAgentsReady(
    bubble({ agents: { implementer: "codex", reviewer: "nobody" } }),
    file,
    "tmux",
  );
  expect(refused).toMatchObject({
    message: "nobody cannot be started",
    hint: `say how in ${file} under [agent.nobody], then give the command again`,
    details: ["nobody: nobody is not on the PATH"],
  });
});

it("wrong settings are refused with what is wrong with them", () => {
  bench.program("codex", "exit 0");
  const agent = { claude: { adapter: "command" } };
  expect(listAgentsNotReady(bubble({ agent }))).toEqual([
    "claude: adapter command needs the setting command",
  ]);
});

it("a program of the worktree is looked for where the turn runs, which may not exist yet", () => {
  bench.program("codex", "exit 0");
  const agent = { claude: { adapter: "command", command: "./tools/reviewer" } };
  expect(listAgentsNotReady(bubble({ agent }))).toEqual([]);
});

it("an agent without a screen is refused in panes, and welcome without a terminal", () => {
  for (const name of ["codex", "gemini"]) bench.program(name, "exit 0");
  const agents = { implementer: "codex", reviewer: "gemini" };
  const config = bubble({ agents, agent: { gemini: { adapter: "acp", command: "gemini --acp" } } });
  expect(checkAgentsReady(config, file, "tmux")?.details).toEqual([
    expect.stringContaining("gemini: its protocol has no screen; start the bubble with --headless"),
  ]);
  expect(checkAgentsReady(config, file, "process")).toBeUndefined();
});
