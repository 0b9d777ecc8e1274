// The scripted model over the OpenAI Responses API: how a request is read, and what goes over the wire.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Said } from "./model.ts";
import { responses } from "./responses.ts";
import { type ModelServer, startModelServer } from "./server.ts";

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });
const tools = [
  { type: "function", name: "exec_command" },
  { type: "custom", name: "apply_patch" },
  { type: "namespace", name: "mcp__files", tools: [{ type: "function", name: "read" }] },
  { type: "tool_search" },
];

describe("a request", () => {
  test("is read with its texts, tools and results in order", () => {
    const input = [
      user("Do it."),
      { type: "function_call", call_id: "1", name: "exec_command", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: "Process exited with code 3\nOutput:\nno" },
      { type: "function_call", call_id: "2", name: "read", namespace: "mcp__files", arguments: "{}" },
      { type: "function_call_output", call_id: "2", output: [{ type: "input_text", text: "the file" }] },
      { type: "tool_search_call", call_id: "3", arguments: {} },
      {
        type: "tool_search_output",
        call_id: "3",
        tools: [{ type: "namespace", name: "more", tools: [{ name: "x" }] }],
      },
    ];
    expect(responses.read({ model: "m", input, tools }, {})).toMatchObject({
      api: "responses",
      model: "m",
      texts: ["Do it.", "Process exited with code 3\nOutput:\nno", "the file", "more__x"],
      tools: ["exec_command", "apply_patch", "mcp__files__read", "tool_search", "more__x"],
      results: [
        { tool: "exec_command", failed: true },
        { tool: "mcp__files__read", text: "the file", failed: false },
        { tool: "tool_search", text: "more__x", failed: false },
      ],
    });
  });

  test("may bring its tools inside the conversation", () => {
    const input = [{ type: "additional_tools", role: "developer", tools }, user("Do it.")];
    expect(responses.read({ model: "m", input }, {})?.tools).toContain("exec_command");
  });

  test("for a title or a summary is beside the point", () => {
    const kind = (request_kind: string) => ({ "x-codex-turn-metadata": JSON.stringify({ request_kind }) });
    const body = { model: "m", input: [user("Name it.")] };
    expect(responses.read({ ...body, tools }, kind("compaction"))).toBeUndefined();
    expect(responses.read(body, {})).toBeUndefined();
    expect(responses.read({ ...body, tools }, {})).toBeDefined();
    expect(responses.read(body, kind("turn"))).toBeDefined();
  });
});

describe("an answer", () => {
  let server: ModelServer;
  let said: Said = {};

  beforeEach(async () => {
    server = await startModelServer(() => said);
  });
  afterEach(() => server.close());

  async function ask(says: Said, signal?: AbortSignal): Promise<Response> {
    said = says;
    const body = JSON.stringify({ model: "m", input: [user("Do it.")], tools });
    return fetch(`${server.url}/v1/responses`, { method: "POST", body, ...(signal ? { signal } : {}) });
  }

  async function events(says: Said): Promise<Record<string, unknown>[]> {
    const text = await (await ask(says)).text();
    return [...text.matchAll(/^data: (.*)$/gm)].map(
      ([, data]) => JSON.parse(data ?? "") as Record<string, unknown>,
    );
  }

  test("is created, done piece by piece, and completed with its usage", async () => {
    const call = { tool: "exec_command", input: { cmd: "ls" } };
    const all = await events({ text: "Hello", calls: [call], usage: { input: 7, output: 3 } });
    expect(all).toMatchObject([
      { type: "response.created" },
      { type: "response.output_item.done", item: { type: "message", content: [{ text: "Hello" }] } },
      { type: "response.output_item.done", item: { type: "function_call", arguments: '{"cmd":"ls"}' } },
      {
        type: "response.completed",
        response: { usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 } },
      },
    ]);
  });

  test.each([
    ["apply_patch", "text", { type: "custom_tool_call", name: "apply_patch", input: "text" }],
    ["mcp__files__read", {}, { type: "function_call", namespace: "mcp__files", name: "read" }],
    ["mcp__hidden__pass", {}, { type: "function_call", namespace: "mcp__hidden", name: "pass" }],
    ["tool_search", { query: "x" }, { type: "tool_search_call", arguments: { query: "x" } }],
  ])("calls %s in the form in which it was offered", async (tool, input, item) => {
    expect((await events({ calls: [{ tool, input }] }))[1]).toMatchObject({ item });
  });

  test("fails with a status and the API's own words", async () => {
    const headers = { "x-resets-at": "1794986910" };
    const response = await ask({ error: 429, type: "usage_limit_reached", message: "Used up", headers });
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({
      error: {
        ...{ type: "usage_limit_reached", code: "usage_limit_reached", message: "Used up" },
        ...{ resets_at: 1794986910, plan_type: "plus" },
      },
    });
  });

  test("fails in mid-stream when the status is 200", async () => {
    expect(await events({ error: 200, type: "context_length_exceeded", message: "Too long" })).toMatchObject([
      { type: "response.created" },
      {
        type: "response.failed",
        response: { error: { code: "context_length_exceeded", message: "Too long" } },
      },
    ]);
  });

  test("stalls after its first event until the client goes away", async () => {
    const leaving = new AbortController();
    const response = await ask({ text: "late", stallMs: 600_000 }, leaving.signal);
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain("response.created");
    leaving.abort();
    await expect(reader?.read()).rejects.toThrow();
    // The server is free again.
    expect(await events({ text: "now" })).toHaveLength(3);
  });
});
