// Any program as an agent: a command line with placeholders. In a pane it ends its turn with the same verbs as
// everybody else; without a terminal it reads the prompt from its standard input and prints its answer as JSON.
import type { AgentAdapter, TurnRequest } from "../../../ports/agent.ts";
import { promptWithForm } from "../answer-text.ts";
import { placeholders, spoken, wordsOf } from "../command-line.ts";
import { outputConversation } from "../process-output.ts";
import { checkWords, textSetting } from "../settings.ts";
import { checkTemplate } from "../template.ts";

const lines = ["command", "resume", "headless", "headless_resume"];

/** Adapter `command`: runs `command`, or `resume` where an earlier session continues. The program has no sandbox of its own. */
export function commandAgent(): AgentAdapter {
  return {
    name: "command",
    about: "any program: a command line",
    can: {
      resume: { partly: "where the program has a command line for it: `resume`, `headless_resume`" },
      structuredAnswer: "yes",
      readOnly: { no: "it knows no flag of an unknown program; the tree is compared before and after" },
      usage: { no: "there is no common form in which programs report it" },
      ask: { partly: "by `pairflow ask-human` or an answer that needs input; it cannot wait for the reply" },
      interrupt: { no: "there is no channel to the program; it is ended instead" },
      panes: "yes",
    },
    voice: { pane: "verbs", headless: "json" },
    variables: [],

    resumes(settings, seat) {
      const has = (line: string) => textSetting(settings, line) !== undefined;
      if (seat === "pane") return has("resume");
      return has("headless_resume") || (has("resume") && !has("headless"));
    },

    check(settings) {
      const words = checkWords(settings, { required: ["command"], optional: lines.slice(1) });
      if (words !== undefined) return words;
      for (const name of lines) {
        const line = textSetting(settings, name);
        const problem = line === undefined ? undefined : checkTemplate(line, placeholders);
        if (problem !== undefined) return `${name}: ${problem}`;
      }
      return undefined;
    },

    launch(turn) {
      return { argv: spoken(turn, paneLine(turn)), env: {}, sandboxed: false };
    },

    headless(turn) {
      return {
        argv: wordsOf(turn, headlessLine(turn)),
        env: {},
        sandboxed: false,
        stdin: "prompt",
        // Nobody knows whether the program takes a schema, so the form is told in words.
        input: promptWithForm(turn),
        converse: (host) => outputConversation(host, { answers: true }),
      };
    },
  };
}

function paneLine({ settings, fresh }: TurnRequest): string {
  const first = textSetting(settings, "command") ?? "";
  return fresh ? first : (textSetting(settings, "resume") ?? first);
}

function headlessLine(turn: TurnRequest): string {
  const first = textSetting(turn.settings, "headless");
  const later = turn.fresh ? undefined : textSetting(turn.settings, "headless_resume");
  return later ?? first ?? paneLine(turn);
}
