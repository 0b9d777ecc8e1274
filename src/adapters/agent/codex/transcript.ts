// What a session of Codex on its own screen used: after every request of the model, the session's file gets a line with
// the figures of that request alone and of the whole thread.

import type { Usage } from "../../../core/model/record/usage.ts";
import type { TurnTrouble } from "../../../core/model/turn-end.ts";
import { readSessionRecords } from "../session-file.ts";
import { toTurnFailure } from "./failure.ts";
import { toAmount, toFields, toText } from "./wire.ts";

/** The sum over the requests since `since`; undefined when there is none. */
export function readCodexUsage(file: string, since: string): Usage | undefined {
  const counted = [...readSessionRecords(file)].filter(
    (line) => isCount(line) && toText(line.timestamp) >= since,
  );
  const infos = counted
    .map((line) => toFields(toFields(line.payload).info))
    .filter((info) => info.last_token_usage);
  if (infos.length === 0) return undefined;
  const requests = infos.map((info) => toFields(info.last_token_usage));
  const sum = (name: string) => requests.reduce((all, request) => all + toAmount(request[name]), 0);
  const window = toAmount(infos.at(-1)?.model_context_window);
  const full = window > 0 ? toAmount(requests.at(-1)?.total_tokens) / window : undefined;
  return {
    input: sum("input_tokens"),
    cached: sum("cached_input_tokens"),
    output: sum("output_tokens"),
    ...(full === undefined ? {} : { context: Math.min(1, full) }),
  };
}

function isCount(line: Readonly<Record<string, unknown>>): boolean {
  return line.type === "event_msg" && toFields(line.payload).type === "token_count";
}

/** The newest turn of the thread failed: the screen waits, and no hook tells. */
export function readCodexTrouble(file: string, since: string): TurnTrouble | undefined {
  const events = [...readSessionRecords(file)].filter(({ type }) => type === "event_msg");
  const last = events.findLast(({ payload }) =>
    /^task_(?:started|complete)$/.test(toText(toFields(payload).type)),
  );
  const { type, error } = toFields(last?.payload);
  if (type !== "task_complete" || !error || toText(last?.timestamp) < since) return undefined;
  const { message, codex_error_info: info } = toFields(error);
  const at = Date.parse(toText(last?.timestamp));
  const end = toTurnFailure({ error: { message, codexErrorInfo: toCamelCase(info) }, at });
  return end.outcome === "answered" ? undefined : end;
}

/** The file spells in small letters and underscores what the app-server spells in one word. */
function toCamelCase(value: unknown): unknown {
  const word = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  if (typeof value === "string") return word(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [word(name), toCamelCase(inner)]));
}
