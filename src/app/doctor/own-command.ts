// Pairflow's own command as others start it: agents in their shells, hooks from an empty environment, and agents'
// programs as an MCP server. What they cannot start, no agent can hand over with.
import { delimiter, dirname, join } from "node:path";
import { type Check, shellWord } from "../host/check.ts";
import { agentEnv } from "../host/environment.ts";
import { packageRoot, selfCommand } from "../host/package-root.ts";
import { type Answer, ask, complaintOf, wordsOf } from "./ask.ts";

/** Node's own start counts in, on a machine that may be busy. */
const limitMs = 10_000;

/** What is left of an environment when a program clears it for its hooks. */
function emptyEnv(): Record<string, string> {
  const { HOME = "/" } = process.env;
  return { HOME, PATH: ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter) };
}

export async function commandCheck(): Promise<Check> {
  const name = "command";
  const own = join(packageRoot(), "bin", "pairflow");
  const ways = [
    { who: "hooks", argv: selfCommand(), env: emptyEnv() },
    { who: "agents", argv: [own], env: agentEnv(process.env) },
  ];
  const answers = await Promise.all(
    ways.map(({ argv, env }) => ask([...argv, "hook", "--help"], { env, limitMs })),
  );
  const failed = answers.findIndex((answer) => !wordsOf(answer)?.includes("pairflow hook"));
  const [way, answer] = [ways[failed], answers[failed]];
  if (!way || !answer) return { name, status: "ok", says: "agents and their hooks can start pairflow" };
  return {
    name,
    status: statusOf(answer),
    says: `${way.who} cannot start pairflow: ${complaintOf(answer)}`,
    fix: `export PATH=${shellWord(dirname(process.execPath))}:"$PATH" && chmod +x ${shellWord(own)}`,
  };
}

/** A machine that is only too busy at the moment can do without an error. */
const statusOf = (answer: Answer): "warning" | "error" =>
  "silent" in answer && answer.silent === "slow" ? "warning" : "error";

const request = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });

/** A whole visit, written at once: the server answers in order and ends with its input. */
const visit = [
  request(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pairflow-doctor", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
  request(2, "tools/list", {}),
];

export async function mcpCheck(): Promise<Check> {
  const name = "mcp";
  const argv = [...selfCommand(), "mcp"];
  const input = visit.map((message) => `${JSON.stringify(message)}\n`).join("");
  const answer = await ask(argv, { env: emptyEnv(), input, limitMs });
  const tools = "silent" in answer ? [] : toolsIn(answer.stdout);
  if (tools.length > 0) return { name, status: "ok", says: `offers ${tools.join(", ")}` };
  return {
    name,
    status: statusOf(answer),
    says: `pairflow mcp offers no tools: ${complaintOf(answer)}`,
    fix: `echo '${JSON.stringify(visit[0])}' | ${argv.map(shellWord).join(" ")}`,
  };
}

/** The names of the tools in the answer to the second request. */
export function toolsIn(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    try {
      const message = JSON.parse(line) as { id?: unknown; result?: { tools?: { name: string }[] } };
      return message.id === 2 ? (message.result?.tools ?? []).map((tool) => tool.name) : [];
    } catch {
      return [];
    }
  });
}
