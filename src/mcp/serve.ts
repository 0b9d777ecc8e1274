// The MCP server on standard input and output: the agent verbs as tools, so that an agent needs no shell and no
// quoting, and one whose sandbox keeps the record out of its reach can hand over at all.
import { type CallToolResult, McpServer, type StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type CallSurroundings, call, noteKnownTools } from "./call.ts";
import { instructions } from "./instructions.ts";
import { buildInputSchema } from "./schemas.ts";
import { type Tool, tools } from "./tools.ts";
import { filterInput, longestLine } from "./wire.ts";

export interface ServerSurroundings extends CallSurroundings {
  readonly version: string;
  /** Trouble in the words that the command line prints. */
  explain(error: unknown): string;
  /** Narration for the program that started the server; standard output belongs to the protocol. */
  say(line: string): void;
}

/** Serves until standard input ends. What went wrong in a call is reported to the caller; it never ends the server. */
export function serve(serving: ServerSurroundings): void {
  const input = filterInput(process.stdin, (reply) => {
    serving.say(`mcp: ${reply.error.message}`);
    process.stdout.write(`${JSON.stringify(reply)}\n`);
  });
  // Characters may take up to four bytes.
  const transport = new StdioServerTransport(input, process.stdout, { maxBufferSize: 5 * longestLine });
  serveStdio(() => buildServer(serving), {
    transport,
    onerror: (error) => serving.say(`mcp: ${error.message}`),
  });
}

function buildServer(serving: ServerSurroundings): McpServer {
  const server = new McpServer({ name: "pairflow", version: serving.version }, { instructions });
  for (const tool of tools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.about,
        inputSchema: createUncheckedSchema(tool, () => tellListed(serving)),
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      (given) => answer(tool, given, serving),
    );
  }
  return server;
}

/** The library shows the schema and lets everything through: we check ourselves, to answer with code and hint. */
function createUncheckedSchema({ schema, like }: Tool, listed: () => void): StandardSchemaWithJSON {
  const shape = () => {
    listed();
    return buildInputSchema(schema, like);
  };
  return {
    "~standard": {
      version: 1,
      vendor: "pairflow",
      validate: (value) => ({ value }),
      jsonSchema: { input: shape, output: shape },
    },
  };
}

/** A schema is asked for when the tools are listed; a moment later the client knows them. */
function tellListed(serving: ServerSurroundings): void {
  setTimeout(() => void noteKnownTools(serving), 50).unref();
}

// Text alone: some clients show a model the structured part of an answer instead of the words beside it.
async function answer(tool: Tool, given: unknown, serving: ServerSurroundings): Promise<CallToolResult> {
  try {
    return { content: [{ type: "text", text: await call(tool, given, serving) }] };
  } catch (error) {
    return { content: [{ type: "text", text: translateHints(serving.explain(error)) }], isError: true };
  }
}

/** The referee's hints are commands; an agent that reads them here has tools of the same meaning. */
function translateHints(trouble: string): string {
  return /^Hint: .*(?:\bpairflow (?:pass|converged|ask-human)|--\w)/m.test(trouble)
    ? `${trouble}\nHere the commands are the tools pass, submit_review, converged and ask_human.`
    : trouble;
}
