// Pairflow's own command as others start it: agents in their shells, hooks from an empty environment, and agents'
// programs as an MCP server. What they cannot start, no agent can hand over with.
import { delimiter, dirname, join } from "node:path";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { type Check, reportOk } from "../host/check.ts";
import { buildAgentEnv } from "../host/environment.ts";
import { findPackageRoot, getSelfCommand } from "../host/package-root.ts";
import { ask, describeMissingAnswer, getStdout, type ProgramAnswer } from "./ask.ts";

/** Node's own start counts in, on a machine that may be busy. */
const limitMs = 10_000;

/** What is left of an environment when a program clears it for its hooks. */
function buildEmptyEnv(): Record<string, string> {
  const { HOME = "/" } = process.env;
  return { HOME, PATH: ["/usr/local/bin", "/usr/bin", "/bin"].join(delimiter) };
}

export async function checkOwnCommand(): Promise<Check> {
  const name = "command";
  const own = join(findPackageRoot(), "bin", "pairflow");
  const ways = [
    { who: "hooks", argv: getSelfCommand(), env: buildEmptyEnv() },
    { who: "agents", argv: [own], env: buildAgentEnv(process.env) },
  ];
  const answers = await Promise.all(
    ways.map(({ argv, env }) => ask([...argv, "hook", "--help"], { env, limitMs })),
  );
  const failed = answers.findIndex((answer) => !getStdout(answer)?.includes("pairflow hook"));
  const [way, answer] = [ways[failed], answers[failed]];
  if (!way || !answer) return reportOk(name, "agents and their hooks can start pairflow");
  return {
    name,
    status: getStatus(answer),
    says: `${way.who} cannot start pairflow: ${describeMissingAnswer(answer)}`,
    fix: `export PATH=${quoteShellWord(dirname(process.execPath))}:"$PATH" && chmod +x ${quoteShellWord(own)}`,
  };
}

/** A machine that is only too busy at the moment can do without an error. */
const getStatus = (answer: ProgramAnswer): "warning" | "error" =>
  "silent" in answer && answer.silent === "slow" ? "warning" : "error";

const buildRequest = (id: number, method: string, params: object) => ({ jsonrpc: "2.0", id, method, params });

/** A whole visit, written at once: the server answers in order and ends with its input. */
const visit = [
  buildRequest(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "pairflow-doctor", version: "1" },
  }),
  { jsonrpc: "2.0", method: "notifications/initialized" },
  buildRequest(2, "tools/list", {}),
];

export async function checkMcp(): Promise<Check> {
  const name = "mcp";
  const argv = [...getSelfCommand(), "mcp"];
  const input = visit.map((message) => `${JSON.stringify(message)}\n`).join("");
  const answer = await ask(argv, { env: buildEmptyEnv(), input, limitMs });
  const tools = "silent" in answer ? [] : listToolNames(answer.stdout);
  if (tools.length > 0) return reportOk(name, `offers ${tools.join(", ")}`);
  return {
    name,
    status: getStatus(answer),
    says: `pairflow mcp offers no tools: ${describeMissingAnswer(answer)}`,
    fix: `echo '${JSON.stringify(visit[0])}' | ${argv.map(quoteShellWord).join(" ")}`,
  };
}

/** The names of the tools in the answer to the second request. */
export function listToolNames(output: string): string[] {
  return output.split("\n").flatMap((line) => {
    try {
      const message = JSON.parse(line) as { id?: unknown; result?: { tools?: { name: string }[] } };
      return message.id === 2 ? (message.result?.tools ?? []).map((tool) => tool.name) : [];
    } catch {
      return [];
    }
  });
}
