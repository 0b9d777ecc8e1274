// The server on the wire: the versions of the protocol that agents' CLIs speak, what they are shown, and that standard
// output carries nothing else.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { buildInputSchema } from "../../src/mcp/schemas.ts";
import { tools } from "../../src/mcp/tools.ts";
import { cli } from "../acceptance/rig.ts";
import { openShop, type Shop } from "../helpers/shop.ts";
import { begin, connect } from "./scene.ts";

const root = resolve(import.meta.dirname, "../..");
let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

/** Gives the server these lines and the end of input; every line it printed, and how it ended. */
async function feed(lines: readonly string[]) {
  const child = spawn(process.execPath, [cli, "mcp"], { cwd: shop.repo, env: shop.env });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    // Requests that are under way when input ends are not answered, so it ends after the last answer.
    if (stdout.split("\n").filter(Boolean).length >= answersTo(lines)) child.stdin.end();
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.write(`${lines.join("\n")}\n`);
  if (answersTo(lines) === 0) child.stdin.end();
  const [code] = await once(child, "close");
  return {
    code,
    stderr,
    messages: stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line)),
  };
}

const answersTo = (lines: readonly string[]) => lines.filter((line) => line.includes('"id"')).length;

const request = (id: number, method: string, params: Record<string, unknown> = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const initialize = (protocolVersion: string) =>
  request(1, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "x", version: "1" } });

const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

it.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])("speaks version %s", async (version) => {
  const { code, messages } = await feed([initialize(version), initialized, request(2, "tools/list")]);
  expect(code).toBe(0);
  const [greeting, listed] = messages;
  expect(greeting.result).toMatchObject({ protocolVersion: version, serverInfo: { name: "pairflow" } });
  expect(greeting.result.instructions).toContain("End your turn with exactly one call");
  expect(listed.result.tools).toHaveLength(4);
});

it("speaks version 2026-07-28, which has no greeting", async () => {
  const scene = await begin(shop, "newer");
  const tools = await connect(await scene.turn(), {
    cwd: scene.worktree,
    versions: { mode: { pin: "2026-07-28" } },
  });
  const told = await tools.call("pass", { summary: "Done" });
  await tools.close();
  expect(told.text).toMatch(/^Passed \(line 9\)/);
  expect(scene.last()).toMatchObject({ type: "PASS" });
});

it("shows four tools, each argument explained", async () => {
  const { messages } = await feed([initialize("2025-06-18"), initialized, request(2, "tools/list")]);
  const shape = Object.fromEntries(
    messages[1].result.tools.map((tool: { name: string; inputSchema: Schema }) => {
      unexplained(tool.inputSchema, tool.name);
      return [tool.name, Object.keys(tool.inputSchema.properties ?? {}).join(" ")];
    }),
  );
  expect(shape).toMatchInlineSnapshot(`
    {
      "ask_human": "question options context others refs",
      "converged": "summary answers checked sop_review confidence refs",
      "pass": "summary package disputes no_change checkpoint score paper refs",
      "submit_review": "summary findings answers checked sop_review confidence review converged refs",
    }
  `);
});

it("docs/mcp.md names every tool and every argument", () => {
  const page = readFileSync(join(root, "docs", "mcp.md"), "utf8");
  for (const { name, schema } of tools) {
    expect(page).toContain(`### ${name}`);
    for (const argument of argumentsIn(buildInputSchema(schema)))
      expect(page, name).toMatch(new RegExp(`\\b${argument}\\b`));
  }
});

function argumentsIn({ properties = {}, items }: Schema): string[] {
  const inner = [...Object.values(properties), ...(items ? [items] : [])].flatMap(argumentsIn);
  return [...Object.keys(properties), ...inner];
}

it("the bundles that every turn loads hold nothing of the protocol", () => {
  const holds = (bundle: string) =>
    readFileSync(join(root, "dist", `${bundle}.cjs`), "utf8").includes("tools/list");
  expect({ mcp: holds("mcp"), agent: holds("agent"), read: holds("read") }).toEqual({
    mcp: true,
    agent: false,
    read: false,
  });
});

interface Schema {
  readonly properties?: Record<string, Schema & { description?: string }>;
  readonly items?: Schema;
}

function unexplained({ properties = {} }: Schema, where: string): void {
  for (const [name, { description }] of Object.entries(properties))
    expect(description, `${where}.${name}`).toBeTruthy();
}

it("prints nothing but the protocol, whatever it is sent", async () => {
  const { code, messages } = await feed([
    "this is no JSON",
    initialize("2025-06-18"),
    initialized,
    request(2, "tools/call", { name: "no_such_tool", arguments: {} }),
    request(3, "no/such/method"),
    request(4, "tools/call", { name: "pass", arguments: { summary: "Done" } }),
  ]);
  expect(code).toBe(0);
  for (const message of messages) expect(message.jsonrpc).toBe("2.0");
  const byId = Object.fromEntries(messages.map((message) => [message.id, message]));
  expect(byId[2].error).toMatchObject({ code: -32602, message: expect.stringContaining("no_such_tool") });
  expect(byId[3].error.code).toBe(-32601);
  expect(byId[4].result.isError).toBe(true);
});

it("ends when its standard input ends", async () => {
  const { code, stderr, messages } = await feed([initialized]);
  expect({ code, stderr, messages }).toEqual({ code: 0, stderr: "", messages: [] });
});
