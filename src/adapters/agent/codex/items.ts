// What Codex is doing, in a few words for people who watch.

import { relative } from "node:path";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { listItemFiles, shortenCommand } from "./client-requests.ts";
import { type Fields, toFields, toList, toText } from "./wire.ts";

type Words = (item: Fields, worktree: string) => string;

const begun: Readonly<Record<string, Words>> = {
  commandExecution: (item) => `runs ${shortenCommand(toText(item.command))}`,
  fileChange: (item, worktree) => `changes ${renderFiles(item, worktree)}`,
  mcpToolCall: (item) => `calls ${toText(item.server)}.${toText(item.tool)}`,
  webSearch: (item) => `searches the web: ${toText(item.query)}`,
  reasoning: () => "thinks",
  collabAgentToolCall: () => "works with a sub-agent",
  subAgentActivity: () => "works with a sub-agent",
  contextCompaction: () => "makes room in its context",
};

/** The words for a piece of news, or undefined where there is nothing to see. */
export function describeActivity(method: string, params: Fields, worktree: string): string | undefined {
  const item = toFields(params.item);
  const type = toText(item.type);
  if (method === "item/started")
    return Object.hasOwn(begun, type) ? begun[type]?.(item, worktree) : undefined;
  if (method === "item/completed" && item.type === "agentMessage") return findRemark(toText(item.text));
  if (method !== "error" || params.willRetry !== true) return undefined;
  const { message, additionalDetails } = toFields(params.error);
  return keepStart(`tries again: ${toText(additionalDetails) || toText(message)}`, 300);
}

/** The final answer is JSON for the referee and no remark. */
function findRemark(message: string): string | undefined {
  const line = message.trim().split("\n")[0] ?? "";
  return line === "" || line.startsWith("{") || line.startsWith("`")
    ? undefined
    : `says: ${keepStart(line, 300)}`;
}

function renderFiles(item: Fields, worktree: string): string {
  return toList(item.changes)
    .map(({ path }) => relative(worktree, toText(path)))
    .join(", ");
}

export interface RefusedItem {
  readonly tool: string;
  readonly why: string;
}

/** What was refused, by us or by Codex itself, because it may not even ask. */
export function findRefusedTool(item: Fields): RefusedItem | undefined {
  const why = toText(toFields(item.error).message);
  if (item.type === "mcpToolCall" && /requires approval|user rejected/.test(why))
    return { tool: `${toText(item.server)}.${toText(item.tool)}`, why };
  if (item.status !== "declined") return undefined;
  const tool = item.type === "fileChange" ? listItemFiles(item) : shortenCommand(toText(item.command));
  return { tool, why: "it was declined" };
}
