// pairflow mcp: the agent verbs as MCP tools. Started by an agent's own CLI, not by people.

import { defineVerb } from "../../verb/declaration.ts";
import { printTrouble, toTrouble } from "../../verb/result.ts";
import { version } from "../../verb/run.ts";

export const mcp = defineVerb({
  words: "mcp",
  about:
    "The agent verbs as MCP tools on standard input and output: pass, submit_review, converged, ask_human",
  access: "agent",
  example: "pairflow mcp",
  flags: {},
  async run({ cwd, env, say, interactive }) {
    if (interactive)
      say("This is a server for an agent's CLI and speaks JSON; Ctrl-D ends it. See docs/mcp.md");
    // Only this verb needs the protocol's library, so only this verb pays for it.
    const { serve } = await import("../../../mcp/serve.ts");
    serve({ cwd, env, version, say, explain: (error) => printTrouble(toTrouble(error)) });
    return undefined;
  },
});
