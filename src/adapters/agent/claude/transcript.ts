// What a session of Claude Code on its own screen used: the screen prints no figures, the session's file has them with
// every message of the model.

import type { Usage } from "../../../core/model/record/usage.ts";
import type { TurnTrouble } from "../../../core/model/turn-end.ts";
import { readSessionRecords } from "../session-file.ts";
import { endOfApiError } from "./end.ts";

interface Written {
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly isApiErrorMessage?: unknown;
  readonly error?: unknown;
  readonly message?: {
    readonly id?: unknown;
    readonly usage?: Readonly<Record<string, unknown>>;
    readonly content?: unknown;
  };
}

/** The sum over the messages since `since`; undefined when there is none. */
export function readClaudeUsage(file: string, since: string): Usage | undefined {
  // A message is written once for each of its parts, and the last one has the figures that hold.
  const messages = new Map<string, Usage>();
  for (const line of readSessionRecords(file)) {
    const { type, timestamp, message } = line as Written;
    if (type !== "assistant" || typeof timestamp !== "string" || timestamp < since) continue;
    if (typeof message?.id !== "string" || !message.usage) continue;
    const { usage } = message;
    const count = (name: string) => (typeof usage[name] === "number" ? (usage[name] as number) : 0);
    const cached = count("cache_read_input_tokens");
    const input = count("input_tokens") + count("cache_creation_input_tokens") + cached;
    messages.set(message.id, { input, cached, output: count("output_tokens") });
  }
  if (messages.size === 0) return undefined;
  const all = [...messages.values()];
  return {
    input: all.reduce((sum, { input }) => sum + input, 0),
    cached: all.reduce((sum, { cached = 0 }) => sum + cached, 0),
    output: all.reduce((sum, { output }) => sum + output, 0),
  };
}

/** The newest message is no message of the model but an error of its provider: the screen waits, and no hook tells. */
export function readClaudeTrouble(file: string, since: string): TurnTrouble | undefined {
  const spoken = [...readSessionRecords(file)].filter(({ type }) => type === "assistant" || type === "user");
  const last = spoken.at(-1) as Written | undefined;
  if (last?.isApiErrorMessage !== true || String(last.timestamp) < since) return undefined;
  const content = Array.isArray(last.message?.content) ? last.message.content : [];
  const words = content.map((part: { text?: unknown }) => String(part.text ?? "")).join(" ");
  return endOfApiError(typeof last.error === "string" ? last.error : undefined, words);
}
