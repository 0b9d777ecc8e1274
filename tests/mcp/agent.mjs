// An agent that has no shell: each of its turns writes a file or none, and hands over by one call of a tool.
//   node agent.mjs <turns.json>
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const file = process.argv[2];
const done = existsSync(`${file}.done`) ? Number(readFileSync(`${file}.done`, "utf8")) : 0;
const { write, tool, args } = JSON.parse(readFileSync(file, "utf8"))[done];
for (const [path, text] of Object.entries(write ?? {})) writeFileSync(path, text);

const client = new Client({ name: "agent", version: "1" });
const command = join(import.meta.dirname, "..", "..", "bin", "pairflow");
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [command, "mcp"], env: process.env }),
);
const { content, isError } = await client.callTool({ name: tool, arguments: args });
await client.close();
writeFileSync(`${file}.done`, String(done + 1));
process.stderr.write(`${isError ? "refused" : "accepted"}: ${content[0].text}\n`);
