// What Codex is doing, in a few words for people who watch.

import { relative } from "node:path";
import { keepStart } from "../../../core/model/sizes.ts";
import { type Fields, fields, list, text } from "./wire.ts";
import { changedFiles, shownCommand } from "./wishes.ts";

type Words = (item: Fields, worktree: string) => string;

const begun: Readonly<Record<string, Words>> = {
  commandExecution: (item) => `runs ${shownCommand(text(item.command))}`,
  fileChange: (item, worktree) => `changes ${files(item, worktree)}`,
  mcpToolCall: (item) => `calls ${text(item.server)}.${text(item.tool)}`,
  webSearch: (item) => `searches the web: ${text(item.query)}`,
  reasoning: () => "thinks",
  collabAgentToolCall: () => "works with a sub-agent",
  subAgentActivity: () => "works with a sub-agent",
  contextCompaction: () => "makes room in its context",
};

/** The words for a piece of news, or undefined where there is nothing to see. */
export function doingOf(method: string, params: Fields, worktree: string): string | undefined {
  const item = fields(params.item);
  const type = text(item.type);
  if (method === "item/started")
    return Object.hasOwn(begun, type) ? begun[type]?.(item, worktree) : undefined;
  if (method === "item/completed" && item.type === "agentMessage") return remark(text(item.text));
  if (method !== "error" || params.willRetry !== true) return undefined;
  const { message, additionalDetails } = fields(params.error);
  return keepStart(`tries again: ${text(additionalDetails) || text(message)}`, 300);
}

/** The final answer is JSON for the referee and no remark. */
function remark(message: string): string | undefined {
  const line = message.trim().split("\n")[0] ?? "";
  return line === "" || line.startsWith("{") || line.startsWith("`")
    ? undefined
    : `says: ${keepStart(line, 300)}`;
}

function files(item: Fields, worktree: string): string {
  return list(item.changes)
    .map(({ path }) => relative(worktree, text(path)))
    .join(", ");
}

export interface Refused {
  readonly tool: string;
  readonly why: string;
}

/** What was refused, by us or by Codex itself, because it may not even ask. */
export function refusedIn(item: Fields): Refused | undefined {
  const why = text(fields(item.error).message);
  if (item.type === "mcpToolCall" && /requires approval|user rejected/.test(why)) {
    return { tool: `${text(item.server)}.${text(item.tool)}`, why };
  }
  if (item.status !== "declined") return undefined;
  const tool = item.type === "fileChange" ? changedFiles(item) : shownCommand(text(item.command));
  return { tool, why: "it was declined" };
}
