// Any program as an agent: a command line with placeholders. In a pane it ends its turn with the same verbs as
// everybody else; without a terminal it reads the prompt from its standard input and prints its answer as JSON.
import type { AgentAdapter, TurnRequest } from "../../../ports/agent/adapter.ts";
import { addAnswerForm } from "../answer-text.ts";
import { buildCommandLine, fillCommandLine, placeholders } from "../command-line.ts";
import { createOutputConversation } from "../process-output.ts";
import { checkWords, getTextSetting } from "../settings.ts";
import { checkTemplate } from "../template.ts";

const lines = ["command", "resume", "headless", "headless_resume"];

/** Adapter `command`: runs `command`, or `resume` where an earlier session continues. The program has no sandbox of its own. */
export function createCommandAgent(): AgentAdapter {
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
      const has = (line: string) => getTextSetting(settings, line) !== undefined;
      if (seat === "pane") return has("resume");
      return has("headless_resume") || (has("resume") && !has("headless"));
    },

    check(settings) {
      const words = checkWords(settings, { required: ["command"], optional: lines.slice(1) });
      if (words !== undefined) return words;
      for (const name of lines) {
        const line = getTextSetting(settings, name);
        const problem = line === undefined ? undefined : checkTemplate(line, placeholders);
        if (problem !== undefined) return `${name}: ${problem}`;
      }
      return undefined;
    },

    launch(turn) {
      return { argv: buildCommandLine(turn, renderPaneLine(turn)), env: {}, sandboxed: false };
    },

    headless(turn) {
      return {
        argv: fillCommandLine(turn, renderHeadlessLine(turn)),
        env: {},
        sandboxed: false,
        stdin: "prompt",
        // Nobody knows whether the program takes a schema, so the form is described in words.
        input: addAnswerForm(turn),
        converse: (host) => createOutputConversation(host, { answers: true }),
      };
    },
  };
}

function renderPaneLine({ settings, fresh }: TurnRequest): string {
  const first = getTextSetting(settings, "command") ?? "";
  return fresh ? first : (getTextSetting(settings, "resume") ?? first);
}

function renderHeadlessLine(turn: TurnRequest): string {
  const first = getTextSetting(turn.settings, "headless");
  const later = turn.fresh ? undefined : getTextSetting(turn.settings, "headless_resume");
  return later ?? first ?? renderPaneLine(turn);
}
