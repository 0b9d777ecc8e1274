// Any program as an agent: a command line with placeholders. What the program does with the notice, and how it
// keeps a session, is its own affair; it ends its turn with the same verbs as everybody else.

import type { AgentAdapter, TurnRequest } from "../../ports/agent.ts";
import { Failure } from "../../ports/failure.ts";
import { checkWords, textSetting } from "./settings.ts";
import { checkTemplate, fillWords, placeholdersIn, splitWords } from "./template.ts";

const placeholders = ["notice", "prompt_file", "worktree", "session", "out"] as const;
const prompting = ["notice", "prompt_file"];

/** Adapter `command`: runs `command`, or `resume` where an earlier session goes on. Nothing confines the program. */
export function commandAgent(): AgentAdapter {
  return {
    name: "command",

    check(settings) {
      const words = checkWords(settings, { required: ["command"], optional: ["resume"] });
      if (words !== undefined) return words;
      for (const name of ["command", "resume"]) {
        const line = textSetting(settings, name);
        const problem = line === undefined ? undefined : checkTemplate(line, placeholders);
        if (problem !== undefined) return `${name}: ${problem}`;
      }
      return undefined;
    },

    launch(turn) {
      return { argv: argvOf(turn), env: {}, sandboxed: false };
    },
  };
}

function argvOf(turn: TurnRequest): string[] {
  const first = textSetting(turn.settings, "command") ?? "";
  const line = turn.fresh ? first : (textSetting(turn.settings, "resume") ?? first);
  const split = splitWords(line);
  if (!split.ok) throw new Failure("agent.bad-settings", `agent ${turn.agent}: ${split.problem}`);
  const isTold = placeholdersIn(line).some((name) => prompting.includes(name));
  // A program that is told nothing could not know what to do, so the notice comes last.
  return [...fillWords(split.words, valuesOf(turn)), ...(isTold ? [] : [turn.notice])];
}

function valuesOf(turn: TurnRequest): Record<(typeof placeholders)[number], string> {
  return {
    notice: turn.notice,
    prompt_file: turn.promptFile,
    worktree: turn.worktree,
    session: turn.session,
    out: turn.out,
  };
}
