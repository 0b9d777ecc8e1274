// The bundle of the MCP server, started anew for every turn: the one verb, with its library loaded at once.
import { mcp } from "../commands/agent/mcp.ts";
import { runLine } from "../verb/run.ts";

/** For the bundle with every command, which does not hold it. */
export { serve } from "../../mcp/serve.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine([mcp], argv, how);
}
