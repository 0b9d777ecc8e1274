// The Anthropic Messages API as far as Claude Code uses it: requests with a conversation and tools, answers streamed as
// server-sent events or whole, and failures in the API's own words.
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { Asked, Dialect, Said, ToolCall } from "./model.ts";

interface Block {
  readonly type: string;
  readonly text?: string;
  readonly id?: string;
  readonly name?: string;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: string | readonly Block[];
}

interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly { readonly content: string | readonly Block[] }[];
  readonly tools?: readonly { readonly name: string }[];
}

type Answer = Extract<Said, { text?: string }>;
type Failure = Extract<Said, { error: number }>;

/** What the API calls its failures, where a script does not say. */
const failureTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

export const messages: Dialect = {
  path: "/v1/messages",

  read(given, headers) {
    const body = given as Body;
    // Titles and summaries are asked for without tools.
    if (!body.tools?.length) return undefined;
    const blocks = body.messages.flatMap(({ content }) => blocksOf(content));
    return {
      api: "messages",
      model: body.model,
      texts: blocks.filter(({ type }) => type === "text" || type === "tool_result").map(textOf),
      tools: body.tools.map(({ name }) => name),
      results: resultsIn(blocks),
      headers,
      body,
    };
  },

  async write(response, said, asked) {
    if ("error" in said) return fail(response, said);
    await pause(said.delayMs ?? 0);
    const message = messageOf(said, asked?.model ?? "side");
    if (asked !== undefined && !(asked.body as Body).stream) return whole(response, said, message);
    await stream(response, said, message);
  },
};

function blocksOf(content: string | readonly Block[]): readonly Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function textOf({ text, content = "" }: Block): string {
  return text ?? blocksOf(content).map(textOf).join("\n");
}

function resultsIn(blocks: readonly Block[]): Asked["results"] {
  const names = new Map(blocks.filter(({ type }) => type === "tool_use").map(({ id, name }) => [id, name]));
  return blocks
    .filter(({ type }) => type === "tool_result")
    .map((block) => ({
      tool: names.get(block.tool_use_id) ?? "",
      text: textOf(block),
      failed: block.is_error === true,
    }));
}

/** The message as it is before the first word. */
function messageOf({ calls = [], usage }: Answer, model: string) {
  return {
    start: {
      id: `msg_${randomUUID()}`,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: usage?.input ?? 100, output_tokens: 1 },
    },
    stop: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
    usage: { output_tokens: usage?.output ?? 10 },
  };
}

type Message = ReturnType<typeof messageOf>;

async function stream(response: ServerResponse, said: Answer, message: Message): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "request-id": `req_${randomUUID()}` });
  const tell = (type: string, more: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  tell("message_start", { message: message.start });
  await pause(said.stallMs ?? 0);
  for (const [index, block] of contentOf(said).entries()) {
    tell("content_block_start", { index, content_block: block.empty });
    tell("content_block_delta", { index, delta: block.delta });
    tell("content_block_stop", { index });
  }
  tell("message_delta", { delta: message.stop, usage: message.usage });
  tell("message_stop", {});
  response.end();
}

async function whole(response: ServerResponse, said: Answer, { start, stop, usage }: Message): Promise<void> {
  await pause(said.stallMs ?? 0);
  const content = contentOf(said).map(({ full }) => full);
  response.writeHead(200, { "content-type": "application/json", "request-id": `req_${randomUUID()}` });
  response.end(JSON.stringify({ ...start, content, ...stop, usage: { ...start.usage, ...usage } }));
}

/** Each block of the answer: as it begins, what is added, and as it is in the end. */
function contentOf({ text, calls = [] }: Answer) {
  return [...(text === undefined ? [] : [wordsOf(text)]), ...calls.map(callOf)];
}

function wordsOf(text: string): { empty: object; delta: object; full: object } {
  return {
    empty: { type: "text", text: "" },
    delta: { type: "text_delta", text },
    full: { type: "text", text },
  };
}

function callOf({ tool, input }: ToolCall): { empty: object; delta: object; full: object } {
  const block = { type: "tool_use", id: `toolu_${randomUUID().replaceAll("-", "")}`, name: tool, input: {} };
  return {
    empty: block,
    delta: { type: "input_json_delta", partial_json: JSON.stringify(input) },
    full: { ...block, input },
  };
}

function fail(response: ServerResponse, { error, type, message, headers }: Failure): void {
  const body = { type: "error", error: { type: type ?? failureTypes[error] ?? "api_error", message } };
  response.writeHead(error, {
    "content-type": "application/json",
    "request-id": `req_${randomUUID()}`,
    ...headers,
  });
  response.end(JSON.stringify(body));
}
