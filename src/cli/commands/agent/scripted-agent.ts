// pairflow scripted-agent: the program behind the scripted adapter; follows a script with the same verbs as any agent.
import { runScriptedAgent } from "../../../app/agents/scripted.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { findVerb } from "../../verb/parse.ts";
import { captureLine } from "../../verb/run.ts";
import { agentVerbs } from "./verbs.ts";

export const scriptedAgent = defineVerb({
  words: "scripted-agent",
  about: "Follow a script file as an agent; started by the scripted adapter",
  access: "agent",
  hidden: true,
  flags: {
    script: { kind: "text", value: "<file>", about: "the script", required: true },
    session: { kind: "text", value: "<id>", about: "the session of this turn" },
    notice: { kind: "text", value: "<text>", about: "what the agent is told" },
  },
  async run({ cwd, env, print }, { flags }) {
    const speak = (words: readonly string[]) =>
      findVerb(agentVerbs, words) && captureLine(agentVerbs, words, { cwd, env });
    return { exitCode: await runScriptedAgent({ ...flags, cwd, env, say: print, speak }) };
  },
});
