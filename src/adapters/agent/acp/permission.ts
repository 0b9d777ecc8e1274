// What an agent may do when it asks: reading always; changing files inside its worktree unless the turn may only read;
// commands where a sandbox of ours holds them; anything else as the setting `permission` says. An agent that does not
// ask is not held back here.

import { resolve, sep } from "node:path";
import type { PermissionOptionKind, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { AgentQuestion } from "../../../core/model/turn-end.ts";
import type { TurnRequest } from "../../../ports/agent/adapter.ts";
import { checkWishLength } from "../permission-text.ts";
import { getTextSetting } from "../settings.ts";
import { defineReader } from "./wire.ts";

export const permissions = ["ask", "allow", "deny"] as const;

const text = v.nullish(v.string());

/** What is remembered of a tool call; the request for permission may leave out what was told before. */
export const ToolCall = v.looseObject({
  toolCallId: v.string(),
  title: text,
  kind: text,
  rawInput: v.optional(v.unknown()),
  locations: v.nullish(v.array(v.looseObject({ path: v.string() }))),
  content: v.nullish(v.array(v.looseObject({ type: v.string(), path: v.optional(v.unknown()) }))),
});
export type ToolCall = v.InferOutput<typeof ToolCall>;

export const PermissionRequest = defineReader<RequestPermissionRequest>()(
  v.looseObject({
    toolCall: ToolCall,
    options: v.array(v.looseObject({ optionId: v.string(), name: v.string(), kind: v.string() })),
  }),
);
export type PermissionRequest = v.InferOutput<typeof PermissionRequest>;
type Option = PermissionRequest["options"][number];

export type ToolVerdict =
  | { readonly may: "allow" | "ask"; readonly tool: string }
  | { readonly may: "deny"; readonly tool: string; readonly why: string };

const reading = ["read", "search", "think"];
const changing = ["edit", "delete", "move"];

/** Whether a tool may be used in this turn. */
export function decideToolUse(tool: ToolCall, turn: TurnRequest): ToolVerdict {
  const name = getToolName(tool);
  const kind = tool.kind ?? "other";
  if (reading.includes(kind)) return { may: "allow", tool: name };
  if (turn.readOnly) return judgeReader(name, kind, turn);
  const isAtHome = changing.includes(kind) && isInside(tool, [turn.worktree, turn.out]);
  if (isAtHome) return { may: "allow", tool: name };
  const may = getPermission(turn, kind);
  if (may === "deny") return { may, tool: name, why: "permission is deny" };
  const tooLong = may === "ask" ? checkWishLength(renderToolCall(tool)) : undefined;
  return tooLong === undefined ? { may, tool: name } : { may: "deny", tool: name, why: tooLong };
}

/** Commands of a reader are safe where a sandbox of ours keeps the worktree from being written; what a command does is not guessed. */
function judgeReader(tool: string, kind: string, { role, confined }: TurnRequest): ToolVerdict {
  if (kind !== "execute") return { may: "deny", tool, why: `a ${role} may only read` };
  if (confined) return { may: "allow", tool };
  return { may: "deny", tool, why: `a ${role} may run commands only in a sandbox, and there is none here` };
}

/** What a reader is told before it begins; prompts let it run commands, and without a sandbox it may not. */
export function describeCommandLimits({ readOnly, confined }: TurnRequest): string {
  if (!readOnly || confined) return "";
  return "\nIn this turn every command is refused, because no sandbox protects the files here. Use your tools that read and search files instead.\n";
}

/** Left out: commands run unasked where a sandbox of ours holds them; everything else is asked about. */
function getPermission({ settings, confined }: TurnRequest, kind: string): (typeof permissions)[number] {
  const given = getTextSetting(settings, "permission");
  const byDefault = confined && kind === "execute" ? "allow" : "ask";
  return permissions.find((one) => one === given) ?? byDefault;
}

/** Whether every path of a call is known and lies in one of the folders. Links are not followed: the tree is compared. */
function isInside({ locations, content }: ToolCall, folders: readonly string[]): boolean {
  const shown = (content ?? []).flatMap(({ path }) => (typeof path === "string" ? [path] : []));
  const paths = [...(locations ?? []).map(({ path }) => path), ...shown];
  const inside = (path: string) =>
    folders.some((folder) =>
      `${resolve(folders[0] ?? "", path)}${sep}`.startsWith(`${resolve(folder)}${sep}`),
    );
  return paths.length > 0 && paths.every(inside);
}

export function getToolName({ title, kind }: ToolCall): string {
  return title || kind || "a tool";
}

const granting: readonly PermissionOptionKind[] = ["allow_once", "allow_always"];
const refusing: readonly PermissionOptionKind[] = ["reject_once", "reject_always"];

/** The narrowest option that grants or refuses, or undefined when the agent offers none. */
export function findNarrowestOption(options: readonly Option[], may: "allow" | "deny"): Option | undefined {
  const kinds = may === "allow" ? granting : refusing;
  return kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
}

export const isGrantingOption = ({ kind }: Option): boolean => granting.some((one) => one === kind);

/** All that is known about what it would do. */
function renderToolCall(tool: ToolCall): string {
  const input = tool.rawInput === undefined ? "" : JSON.stringify(tool.rawInput);
  const paths = (tool.locations ?? []).map(({ path }) => path).join(", ");
  return [input, paths].filter(Boolean).join("\n");
}

/** The question to a human. */
export function buildPermissionQuestion({ options }: PermissionRequest, tool: ToolCall): AgentQuestion {
  const context = renderToolCall(tool);
  return {
    id: "permission",
    question: `May it do this: ${getToolName(tool)} (${tool.kind ?? "other"})?`,
    options: options.map(({ name }) => name),
    ...(context ? { context } : {}),
  };
}

/** The option a human's words mean: its name or its id, with or without more words after a colon; others are a refusal. */
export function findMeantOption(options: readonly Option[], words: string): Option | undefined {
  const plain = (word: string) => word.trim().toLowerCase();
  const named = (said: string) =>
    options.find(({ name, optionId }) => [name, optionId].map(plain).includes(plain(said)));
  return named(words) ?? named(words.split(": ")[0] ?? "") ?? findNarrowestOption(options, "deny");
}
