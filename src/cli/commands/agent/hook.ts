// pairflow hook: sensors inside an agent's session. The CLI gives the event as JSON on standard input.

import { readFileSync } from "node:fs";
import { type HookInput, tellHook } from "../../../app/caller/hooks.ts";
import { parseJson } from "../../../core/text/json.ts";
import { isTerminal } from "../../terminal/terminal.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const hook = defineVerb({
  words: "hook",
  about: "A sign of life from inside an agent's session",
  access: "agent",
  hidden: true,
  takes: "<event>",
  flags: {
    "await-tools": { kind: "switch", about: "hold the session's start until it knows the MCP tools" },
  },
  async run(shell, { words, flags }) {
    const said = { hook_event_name: words[0], ...readInput() };
    const text = await tellHook(shell, said, flags["await-tools"]);
    return text ? { text } : {};
  },
});

/** Nothing, or something that is no JSON object, is still a sign of life. */
function readInput(): HookInput {
  if (isTerminal(0)) return {};
  try {
    const read: unknown = parseJson(readFileSync(0, "utf8"));
    return typeof read === "object" && read !== null ? read : {};
  } catch {
    return {};
  }
}
