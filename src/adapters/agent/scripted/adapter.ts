// The scripted agent: a real process that follows a script file and speaks the same verbs as any other agent. The
// demo, the tests and dry runs use it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentAdapter, Launch, TurnRequest } from "../../../ports/agent/adapter.ts";
import { createOutputConversation } from "../process-output.ts";
import { checkWords, getTextSetting } from "../settings.ts";
import { readScript } from "./script-file.ts";

export interface ScriptedOptions {
  /** Pairflow's own command as an argument list; it has the hidden verb `scripted-agent`. */
  readonly command: readonly string[];
}

/** Adapter `scripted`: settings `script`, an absolute path or one below the worktree. */
export function createScriptedAgent({ command }: ScriptedOptions): AgentAdapter {
  return {
    name: "scripted",
    about: "a script file; for the demo, tests and dry runs",
    can: {
      resume: { no: "its place in the script belongs to the turn, not to a session" },
      structuredAnswer: { no: "it hands over by the verbs, without a terminal too" },
      readOnly: { no: "it does what its script says; the tree is compared before and after" },
      usage: { no: "no model is asked, so nothing is used" },
      ask: { partly: "by `pairflow ask-human`; it waits for the reply only in a pane" },
      interrupt: { no: "a script is not interrupted; its process is ended instead" },
      panes: "yes",
    },
    voice: { pane: "verbs", headless: "verbs" },
    variables: [],

    check(settings) {
      const problem = checkWords(settings, { required: ["script"] });
      const file = getTextSetting(settings, "script");
      // A relative path means the worktree's, which may not exist yet; the agent itself reports on that one.
      if (problem !== undefined || !file?.startsWith("/")) return problem;
      if (!existsSync(file)) return `there is no script ${file}`;
      const script = readScript(file);
      return script.ok ? undefined : script.problems.join("\n");
    },

    launch: (turn) => follow(command, turn),

    headless: (turn) => ({
      ...follow(command, turn),
      stdin: "none",
      converse: (host) => createOutputConversation(host, { answers: false }),
    }),
  };
}

function follow(command: readonly string[], turn: TurnRequest): Launch {
  const script = resolve(turn.worktree, getTextSetting(turn.settings, "script") ?? "");
  const words = ["scripted-agent", "--script", script, "--session", turn.session];
  const env = { PAIRFLOW_SCRIPT_STATE: getStateFile(turn), PAIRFLOW_ROLE: turn.role };
  return { argv: [...command, ...words, `--notice=${turn.notice}`], env, sandboxed: false };
}

/** Where this agent's place in its script is kept: beside what it hands in, so that it outlives turns and sessions. */
function getStateFile({ out, agent }: TurnRequest): string {
  return join(out, "..", `script-${agent}.json`);
}
