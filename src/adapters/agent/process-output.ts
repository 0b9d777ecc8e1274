// What a plain program's output means: it is listened to until it ends, and then its answer is looked for. There is no
// channel back to it, so nothing can be answered or interrupted in the middle of a turn.

import { excerptOutput } from "../../core/gates/output/excerpt.ts";
import { describeSignal, getSignalName } from "../../core/gates/output/signals.ts";
import type { TurnEnd } from "../../core/model/turn-end.ts";
import { keepEnd } from "../../core/model/value/sizes.ts";
import type { Conversation, ConversationHost, ProcessExit } from "../../ports/agent/adapter.ts";
import { explainMissingAnswer, findAnswer } from "./answer-text.ts";

/** More than this is no answer any more; a program that prints for hours must not fill the memory. */
const keptCharacters = 1_000_000;

/** The conversation with a program whose answer, if `answers`, stands in its output; others hand over by the verbs. */
export function createOutputConversation(
  host: ConversationHost,
  { answers }: { readonly answers: boolean },
): Conversation {
  let output = "";
  let isOver = false;
  return {
    begin() {},

    heard(line) {
      output += `${line}\n`;
      // Cut now and then: cutting at every line would copy all of it each time.
      if (output.length > 2 * keptCharacters) output = keepEnd(output, keptCharacters);
    },

    closed(exit) {
      if (isOver) return;
      isOver = true;
      output = keepEnd(output, keptCharacters);
      const crashed: TurnEnd = { outcome: "crashed", detail: describeCrash(output, exit) };
      host.happened({ type: "over", end: answers ? buildEnd(output, exit, crashed) : crashed });
    },

    answer() {},
    interrupt() {},
  };
}

function buildEnd(output: string, { code }: ProcessExit, crashed: TurnEnd): TurnEnd {
  const found = findAnswer(output);
  if (found) return { outcome: "answered", ...found };
  // Exit code 0 says that the program holds itself to be ready; what it printed is then meant as its answer.
  if (code !== 0 || output.trim() === "") return crashed;
  const why = explainMissingAnswer(output);
  const reason = why ? ` (${why})` : "";
  return { outcome: "garbage", detail: `it ended without a JSON answer${reason}${quoteLastOutput(output)}` };
}

/** How a process was lost, in a sentence; what it printed last is the first thing a person asks for. */
export function describeCrash(output: string, { code, stderr }: ProcessExit): string {
  return `the process ended without handing over${explainExitCode(code)}${quoteLastOutput(stderr.trim() ? stderr : output)}`;
}

function explainExitCode(code: number | undefined): string {
  if (code === undefined || code === 0) return "";
  if (code === 127) return " (exit code 127: the program was not found)";
  if (code === 126) return " (exit code 126: the program may not be executed)";
  return code > 128 ? ` (${describeSignal(getSignalName(code - 128))})` : ` (exit code ${code})`;
}

function quoteLastOutput(text: string): string {
  const tail = keepEnd(excerptOutput(text), 400).trim();
  return tail === "" ? "" : `; it printed last: ${tail}`;
}
