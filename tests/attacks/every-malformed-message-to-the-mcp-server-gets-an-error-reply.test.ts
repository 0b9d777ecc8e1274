// A client that waits for an answer must get one: to what is no JSON, to what is no message, and to what comes too early.
import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli } from "../acceptance/rig.ts";

interface Reply {
  readonly id: string | number | null;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: unknown;
}

/** One server, asked line by line. */
function server() {
  const env = { PATH: process.env.PATH ?? "", HOME: tmpdir() };
  const child = spawn(process.execPath, [cli, "mcp"], { cwd: tmpdir(), env });
  const replies: Reply[] = [];
  const waiting: (() => void)[] = [];
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    replies.push(...lines.map((line) => JSON.parse(line)));
    for (const look of waiting.splice(0)) look();
  });
  return {
    async says(...lines: string[]): Promise<Reply | undefined> {
      const before = replies.length;
      child.stdin.write(`${lines.join("\n")}\n`);
      while (replies.length === before) await new Promise<void>((look) => waiting.push(look));
      return replies[before];
    },
    get count() {
      return replies.length;
    },
    close: () => child.kill(),
  };
}

const message = (fields: object) => JSON.stringify({ jsonrpc: "2.0", ...fields });
const ping = (id: unknown) => message({ id, method: "ping" });
const initialize = message({
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "x", version: "1" } },
});

let mcp: ReturnType<typeof server>;
beforeAll(() => {
  mcp = server();
});
afterAll(() => mcp.close());

describe("before it was introduced, a client", () => {
  it("that asks for tools is told to introduce itself", async () => {
    const reply = await mcp.says(message({ id: 1, method: "tools/list" }));
    expect(reply).toMatchObject({
      id: 1,
      error: { code: -32600, message: expect.stringContaining("initialize") },
    });
  });

  it("cannot hand anything over", async () => {
    const call = { id: 2, method: "tools/call", params: { name: "pass", arguments: { summary: "x" } } };
    expect(await mcp.says(message(call))).toMatchObject({ id: 2, error: { code: -32600 } });
  });

  it("may ask whether somebody is there, and introduce itself", async () => {
    expect(await mcp.says(ping(3))).toMatchObject({ id: 3, result: {} });
    expect(await mcp.says(initialize)).toMatchObject({
      id: "hello",
      result: { serverInfo: { name: "pairflow" } },
    });
    expect(await mcp.says(message({ id: 4, method: "tools/list" }))).toMatchObject({ id: 4, result: {} });
  });
});

describe("a line that is no message", () => {
  const deep = (levels: number) =>
    message({ id: 5, method: "tools/call", params: { name: "pass", arguments: { paper: "@" } } }).replace(
      '"@"',
      `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`,
    );
  it.each([
    ["prose", "this is no JSON", -32700, null],
    ["a message that breaks off", '{"jsonrpc":"2.0","id":7,"meth', -32700, null],
    ["a number", "42", -32600, null],
    ["null", "null", -32600, null],
    ["an empty batch", "[]", -32600, null],
    ["a batch", `[${ping(7)},${ping(8)}]`, -32600, null],
    ["no version", '{"id":9,"method":"ping"}', -32600, 9],
    ["another version", '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, "a"],
    ["a method that is no text", message({ id: 10, method: 5 }), -32600, 10],
    ["no method", message({ id: 11 }), -32600, 11],
    ["an id that is an object", message({ id: {}, method: "ping" }), -32600, null],
    ["an id that is null", ping(null), -32600, null],
    ["an id that is a fraction", ping(1.5), -32600, null],
    ["a field that nobody knows", message({ id: 12, method: "ping", also: 1 }), -32600, 12],
    ["params in a list", message({ id: 13, method: "tools/call", params: [1] }), -32602, 13],
    ["meta that is a text", message({ id: 14, method: "ping", params: { _meta: "x" } }), -32602, 14],
    ["arguments that are nested without end", deep(20_000), -32600, null],
    ["a line without end", "x".repeat(9 * 1024 * 1024), -32600, null],
  ])("%s is answered with an error", async (_, line, code, id) => {
    expect(await mcp.says(line)).toMatchObject({
      jsonrpc: "2.0",
      id,
      error: { code, message: expect.any(String) },
    });
    const count = mcp.count;
    expect(await mcp.says(ping("still there"))).toMatchObject({ id: "still there", result: {} });
    expect(mcp.count).toBe(count + 1);
  });

  it("an empty line and an answer to nothing are passed over", async () => {
    const reply = await mcp.says("", "   ", message({ id: 99, result: {} }), ping("next"));
    expect(reply).toMatchObject({ id: "next" });
  });
});
