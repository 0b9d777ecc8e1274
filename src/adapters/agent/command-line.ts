// Command lines of agents: words with placeholders that stand for what a turn has.
import type { TurnRequest } from "../../ports/agent/adapter.ts";
import { Failure } from "../../ports/failure.ts";
import { fillWords, listPlaceholders, splitWords } from "./template.ts";

/** What stands in a command line for what a turn has. */
export const placeholders = [
  "notice",
  "prompt_file",
  "worktree",
  "session",
  "out",
  "role",
  "answer_schema",
] as const;
const prompting = ["notice", "prompt_file"];

/** The words of a command line; a program that would be told nothing gets the notice as its last word. */
export function buildCommandLine(turn: TurnRequest, line: string): string[] {
  const isTold = listPlaceholders(line).some((name) => prompting.includes(name));
  return [...fillCommandLine(turn, line), ...(isTold ? [] : [turn.notice])];
}

/** The words of a command line with every placeholder filled in. */
export function fillCommandLine(turn: TurnRequest, line: string): string[] {
  const split = splitWords(line);
  if (!split.ok) throw new Failure("agent.bad-settings", `agent ${turn.agent}: ${split.problem}`);
  return fillWords(split.words, buildPlaceholders(turn));
}

function buildPlaceholders(turn: TurnRequest): Record<(typeof placeholders)[number], string> {
  return {
    notice: turn.notice,
    prompt_file: turn.promptFile,
    worktree: turn.worktree,
    session: turn.session,
    out: turn.out,
    role: turn.role,
    answer_schema: JSON.stringify(turn.answerSchema),
  };
}
