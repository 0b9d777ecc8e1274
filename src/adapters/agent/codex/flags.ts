// What Codex is told about a turn by flags alone: sandbox, trust, hooks and tools. Nothing is written into the person's
// own configuration, and what they have configured stays in force where these flags do not speak.
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { sep } from "node:path";
import type { AgentSettings } from "../../../core/model/config.ts";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { getListSetting, getTextSetting } from "../settings.ts";

export const sandboxes = ["workspace-write", "read-only", "danger-full-access"] as const;
export type Sandbox = (typeof sandboxes)[number];

export const permissions = ["ask", "deny", "allow"] as const;
export type CodexPermission = (typeof permissions)[number];

/** Keys that the agent's own shell has no use for. */
const keyVariables = ["CODEX_API_KEY", "OPENAI_API_KEY"];

/** Variables by which Pairflow's own programs know where they are; Codex passes a tool server no others. */
const ownVariables = [
  "PAIRFLOW_TURN",
  "PAIRFLOW_TURN_ID",
  "PAIRFLOW_WORK",
  "PAIRFLOW_REPO",
  "PAIRFLOW_VERBS",
  "PAIRFLOW_VERBS",
  "PAIRFLOW_BUBBLE",
  "PAIRFLOW_ROLE",
  "PAIRFLOW_OUT",
  "PAIRFLOW_SEAT",
  "PAIRFLOW_TMUX_SOCKET",
  "PAIRFLOW_CLOCK_SHIFT_FILE",
  "PAIRFLOW_CRASH_FILE",
  "PAIRFLOW_CRASH_AT",
];

/** How long it thinks. Codex itself would begin at low, which is too little for a review; what `config` says stays in force. */
export function getEffort(settings: AgentSettings): string | undefined {
  const isConfigured = getListSetting(settings, "config").some((one) =>
    one.startsWith("model_reasoning_effort="),
  );
  return getTextSetting(settings, "effort") ?? (isConfigured ? undefined : "high");
}

/** A critic reads, whatever its settings say. */
export function getSandboxMode({ settings, readOnly }: TurnRequest): Sandbox {
  const given = getTextSetting(settings, "sandbox");
  return readOnly ? "read-only" : (sandboxes.find((one) => one === given) ?? "workspace-write");
}

/** What is said to a wish to leave the sandbox. Granted, it would let a critic write: a critic is never asked about. */
export function getCodexPermission({ settings, readOnly }: TurnRequest): CodexPermission {
  const given = getTextSetting(settings, "permission");
  return readOnly ? "deny" : (permissions.find((one) => one === given) ?? "ask");
}

/** Flags of every turn. The person's own pairs come last, so that they can open what they need. */
export function buildCommonFlags(turn: TurnRequest): string[] {
  const { worktree, out, settings } = turn;
  return [
    // Without it Codex asks, or writes its answer into the person's configuration.
    ...buildConfigFlag("projects", { [worktree]: { trust_level: "trusted" } }),
    ...buildConfigFlag("sandbox_workspace_write", {
      writable_roots: [out],
      network_access: false,
      exclude_slash_tmp: isRecordIn(turn, "/tmp", "/private/tmp"),
      exclude_tmpdir_env_var: isRecordIn(turn, tmpdir(), realpathSync(tmpdir())),
    }),
    ...buildConfigFlag("shell_environment_policy.exclude", keyVariables),
    ...getListSetting(settings, "config").flatMap((given) => ["-c", given]),
  ];
}

/** Temporary folders are writable in the sandbox, unless the record lies in one. */
function isRecordIn({ worktree, out, promptFile }: TurnRequest, ...folders: readonly string[]): boolean {
  return [worktree, out, promptFile].some((path) => folders.some((folder) => path.startsWith(folder + sep)));
}

/** Newer models that Codex would offer on a screen of its own, before it reads the prompt. */
const newerModels = {
  "gpt-5.5": "gpt-6-sol",
  "gpt-5.6-sol": "gpt-6-sol",
  "gpt-5.6-terra": "gpt-6-sol",
  "gpt-5.6-luna": "gpt-6-luna",
};

/** Flags of a turn in a pane: no dialog before the prompt, the agent verbs as tools, and hooks as sensors. */
export function buildPaneFlags(command: readonly string[]): string[] {
  return [
    ...buildConfigFlag("check_for_update_on_startup", false),
    ...buildConfigFlag("notice.model_migrations", newerModels),
    ...buildConfigFlag("mcp_servers.pairflow", buildToolServer(command)),
    // Codex tells most models of no tool server until they search for its tools.
    ...buildConfigFlag("features.code_mode.direct_only_tool_namespaces", ["mcp__pairflow"]),
    ...listHookFlags(command),
  ];
}

/** Flags of a turn without a terminal: it may ask a human, and gives up on a network that is not there. */
export function buildHeadlessFlags(): string[] {
  return [
    ...buildConfigFlag("features.default_mode_request_user_input", true),
    ...buildConfigFlag("suppress_unstable_features_warning", true),
    ...buildConfigFlag("features.unbounded_connection_retries", false),
  ];
}

/** Codex runs it outside its sandbox, where the record is in reach; without the approval mode every call is refused. */
function buildToolServer([program = "", ...args]: readonly string[]): Value {
  return {
    command: program,
    args: [...args, "mcp"],
    env_vars: ownVariables,
    default_tools_approval_mode: "approve",
    startup_timeout_sec: 60,
    tool_timeout_sec: 600,
  };
}

const hookEvents = ["SessionStart", "UserPromptSubmit", "PermissionRequest", "PostToolUse", "Stop"] as const;
const hookSeconds = 30;

function listHookFlags(command: readonly string[]): string[] {
  const hooks = hookEvents.map((event) => ({ event, line: renderShellLine([...command, "hook", event]) }));
  const state = hooks.map(({ event, line }) => [
    `/<session-flags>/config.toml:${toSnakeCase(event)}:0:0`,
    { trusted_hash: hashTrustedHook(event, line) },
  ]);
  return [
    ...hooks.flatMap(({ event, line }) =>
      buildConfigFlag(`hooks.${event}`, [
        { hooks: [{ type: "command", command: line, timeout: hookSeconds }] },
      ]),
    ),
    // As if a person had reviewed exactly these hooks. The flag that trusts all hooks would run the repository's too.
    ...buildConfigFlag("hooks.state", Object.fromEntries(state)),
  ];
}

/** Codex trusts a hook by the hash of its definition: compact JSON with sorted keys. */
function hashTrustedHook(event: string, command: string): string {
  const hook = { async: false, command, timeout: hookSeconds, type: "command" };
  const definition = JSON.stringify({ event_name: toSnakeCase(event), hooks: [hook] });
  return `sha256:${createHash("sha256").update(definition).digest("hex")}`;
}

const toSnakeCase = (word: string): string =>
  word.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

function renderShellLine(words: readonly string[]): string {
  return words.map(quoteShellWord).join(" ");
}

type Value = string | number | boolean | readonly Value[] | { readonly [key: string]: Value };

/** `-c key=value`. A path as key only works inside a table: in the key itself quotes would be taken literally. */
export function buildConfigFlag(key: string, value: Value): string[] {
  return ["-c", `${key}=${toToml(value)}`];
}

/** A value as TOML on one line. JSON's strings are TOML's, but for one character. */
function toToml(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(toToml).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
  return `{${Object.entries(value)
    .map(([key, inner]) => `${toToml(key)}=${toToml(inner)}`)
    .join(",")}}`;
}
