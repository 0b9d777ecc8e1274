// The command line of Claude Code for one turn. Everything is said here and nothing is written to the person's own
// settings; what the worktree itself would set is left out, because the agents write the worktree.
import { dirname } from "node:path";
import { quoteShellText } from "../../../core/model/value/shell-word.ts";
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { getListSetting, getNumberSetting, getTextSetting } from "../settings.ts";
import { editing, getClaudePermission, mustRefuseHosts } from "./permission.ts";
import { buildSandboxSettings, isEveryCommandSandboxed, isSandboxed } from "./sandbox.ts";

/** Ways of working that are the referee's business: other worktrees, plans to approve, work at a later time. */
const notHere = [
  ...["EnterWorktree", "ExitWorktree", "EnterPlanMode", "ExitPlanMode"],
  ...["CronCreate", "CronDelete", "CronList", "ScheduleWakeup"],
];

/** In a pane questions go through Pairflow's own tool, which brings them into the inbox. */
const notInPanes = ["AskUserQuestion"];

/** What it tells Pairflow about while it sits in a pane, without waiting. */
const sensors = ["UserPromptSubmit", "Notification", "PermissionRequest", "PostToolUse"];

/** What Pairflow may hold up: the start until its tools are there, which the screen does not wait for; an end too early. */
const holds = ["SessionStart", "Stop"];

/** The words for a turn in a pane. */
export function buildPaneArguments(turn: TurnRequest, command: readonly string[]): string[] {
  const [program = "", ...args] = command;
  const pairflow = { command: program, args: [...args, "mcp"], alwaysLoad: true };
  const settings = { ...buildSettings(turn, ["mcp__pairflow__*"]), hooks: buildHooks(command) };
  return [
    ...listCommonWords(turn, { mode: choosePaneMode(turn), forbidden: notInPanes, settings }),
    ...["--mcp-config", JSON.stringify({ mcpServers: { pairflow } })],
    ...getListSetting(turn.settings, "args"),
    // Some options take any number of words, and a notice could begin with a dash.
    ...["--", turn.notice],
  ];
}

/** The words for a turn without a terminal. */
export function buildHeadlessArguments(turn: TurnRequest): string[] {
  const maxTurns = getNumberSetting(turn.settings, "max_turns");
  return [
    ...listCommonWords(turn, {
      mode: getMode(turn),
      forbidden: [],
      settings: buildSettings(turn, []),
      ...(isSandboxed(turn.settings) && mustRefuseHosts(turn.settings) ? { tells: noHosts } : {}),
    }),
    "--print",
    "--verbose",
    ...["--input-format", "stream-json", "--output-format", "stream-json"],
    ...["--permission-prompt-tool", "stdio"],
    ...["--json-schema", JSON.stringify(turn.answerSchema)],
    ...(maxTurns === undefined ? [] : ["--max-turns", `${maxTurns}`]),
    ...getListSetting(turn.settings, "args"),
  ];
}

/** A program that cannot reach a host seldom says why. */
const noHosts =
  "Your commands run in a sandbox. A host that its settings do not name cannot be reached, and nobody is asked about it: " +
  "do without it, or say in your answer which one you need and what for.";

interface Differences {
  readonly mode: string;
  readonly forbidden: readonly string[];
  readonly settings: object;
  /** What the agent is told beside its prompt. */
  readonly tells?: string;
}

function listCommonWords(turn: TurnRequest, { mode, forbidden, settings, tells }: Differences): string[] {
  const added = [getTextSetting(turn.settings, "append_system_prompt"), tells].filter(Boolean);
  const tools = [...notHere, ...forbidden, ...(turn.readOnly ? editing : [])];
  return [
    getTextSetting(turn.settings, "program") ?? "claude",
    ...[turn.fresh ? "--session-id" : "--resume", turn.session],
    ...["--permission-mode", mode],
    // Hooks and rules in the worktree could have been written by the other agent.
    ...["--setting-sources", "user", "--strict-mcp-config"],
    ...["--settings", JSON.stringify(settings)],
    ...["--add-dir", turn.worktree, turn.out],
    ...["--disallowedTools", tools.join(",")],
    ...listOptionalWords(turn, "--model", "model"),
    ...listOptionalWords(turn, "--effort", "effort"),
    ...(added.length > 0 ? ["--append-system-prompt", added.join("\n\n")] : []),
  ];
}

function listOptionalWords({ settings }: TurnRequest, flag: string, word: string): string[] {
  const value = getTextSetting(settings, word);
  return value === undefined ? [] : [flag, value];
}

/** Edits inside the worktree need no question; an agent that may only read has no tool for them. */
function getMode({ readOnly }: TurnRequest): string {
  return readOnly ? "default" : "acceptEdits";
}

/** Without a control channel only the mode can say that nobody is to be asked. */
function choosePaneMode(turn: TurnRequest): string {
  return getClaudePermission(turn.settings) === "deny" ? "dontAsk" : getMode(turn);
}

function buildSettings(turn: TurnRequest, tools: readonly string[]): object {
  // Prompts lie in a folder of their own, beside the diffs and messages that they refer to.
  const told = dirname(dirname(turn.promptFile));
  const allow = [...tools, ...[told, turn.out].map((folder) => `Read(${getRulePath(folder)}/**)`)];
  const permission = getClaudePermission(turn.settings);
  if (permission === "allow") allow.push("Bash", "WebFetch", "WebSearch");
  // Its rules leave loops, substitutions and here-documents open, also in the sandbox, which is what holds commands back.
  else if (isEveryCommandSandboxed(turn.settings)) allow.push("Bash");
  // In the mode that never asks, edits need a rule.
  if (permission === "deny" && !turn.readOnly) {
    allow.push(...[turn.worktree, turn.out].map((folder) => `Edit(${getRulePath(folder)}/**)`));
  }
  return {
    permissions: { allow },
    ...(isSandboxed(turn.settings) ? { sandbox: buildSandboxSettings(turn) } : {}),
  };
}

/** In its rules one slash means the settings' own folder; two mean the root. */
function getRulePath(path: string): string {
  return `/${path}`;
}

function buildHooks(command: readonly string[]): object {
  const hook = (event: string) => ({
    type: "command",
    command: [...command, "hook", event, ...(event === "SessionStart" ? ["--await-tools"] : [])]
      .map(quoteShellText)
      .join(" "),
    timeout: 30,
    ...(sensors.includes(event) ? { async: true } : {}),
  });
  return Object.fromEntries([...sensors, ...holds].map((event) => [event, [{ hooks: [hook(event)] }]]));
}
