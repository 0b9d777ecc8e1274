// Codex as an agent: its TUI in a pane, its app-server without a terminal. Tried with codex-cli 0.166.0.
import type { AgentSettings } from "../../../core/model/config.ts";
import type { AgentAdapter, Launch, TurnRequest } from "../../../ports/agent/adapter.ts";
import { checkWords, getListSetting, getTextSetting } from "../settings.ts";
import { getTriedVersions } from "../tested-versions.ts";
import { CodexConversation } from "./conversation.ts";
import {
  buildCommonFlags,
  buildConfigFlag,
  buildHeadlessFlags,
  buildPaneFlags,
  getCodexPermission,
  getEffort,
  getSandboxMode,
  permissions,
  sandboxes,
} from "./flags.ts";
import { readCodexTrouble, readCodexUsage } from "./transcript.ts";

export interface CodexOptions {
  /** Pairflow's own command as an argument list; it has the verbs `mcp` and `hook`. */
  readonly command: readonly string[];
}

/**
 * Adapter `codex`. Settings: `model`, `effort`, `sandbox`, `permission` (what is said to a wish to leave the sandbox),
 * `config` (pairs for `-c`), `args` and `program`. Codex names its threads itself; the session of a new one is known
 * from the first hook or the first reply.
 */
export function createCodexAgent({ command }: CodexOptions): AgentAdapter {
  return {
    name: "codex",
    about: "OpenAI Codex",
    can: {
      resume: "yes",
      structuredAnswer: { partly: "the model is given the schema; Codex does not check what comes back" },
      readOnly: "yes",
      usage: { partly: "tokens and how full the context is; Codex knows no prices" },
      ask: "yes",
      interrupt: "yes",
      panes: "yes",
    },
    voice: { pane: "tools", headless: "json" },
    variables: [
      ...["CODEX_HOME", "CODEX_API_KEY", "OPENAI_API_KEY", "SSL_CERT_FILE", "SSL_CERT_DIR"],
      ...["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY", "https_proxy", "http_proxy", "no_proxy"],
    ],

    check,

    probe: (settings) => ({
      program: getProgram(settings),
      versionArgs: ["--version"],
      ...getTriedVersions("codex"),
      install: "npm install -g @openai/codex",
      loginArgs: ["login", "status"],
      loginVariables: ["CODEX_API_KEY"],
      login: "codex login",
      loginDoubt: "a model provider of your own needs no login",
    }),

    // A dialog marks its choices with the same sign, but has no composer.
    readyMark: /^› Ask Codex/m,
    tellsSession: ["pane", "headless"],
    usageIn: readCodexUsage,
    troubleIn: readCodexTrouble,

    launch: (turn) => ({ ...launch(turn, listPaneWords(turn, command)) }),

    headless: (turn) => ({
      ...launch(turn, ["app-server", ...buildHeadlessFlags(), ...buildCommonFlags(turn)]),
      stdin: "channel",
      converse: (host) => new CodexConversation(host, turn),
    }),
  };
}

function check(settings: AgentSettings): string | undefined {
  const problem = checkWords(settings, {
    optional: ["model", "effort", "program"],
    choices: { sandbox: sandboxes, permission: permissions },
    lists: ["args", "config"],
  });
  if (problem !== undefined) return problem;
  const bad = getListSetting(settings, "config").find((one) => !/^[\w.-]+=./s.test(one));
  return bad === undefined
    ? undefined
    : `the setting config holds pairs such as model_verbosity="low", not ${bad}`;
}

function launch(turn: TurnRequest, words: readonly string[]): Launch {
  return {
    argv: [getProgram(turn.settings), ...getListSetting(turn.settings, "args"), ...words],
    env: {},
    sandboxed: getSandboxMode(turn) !== "danger-full-access",
  };
}

function getProgram(settings: AgentSettings): string {
  return getTextSetting(settings, "program") ?? "codex";
}

/** The TUI: a person in front of it may be asked, so `allow` and `ask` are one here. */
function listPaneWords(turn: TurnRequest, command: readonly string[]): string[] {
  const model = getTextSetting(turn.settings, "model");
  const effort = getEffort(turn.settings);
  const flags = [
    // The shared daemon would outlive the pane.
    ...["--no-daemon", "--no-alt-screen", "-C", turn.worktree],
    ...["-s", getSandboxMode(turn), "-a", getCodexPermission(turn) === "deny" ? "never" : "on-request"],
    ...(model === undefined ? [] : ["-m", model]),
    ...(effort === undefined ? [] : buildConfigFlag("model_reasoning_effort", effort)),
    ...buildPaneFlags(command),
    ...buildCommonFlags(turn),
  ];
  return turn.fresh ? [...flags, "--", turn.notice] : ["resume", ...flags, "--", turn.session, turn.notice];
}
