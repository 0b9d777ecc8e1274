// The scripted agent: a real process that follows a script file and speaks the same verbs as any other agent. The
// demo, the tests and dry runs use it.
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { AgentAdapter, TurnRequest } from "../../ports/agent.ts";
import { readScript } from "./script-file.ts";
import { checkWords, textSetting } from "./settings.ts";

export interface ScriptedOptions {
  /** Pairflow's own command as an argument list; it has the hidden verb `scripted-agent`. */
  readonly command: readonly string[];
}

/** Adapter `scripted`: settings `script`, an absolute path or one below the worktree. */
export function scriptedAgent({ command }: ScriptedOptions): AgentAdapter {
  return {
    name: "scripted",

    check(settings) {
      const problem = checkWords(settings, { required: ["script"] });
      const file = textSetting(settings, "script");
      // A relative path means the worktree's, which may not exist yet; the agent itself reports on that one.
      if (problem !== undefined || !file?.startsWith("/")) return problem;
      if (!existsSync(file)) return `there is no script ${file}`;
      const script = readScript(file);
      return script.ok ? undefined : script.problems.join("\n");
    },

    launch(turn) {
      const script = resolve(turn.worktree, textSetting(turn.settings, "script") ?? "");
      const words = ["scripted-agent", "--script", script, "--session", turn.session];
      const env = { PAIRFLOW_SCRIPT_STATE: stateFile(turn), PAIRFLOW_ROLE: turn.role };
      return { argv: [...command, ...words, `--notice=${turn.notice}`], env, sandboxed: false };
    },
  };
}

/** Where this agent's place in its script is kept: beside what it hands in, so that it outlives turns and sessions. */
function stateFile({ out, agent }: TurnRequest): string {
  return join(out, "..", `script-${agent}.json`);
}
