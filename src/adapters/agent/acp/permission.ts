// What an agent may do when it asks: reading always; changing files inside its worktree unless the turn may only read;
// anything else as the setting `permission` says. An agent that does not ask is not held back here.

import { resolve, sep } from "node:path";
import type { PermissionOptionKind, RequestPermissionRequest } from "@agentclientprotocol/sdk";
import * as v from "valibot";
import type { Asking } from "../../../core/model/outcome.ts";
import type { TurnRequest } from "../../../ports/agent.ts";
import { textSetting } from "../settings.ts";
import { tooLongToShow } from "../shown-wish.ts";
import { readerOf } from "./wire.ts";

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

export const PermissionRequest = readerOf<RequestPermissionRequest>()(
  v.looseObject({
    toolCall: ToolCall,
    options: v.array(v.looseObject({ optionId: v.string(), name: v.string(), kind: v.string() })),
  }),
);
export type PermissionRequest = v.InferOutput<typeof PermissionRequest>;
type Option = PermissionRequest["options"][number];

export type Verdict =
  | { readonly may: "allow" | "ask"; readonly tool: string }
  | { readonly may: "deny"; readonly tool: string; readonly why: string };

const reading = ["read", "search", "think"];
const changing = ["edit", "delete", "move"];

/** Whether a tool may be used in this turn. */
export function verdictOn(tool: ToolCall, turn: TurnRequest): Verdict {
  const name = nameOf(tool);
  const kind = tool.kind ?? "other";
  if (reading.includes(kind)) return { may: "allow", tool: name };
  if (turn.readOnly) return { may: "deny", tool: name, why: `a ${turn.role} may only read` };
  const isAtHome = changing.includes(kind) && isInside(tool, [turn.worktree, turn.out]);
  if (isAtHome) return { may: "allow", tool: name };
  const may = permissionOf(turn);
  if (may === "deny") return { may, tool: name, why: "permission is deny" };
  const tooLong = may === "ask" ? tooLongToShow(wholeCall(tool)) : undefined;
  return tooLong === undefined ? { may, tool: name } : { may: "deny", tool: name, why: tooLong };
}

function permissionOf({ settings }: TurnRequest): (typeof permissions)[number] {
  const given = textSetting(settings, "permission");
  return permissions.find((one) => one === given) ?? "ask";
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

export function nameOf({ title, kind }: ToolCall): string {
  return title || kind || "a tool";
}

const granting: readonly PermissionOptionKind[] = ["allow_once", "allow_always"];
const refusing: readonly PermissionOptionKind[] = ["reject_once", "reject_always"];

/** The narrowest option that grants or refuses, or undefined when the agent offers none. */
export function optionFor(options: readonly Option[], may: "allow" | "deny"): Option | undefined {
  const kinds = may === "allow" ? granting : refusing;
  return kinds
    .map((kind) => options.find((option) => option.kind === kind))
    .find((option) => option !== undefined);
}

export const isGrant = ({ kind }: Option): boolean => granting.some((one) => one === kind);

/** All that is known about what it would do. */
function wholeCall(tool: ToolCall): string {
  const input = tool.rawInput === undefined ? "" : JSON.stringify(tool.rawInput);
  const paths = (tool.locations ?? []).map(({ path }) => path).join(", ");
  return [input, paths].filter(Boolean).join("\n");
}

/** The question to a human. */
export function askedFor({ options }: PermissionRequest, tool: ToolCall): Asking {
  const context = wholeCall(tool);
  return {
    id: "permission",
    question: `May it do this: ${nameOf(tool)} (${tool.kind ?? "other"})?`,
    options: options.map(({ name }) => name),
    ...(context ? { context } : {}),
  };
}

/** The option a human's words mean: its name or its id, with or without more words after a colon; others are a refusal. */
export function optionMeant(options: readonly Option[], words: string): Option | undefined {
  const plain = (word: string) => word.trim().toLowerCase();
  const named = (said: string) =>
    options.find(({ name, optionId }) => [name, optionId].map(plain).includes(plain(said)));
  return named(words) ?? named(words.split(": ")[0] ?? "") ?? optionFor(options, "deny");
}
