// What a session of Codex on its own screen used: after every request of the model, the session's file gets a line with
// the figures of that request alone and of the whole thread.
import type { Usage } from "../../core/model/usage.ts";
import { amount, fields, text } from "./codex-wire.ts";
import { records } from "./session-file.ts";

/** The sum over the requests since `since`; undefined when there is none. */
export function codexTranscriptUsage(file: string, since: string): Usage | undefined {
  const counted = [...records(file)].filter((line) => isCount(line) && text(line.timestamp) >= since);
  const infos = counted
    .map((line) => fields(fields(line.payload).info))
    .filter((info) => info.last_token_usage);
  if (infos.length === 0) return undefined;
  const requests = infos.map((info) => fields(info.last_token_usage));
  const sum = (name: string) => requests.reduce((all, request) => all + amount(request[name]), 0);
  const window = amount(infos.at(-1)?.model_context_window);
  const full = window > 0 ? amount(requests.at(-1)?.total_tokens) / window : undefined;
  return {
    input: sum("input_tokens"),
    cached: sum("cached_input_tokens"),
    output: sum("output_tokens"),
    ...(full === undefined ? {} : { context: Math.min(1, full) }),
  };
}

function isCount(line: Readonly<Record<string, unknown>>): boolean {
  return line.type === "event_msg" && fields(line.payload).type === "token_count";
}
