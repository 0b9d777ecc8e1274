// The Agent Client Protocol on the wire: JSON-RPC, one message a line. Methods, parameters and results are typed by the
// protocol's own SDK, so a message that the protocol does not know fails to compile. The SDK's connection is not used:
// it answers some microtasks later, and a driver that reads an output file again must get the same words in the same
// order at once (promises C1 and C2 of the port).

import type {
  AgentNotificationParamsByMethod,
  AgentRequestMethod,
  AgentRequestParamsByMethod,
  ClientRequestMethod,
  ClientRequestResponsesByMethod,
} from "@agentclientprotocol/sdk";
import * as v from "valibot";
import { tryParseJson } from "../../../core/text/json.ts";

export type RequestId = number | string | null;

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type IncomingMessage =
  | { readonly kind: "result"; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: "error"; readonly id: RequestId; readonly error: WireError }
  | { readonly kind: "request"; readonly id: RequestId; readonly method: string; readonly params: unknown }
  | { readonly kind: "notification"; readonly method: string; readonly params: unknown };

const id = v.nullable(v.union([v.number(), v.string()]));
const Failed = v.looseObject({
  id,
  error: v.looseObject({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) }),
});
const Answered = v.looseObject({ id, result: v.unknown() });
const Asked = v.looseObject({ id, method: v.string(), params: v.optional(v.unknown()) });
const Told = v.looseObject({ method: v.string(), params: v.optional(v.unknown()) });

/** One line as a message; undefined for anything else, such as a line of log that an agent prints among its messages. */
export function parseMessage(line: string): IncomingMessage | undefined {
  const value = tryParseJson(line);
  if (v.is(Asked, value))
    return { kind: "request", id: value.id, method: value.method, params: value.params };
  if (v.is(Told, value))
    return "id" in value ? undefined : { kind: "notification", method: value.method, params: value.params };
  if (v.is(Failed, value)) return { kind: "error", id: value.id, error: value.error };
  if (v.is(Answered, value) && "result" in value)
    return { kind: "result", id: value.id, result: value.result };
  return undefined;
}

/** The methods of the agent that are asked here. */
export type Method = AgentRequestMethod;

export function formatRequest<M extends Method>(
  id: number,
  method: M,
  params: AgentRequestParamsByMethod[M],
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

/** A request that no agent knows: whatever it answers, everything it said before has arrived. */
export function formatEcho(id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "_pairflow/echo", params: {} });
}

export function formatNotification<M extends keyof AgentNotificationParamsByMethod>(
  method: M,
  params: AgentNotificationParamsByMethod[M],
): string {
  return JSON.stringify({ jsonrpc: "2.0", method, params });
}

/** The answer to a request of the agent. */
export function formatResult<M extends ClientRequestMethod>(
  id: RequestId,
  _method: M,
  result: ClientRequestResponsesByMethod[M],
): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

/** The code of JSON-RPC for a method that is not offered. */
export function formatNotOffered(id: RequestId, method: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: `${method} is not offered` } });
}

/** A reader of one kind of message: it takes every message that the protocol's own type allows, or does not compile. */
export function defineReader<Message>() {
  return <Reader extends v.GenericSchema>(reader: Message extends v.InferInput<Reader> ? Reader : never) =>
    reader;
}
