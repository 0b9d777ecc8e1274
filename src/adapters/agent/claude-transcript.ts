// What a session of Claude Code on its own screen used: the screen prints no figures, the session's file has them with
// every message of the model.
import type { Usage } from "../../core/model/usage.ts";
import { records } from "./session-file.ts";

interface Written {
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly message?: { readonly id?: unknown; readonly usage?: Readonly<Record<string, unknown>> };
}

/** The sum over the messages since `since`; undefined when there is none. */
export function claudeTranscriptUsage(file: string, since: string): Usage | undefined {
  // A message is written once for each of its parts, and the last one has the figures that hold.
  const messages = new Map<string, Usage>();
  for (const line of records(file)) {
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
