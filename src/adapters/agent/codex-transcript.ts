// What a session of Codex on its own screen used: after every request of the model, the session's file gets a line with
// the figures of that request alone and of the whole thread.
import type { Usage } from "../../core/model/usage.ts";
import { records } from "./session-file.ts";

interface Written {
  readonly type?: unknown;
  readonly timestamp?: unknown;
  readonly payload?: { readonly type?: unknown; readonly info?: unknown };
}

interface Counted {
  readonly last_token_usage?: Readonly<Record<string, unknown>>;
  readonly model_context_window?: unknown;
}

/** The sum over the requests since `since`; undefined when there is none. */
export function codexTranscriptUsage(file: string, since: string): Usage | undefined {
  let sum: Usage | undefined;
  for (const { type, timestamp, payload } of records<Written>(file)) {
    if (type !== "event_msg" || payload?.type !== "token_count") continue;
    if (typeof timestamp !== "string" || timestamp < since) continue;
    const { last_token_usage: last, model_context_window: window } = (payload.info ?? {}) as Counted;
    if (!last) continue;
    const count = (name: string) => (typeof last[name] === "number" ? (last[name] as number) : 0);
    const full = typeof window === "number" && window > 0 ? count("total_tokens") / window : undefined;
    sum = {
      input: (sum?.input ?? 0) + count("input_tokens"),
      cached: (sum?.cached ?? 0) + count("cached_input_tokens"),
      output: (sum?.output ?? 0) + count("output_tokens"),
      ...(full === undefined ? {} : { context: Math.min(1, full) }),
    };
  }
  return sum;
}
