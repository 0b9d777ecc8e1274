// Agents that speak the Agent Client Protocol over their standard streams: Gemini CLI, OpenCode, Goose and many more.
// The protocol has no terminal, so a pane shows the agent's own screen where the settings say how to start it.
import type { AgentSettings } from "../../../core/model/config.ts";
import type { AgentAdapter, Probe } from "../../../ports/agent/adapter.ts";
import { Failure } from "../../../ports/failure.ts";
import { buildCommandLine, fillCommandLine, placeholders } from "../command-line.ts";
import { checkWords, getTextSetting } from "../settings.ts";
import { checkTemplate, splitWords } from "../template.ts";
import { tried } from "../tested-versions.ts";
import { createAcpConversation } from "./conversation.ts";
import { permissions } from "./permission.ts";

declare const __PAIRFLOW_VERSION__: string | undefined;
const version = typeof __PAIRFLOW_VERSION__ === "string" ? __PAIRFLOW_VERSION__ : "0.0.0";

/** Adapter `acp`: runs `command`, which must speak the protocol; `pane` is the same agent with a screen. */
export function createAcpAgent(): AgentAdapter {
  return {
    name: "acp",
    about: "agents that speak the Agent Client Protocol: Gemini CLI, OpenCode, Goose …",
    can: {
      resume: { partly: "where the agent says that it can load or resume sessions; a new session otherwise" },
      structuredAnswer: "yes",
      readOnly: {
        partly:
          "in a sandbox of ours it cannot write the worktree; elsewhere everything but reading is refused when it asks, and an agent that does not ask is only seen by the comparison of the tree",
      },
      usage: {
        partly:
          "where the agent reports its tokens. Agents count them in different ways: see below; what is not known is said to be unknown",
      },
      ask: "yes",
      interrupt: "yes",
      panes: { partly: "with the setting `pane`: the protocol itself has no screen" },
    },
    voice: { pane: "verbs", headless: "json" },
    tellsSession: ["headless"],
    variables: [
      ...["GEMINI_*", "GOOGLE_*", "OPENCODE_*", "GOOSE_*", "OPENAI_*", "ANTHROPIC_*", "OPENROUTER_*"],
      ...["CODEX_*", "CLAUDE_*", "CURSOR_*"],
    ],

    check(settings) {
      const optional = ["pane", "model", "mode", "read_only_mode"];
      const words = checkWords(settings, {
        required: ["command"],
        optional,
        choices: { permission: permissions },
      });
      if (words !== undefined) return words;
      for (const name of ["command", "pane"]) {
        const line = getTextSetting(settings, name);
        const problem = line === undefined ? undefined : checkTemplate(line, placeholders);
        if (problem !== undefined) return `${name}: ${problem}`;
      }
      return undefined;
    },

    noPane: (settings) =>
      getTextSetting(settings, "pane") === undefined
        ? 'its protocol has no screen; start the bubble with --headless, or give it a setting such as pane = "gemini --prompt-interactive {{notice}}"'
        : undefined,

    probe: buildProbe,
    home: (settings) => findKnownAgent(settings)?.home ?? [],

    launch(turn) {
      const line = getTextSetting(turn.settings, "pane");
      if (line !== undefined) return { argv: buildCommandLine(turn, line), env: {}, sandboxed: false };
      throw new Failure(
        "agent.no-pane",
        `agent ${turn.agent} has no screen: its protocol runs without a terminal`,
        {
          hint: `start the bubble with --headless, or say how its screen is started: [agent.${turn.agent}] pane = "gemini --prompt-interactive {{notice}}"`,
        },
      );
    },

    headless(turn) {
      return {
        argv: fillCommandLine(turn, getTextSetting(turn.settings, "command") ?? ""),
        env: {},
        sandboxed: false,
        readsOnly: turn.readOnly,
        stdin: "channel",
        converse: (host) => createAcpConversation(host, turn, version),
      };
    },
  };
}

type Known = Pick<Probe, "install" | "login" | "loginVariables" | "tried"> & {
  readonly home: readonly string[];
};

/** How the best known agents are got; the others are looked for by the first word of their command line. */
const known: Readonly<Record<string, Known>> = {
  gemini: {
    install: "npm install -g @google/gemini-cli",
    login: "start gemini once and log in, or set GEMINI_API_KEY",
    loginVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    tried: tried.gemini,
    home: [".gemini"],
  },
  opencode: {
    install: "npm install -g opencode-ai",
    login: "opencode auth login",
    tried: tried.opencode,
    home: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
  },
  "codex-acp": {
    install: "npm install -g @agentclientprotocol/codex-acp",
    login: "codex login",
    tried: tried["codex-acp"],
    home: [".codex"],
  },
  "claude-agent-acp": {
    install: "npm install -g @agentclientprotocol/claude-agent-acp",
    login: "start claude once and log in, or set ANTHROPIC_API_KEY",
    loginVariables: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
    tried: tried["claude-agent-acp"],
    home: [".claude", ".claude.json"],
  },
  "cursor-agent": {
    install: "see https://cursor.com/docs/cli/installation",
    login: "cursor-agent login, or set CURSOR_API_KEY",
    loginVariables: ["CURSOR_API_KEY"],
    home: [".cursor", ".config/cursor"],
  },
  goose: {
    install: "see https://block.github.io/goose",
    login: "goose configure",
    home: [".config/goose", ".local/share/goose", ".local/state/goose"],
  },
};

function findProgram(settings: AgentSettings): string | undefined {
  const split = splitWords(getTextSetting(settings, "command") ?? "");
  return split.ok ? split.words[0] : undefined;
}

const findKnownAgent = (settings: AgentSettings) => known[findProgram(settings)?.split("/").at(-1) ?? ""];

function buildProbe(settings: AgentSettings): Probe | undefined {
  const program = findProgram(settings);
  if (program === undefined) return undefined;
  const { home: _, ...found } = findKnownAgent(settings) ?? { home: [] };
  return { program, versionArgs: ["--version"], install: `install ${program}`, ...found };
}
