// The first .pairflow/config.yaml of a project: what was found stands in it, and what could be said stands beside it as
// comments. Short, because it is read before it is committed.
import { stringify } from "yaml";

/** Agents for the roles of the pair. */
export interface ChosenAgents {
  readonly implementer: string;
  readonly reviewer: string;
}

interface FoundSettings {
  /** Absent: no agent was found on this machine. */
  readonly agents?: ChosenAgents | undefined;
  /** Gates that the files suggest, by name. */
  readonly gates: Readonly<Record<string, string>>;
  /** A test command that a person has typed. */
  readonly typedTest?: string | undefined;
  readonly setup?: string | undefined;
}

/** Everything of it that is not a comment is a setting of its own; the rest is found again each time a bubble is made. */
export function buildConfigText({ agents, gates, typedTest, setup }: FoundSettings): string {
  const active = {
    ...(agents ? { agents } : {}),
    ...(typedTest === undefined ? {} : { commands: { test: typedTest } }),
  };
  const rest = {
    ...(agents ? {} : { agents: { implementer: "codex", reviewer: "claude" } }),
    ...(typedTest === undefined
      ? { commands: Object.keys(gates).length > 0 ? gates : { test: "npm test" } }
      : {}),
    // Where the tests are known and need no setup, the example is nobody's package manager.
    setup: setup ?? (Object.keys(gates).length > 0 ? "make deps" : "npm ci"),
    max_rounds: 8,
    budget: { max_tokens: 5_000_000, max_minutes: 240, max_usd: "off" },
    scope: { do_not_touch: ["infra/**"] },
  };
  const isActive = Object.keys(active).length > 0;
  return `${intro}
# What a new bubble starts with; flags of pairflow bubble create win over it. Behind # stands what counts without it, or an example.
${isActive ? "" : "# "}defaults:
${isActive ? indent(active, "  ") : ""}${indent(rest, isActive ? "  # " : "#   ")}
# How agents are run, by name. Claude Code, Codex, Gemini CLI and OpenCode need nothing here; all settings: docs/agents.md
# agents:
#   claude:
#     model: opus
#     adapter: claude
`;
}

const intro = `# What the bubbles of this project have in common. A bubble reads it from its base commit, so commit it.
# Gates and setup are found anew for each bubble; what is said here counts more. pairflow doctor checks this file.
`;

const indent = (value: object, before: string): string =>
  stringify(value, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `${before}${line}\n`)
    .join("");
