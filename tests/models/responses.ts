// The OpenAI Responses API as Codex speaks it: requests read into the common shape, answers written as server-sent
// events. Errors come as a status with a JSON body, or (status 200) as an answer that fails in mid-stream.
import type { ServerResponse } from "node:http";
import type { Asked, Dialect, Said, ToolCall } from "./model.ts";

type Fields = Readonly<Record<string, unknown>>;
type Question = Omit<Asked, "nr">;

export const responses: Dialect = {
  path: "/v1/responses",

  read(body, headers) {
    const request = fields(body);
    if (isAside(request, headers)) return undefined;
    const input = list(request.input);
    return {
      api: "responses",
      model: String(request.model),
      texts: input.flatMap(textsOf),
      tools: offeredIn(request).flatMap(namesOf),
      results: resultsOf(input),
      headers,
      body,
    };
  },

  async write(response, said, asked) {
    if ("error" in said && said.error !== 200) return refuse(response, said);
    if ("delayMs" in said) await pause(said.delayMs, response);
    const headers = "headers" in said ? said.headers : {};
    response.writeHead(200, { "content-type": "text/event-stream", ...headers });
    const id = `resp_${++answers}`;
    send(response, "response.created", { response: { id } });
    if ("error" in said) return fail(response, id, said);
    await pause(said.stallMs, response);
    for (const [index, item] of itemsOf(said, asked, id).entries()) {
      send(response, "response.output_item.done", { output_index: index, item });
    }
    send(response, "response.completed", { response: { id, usage: usageOf(said.usage) } });
    response.end();
  },
};

/** Ids of answers and calls need only differ from one another. */
let answers = 0;

/** Titles, summaries and the like: Codex says in a header what a request is for, and offers them no tools. */
function isAside(request: Fields, headers: Readonly<Record<string, string>>): boolean {
  const metadata = parsed(headers["x-codex-turn-metadata"] ?? "{}");
  if (typeof metadata.request_kind === "string") return metadata.request_kind !== "turn";
  return offeredIn(request).length === 0;
}

/** Tools come with the request, as the conversation's first item, or later as what a search for tools has found. */
function offeredIn(request: Fields): Fields[] {
  const found = list(request.input).filter(
    ({ type }) => type === "tool_search_output" || type === "additional_tools",
  );
  return [...list(request.tools), ...found.flatMap(({ tools }) => list(tools))];
}

function namesOf(tool: Fields): string[] {
  const name = String(tool.name ?? tool.type);
  return tool.type === "namespace" ? list(tool.tools).map((inner) => joined(name, inner)) : [name];
}

/** `mcp__server` and `tool` as one word, as other CLIs spell it. */
function joined(namespace: string, tool: Fields): string {
  return `${namespace}__${String(tool.name)}`;
}

function textsOf(item: Fields): string[] {
  if (item.type === "message") return list(item.content).map((part) => String(part.text ?? ""));
  return isResult(item) ? [resultText(item)] : [];
}

const isResult = (item: Fields) => String(item.type).endsWith("_output");

function resultsOf(input: readonly Fields[]): Question["results"] {
  const calls = input.filter(({ type }) => String(type).endsWith("_call"));
  const names = new Map(calls.map((call) => [call.call_id, calledName(call)]));
  return input.filter(isResult).map((item) => {
    const text = resultText(item);
    const failed = /^(?:Process exited with code|Exit code:) [1-9]/m.test(text);
    return { tool: names.get(item.call_id) ?? "", text, failed };
  });
}

function calledName({ type, name, namespace }: Fields): string {
  const plain = String(name ?? String(type).replace(/_call$/, ""));
  return namespace === undefined ? plain : `${String(namespace)}__${plain}`;
}

function resultText({ output, tools }: Fields): string {
  if (tools !== undefined) return list(tools).flatMap(namesOf).join("\n");
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? list(output) : list(fields(output).content);
  return parts.map((part) => String(part.text ?? "")).join("\n");
}

function itemsOf(said: Exclude<Said, { error: number }>, asked: Question | undefined, id: string): Fields[] {
  const calls = (said.calls ?? []).map((call, index) => callItem(call, asked, `call_${id}_${index}`));
  if (said.text === undefined) return calls;
  const content = [{ type: "output_text", text: said.text, annotations: [] }];
  return [{ type: "message", role: "assistant", id: `msg_${id}`, content }, ...calls];
}

/** A call in the form in which its tool was offered: free text, a search, or JSON; inside a namespace or not. */
function callItem({ tool, input }: ToolCall, asked: Question | undefined, call_id: string): Fields {
  const offered = offeredIn(fields(asked?.body));
  if (tool === "tool_search") {
    return { type: "tool_search_call", call_id, execution: "client", arguments: input };
  }
  const space = offered.find(
    ({ type, name }) => type === "namespace" && tool.startsWith(`${String(name)}__`),
  );
  // Tools of a server are known to Codex before a search has shown them to the model.
  const namespace = space === undefined ? /^mcp__.+?(?=__)/.exec(tool)?.[0] : String(space.name);
  const name = namespace === undefined ? tool : tool.slice(namespace.length + 2);
  const named = { call_id, name, ...(namespace === undefined ? {} : { namespace }) };
  const inside = space === undefined ? offered : list(space.tools);
  return inside.some((one) => one.type === "custom" && one.name === name)
    ? { type: "custom_tool_call", id: `ctc_${call_id}`, ...named, input: String(input) }
    : { type: "function_call", id: `fc_${call_id}`, ...named, arguments: JSON.stringify(input) };
}

function usageOf(
  usage: { readonly input: number; readonly output: number } = { input: 100, output: 10 },
): Fields {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}

function refuse(
  response: ServerResponse,
  { error, type, message, headers }: Extract<Said, { error: number }>,
): void {
  const resets = headers?.["x-resets-at"];
  const until = resets === undefined ? {} : { resets_at: Number(resets), plan_type: "plus" };
  response.writeHead(error, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify({ error: { type, code: type, message, ...until } }));
}

function fail(
  response: ServerResponse,
  id: string,
  { type, message }: Extract<Said, { error: number }>,
): void {
  send(response, "response.failed", { response: { id, status: "failed", error: { code: type, message } } });
  response.end();
}

function send(response: ServerResponse, type: string, event: Fields): void {
  response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...event })}\n\n`);
}

/** Waits, but no longer than the client is there. */
function pause(ms: number | undefined, response: ServerResponse): Promise<void> {
  if (ms === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    response.once("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch {
    return {};
  }
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}
