// The scripted model speaks the Messages API as its clients expect it: streams, tools, failures, and side requests that
// do not count.
import { afterEach, describe, expect, test } from "vitest";
import type { Model } from "./model.ts";
import { type ModelServer, startModelServer } from "./server.ts";

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const tools = [{ name: "Bash" }, { name: "Read" }];

async function post(model: Model, body: object): Promise<Response> {
  server ??= await startModelServer(model);
  return fetch(`${server.url}/v1/messages?beta=true`, { method: "POST", body: JSON.stringify(body) });
}

function eventsIn(stream: string): { type: string; [field: string]: unknown }[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
}

describe("the scripted model behind the Messages API", () => {
  test("streams words and tool calls as events", async () => {
    const said = {
      text: "Look.",
      calls: [{ tool: "Bash", input: { command: "ls" } }],
      usage: { input: 7, output: 3 },
    };
    const response = await post(() => said, { model: "m", stream: true, tools, messages: [] });
    const events = eventsIn(await response.text());
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      ...["content_block_start", "content_block_delta", "content_block_stop"],
      ...["message_delta", "message_stop"],
    ]);
    expect(events[2]).toMatchObject({ index: 0, delta: { text: "Look." } });
    expect(events[4]).toMatchObject({ index: 1, content_block: { type: "tool_use", name: "Bash" } });
    expect(events[5]).toMatchObject({ delta: { partial_json: '{"command":"ls"}' } });
    expect(events[7]).toMatchObject({ delta: { stop_reason: "tool_use" }, usage: { output_tokens: 3 } });
  });

  test("answers whole where no stream was asked for", async () => {
    const response = await post(() => ({ text: "Hello." }), { model: "m", tools, messages: [] });
    expect(await response.json()).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "Hello." }],
      stop_reason: "end_turn",
    });
  });

  test("understands the conversation: texts, tools, and results by the name of their tool", async () => {
    const messages = [
      { role: "user", content: "Do it." },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "Bash", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t1", is_error: true, content: [{ type: "text", text: "no" }] },
        ],
      },
    ];
    await post(() => ({ text: "" }), { model: "m", tools, messages });
    expect(server?.asked).toMatchObject([
      {
        api: "messages",
        nr: 1,
        model: "m",
        texts: ["Do it.", "no"],
        tools: ["Bash", "Read"],
        results: [{ tool: "Bash", text: "no", failed: true }],
      },
    ]);
  });

  test("fails in the API's own words, with the headers of the script", async () => {
    const response = await post(() => ({ error: 429, message: "slow", headers: { "retry-after": "7" } }), {
      ...{ model: "m", tools, messages: [] },
    });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("7");
    expect(await response.json()).toEqual({
      type: "error",
      error: { type: "rate_limit_error", message: "slow" },
    });
  });

  test("answers requests without tools by itself and does not count them", async () => {
    const response = await post(
      () => {
        throw new Error("never asked");
      },
      { model: "m", stream: true, messages: [{ role: "user", content: "A title, please." }] },
    );
    expect(response.status).toBe(200);
    expect(server?.asked).toEqual([]);
  });

  test("stalls after the first event, and is closed all the same", async () => {
    const response = await post(() => ({ text: "late", stallMs: 600_000 }), {
      ...{ model: "m", stream: true, tools, messages: [] },
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain("message_start");
    await server?.close();
    await expect(reader?.read()).rejects.toThrow();
  });

  test("names the tree of the newest prompt where the script leaves it open", async () => {
    const [older, newer] = ["a".repeat(40), "b".repeat(40)];
    const messages = [
      `# one\n\nTree ${older}\n`,
      `\`tree\` is the id of the tree you judged: \`${newer}\`.`,
    ].map((content) => ({ role: "user", content }));
    const said = {
      text: "{{tree}}",
      calls: [{ tool: "Read", input: { tree: "{{tree}}", more: ["of {{tree}}"] } }],
    };
    const response = await post(() => said, { model: "m", tools, messages });
    expect(await response.json()).toMatchObject({
      content: [{ text: newer }, { input: { tree: newer, more: [`of ${newer}`] } }],
    });
  });

  test("tells a script that throws from a model that fails", async () => {
    const response = await post(
      () => {
        throw new Error("wrong script");
      },
      { model: "m", tools, messages: [] },
    );
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("wrong script");
  });

  test("is there for whoever only looks, and has nothing else", async () => {
    server = await startModelServer(() => ({}));
    expect((await fetch(server.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${server.url}/v1/nothing`, { method: "POST", body: "{}" })).status).toBe(404);
  });
});
