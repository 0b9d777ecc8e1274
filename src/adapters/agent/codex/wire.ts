// The wire of Codex's app-server: JSON lines, each a reply to us, a request to us, or news. Ids of our own requests are
// fixed, so that a conversation read again says the same lines.
import { tryParseJson } from "../../../core/text/json.ts";

type Fields = Readonly<Record<string, unknown>>;

export type { Fields };

export type Heard =
  | { readonly kind: "reply"; readonly id: number; readonly result: Fields; readonly error?: string }
  | {
      readonly kind: "request";
      readonly id: string | number;
      readonly method: string;
      readonly params: Fields;
    }
  | { readonly kind: "news"; readonly method: string; readonly params: Fields; readonly at: number };

/** Our requests of a turn, in the order in which they are made; what is put in later counts on from `steer`. */
export const ids = { initialize: 1, thread: 2, turn: 3, interrupt: 4, steer: 100 } as const;

/** A line understood, or undefined: other programs may print into the same output. */
export function readCodexLine(line: string): Heard | undefined {
  const message = toFields(tryParseJson(line));
  const { id, method } = message;
  if (typeof method === "string") {
    const params = toFields(message.params);
    if (typeof id === "string" || typeof id === "number") return { kind: "request", id, method, params };
    return { kind: "news", method, params, at: toAmount(message.emittedAtMs) };
  }
  if (typeof id !== "number") return undefined;
  const error = message.error === undefined ? {} : { error: toText(toFields(message.error).message) };
  return { kind: "reply", id, result: toFields(message.result), ...error };
}

export function formatCodexRequest(id: number, method: string, params: Fields): string {
  return JSON.stringify({ id, method, params });
}

export function formatCodexNotification(method: string): string {
  return JSON.stringify({ method });
}

export function formatCodexReply(id: string | number, result: Fields): string {
  return JSON.stringify({ id, result });
}

/** For what only other clients can do. */
export function formatCodexRefusal(id: string | number, method: string): string {
  return JSON.stringify({ id, error: { code: -32601, message: `${method} is not possible here` } });
}

export function toFields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(toFields) : [];
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function toAmount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : 0;
}
