// Claude Code: its own screen in a pane, or its JSON lines without a terminal. The person's login and settings are used
// as they are; what a turn needs beside them is said on the command line and in the environment.
import type { AgentAdapter, TurnRequest } from "../../../ports/agent/adapter.ts";
import { checkWords, getTextSetting } from "../settings.ts";
import { getTriedVersions } from "../tested-versions.ts";
import { buildHeadlessArguments, buildPaneArguments } from "./arguments.ts";
import { createClaudeConversation } from "./conversation.ts";
import { permissions } from "./permission.ts";
import { isSandboxed, listLeftovers, listMissingSandboxPrograms, sandboxChoices } from "./sandbox.ts";
import { readClaudeTrouble, readClaudeUsage } from "./transcript.ts";

export interface ClaudeOptions {
  /** Pairflow's own command as an argument list; its verbs `mcp` and `hook` are run by the CLI. */
  readonly command: readonly string[];
}

const efforts = ["low", "medium", "high", "xhigh", "max"];

/** Adapter `claude`. */
export function createClaudeAgent({ command }: ClaudeOptions): AgentAdapter {
  return {
    name: "claude",
    about: "Claude Code, Anthropic's command-line agent",
    can: {
      resume: "yes",
      structuredAnswer: "yes",
      readOnly: {
        partly:
          "it has no tool to edit and its sandbox write-protects every file that is there; a command can still make new files in the worktree's top folder, or anywhere without the sandbox, which the comparison of the tree shows",
      },
      usage: "yes",
      ask: "yes",
      interrupt: "yes",
      panes: "yes",
    },
    voice: { pane: "tools", headless: "json" },
    variables: listVariables(),

    check(settings) {
      const words = checkWords(settings, {
        optional: ["program", "model", "append_system_prompt"],
        choices: { permission: permissions, sandbox: sandboxChoices, effort: efforts },
        lists: ["args"],
        amounts: ["max_turns"],
      });
      if (words !== undefined || settings.sandbox !== "on") return words;
      const missing = listMissingSandboxPrograms();
      return missing.length === 0
        ? undefined
        : `sandbox = "on" needs ${missing.join(" and ")}, which cannot be found (packages bubblewrap and socat)`;
    },

    probe: (settings) => ({
      program: getTextSetting(settings, "program") ?? "claude",
      versionArgs: ["--version"],
      ...getTriedVersions("claude"),
      install: "npm install -g @anthropic-ai/claude-code",
      loginArgs: ["auth", "status"],
      loginVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"],
      login: "claude auth login",
    }),

    // A dialog marks its choices, all numbered, with the sign of the composer.
    readyMark: /(?<![\s\S])(?![\s\S]*^\s*❯\s*\d+\.)[\s\S]*^❯/m,
    tellsSession: ["pane", "headless"],
    usageIn: readClaudeUsage,
    troubleIn: readClaudeTrouble,
    leftovers: listLeftovers,

    launch: (turn) => ({
      argv: buildPaneArguments(turn, command),
      env: paneEnvironment,
      ...describeConfinement(turn),
    }),

    headless: (turn) => ({
      argv: buildHeadlessArguments(turn),
      env: headlessEnvironment,
      ...describeConfinement(turn),
      stdin: "channel",
      converse: (host) => createClaudeConversation(host, turn),
    }),
  };
}

function describeConfinement({ settings }: TurnRequest): { readonly sandboxed: boolean } {
  return { sandboxed: isSandboxed(settings) };
}

/** What is said to the project's agents in CLAUDE.md is still read, though the worktree's settings are not. */
const environment = {
  CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  // npm looks for news of itself in every command, which is a wish to use the network.
  npm_config_update_notifier: "false",
  NO_UPDATE_NOTIFIER: "1",
};

/** Nothing may stand between the notice and the model: no question of trust for a new folder, no survey. */
const paneEnvironment = {
  ...environment,
  CLAUDE_CODE_SANDBOXED: "1",
  CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1",
  CLAUDE_CODE_DISABLE_FEEDBACK_SURVEY: "1",
};

/** Its own tries last for minutes, even with a refused key; what is worth another try is decided by the referee. */
const headlessEnvironment = { ...environment, CLAUDE_CODE_MAX_RETRIES: "2" };

/** Clouds bring logins of their own; these variables are only handed on where the person uses such a cloud. */
function listVariables(): string[] {
  const { CLAUDE_CODE_USE_BEDROCK: bedrock, CLAUDE_CODE_USE_VERTEX: vertex } = process.env;
  return [
    ...["ANTHROPIC_*", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CODE_USE_*"],
    ...["CLAUDE_CODE_SKIP_*", "CLAUDE_CODE_DISABLE_*", "CLAUDE_CODE_MAX_OUTPUT_TOKENS"],
    ...["MAX_THINKING_TOKENS", "API_TIMEOUT_MS", "CLAUDE_CODE_MAX_RETRIES", "NODE_EXTRA_CA_CERTS"],
    ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
    ...(bedrock ? ["AWS_*"] : []),
    ...(vertex ? ["GOOGLE_*", "CLOUD_ML_REGION", "VERTEX_REGION_*"] : []),
  ];
}
