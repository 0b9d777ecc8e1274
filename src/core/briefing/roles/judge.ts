// What a judge is told: the tree and the evidence about it, and how to say its score. It advises; it decides nothing.
import type { State } from "../../model/state.ts";
import type { BriefingInputs } from "../inputs.ts";
import { renderAnswerExample, renderKnownFindings, renderSection, signalRules } from "../parts.ts";
import { buildTreeSections } from "./critic.ts";

export function judgeSections(state: State, inputs: BriefingInputs): string[] {
  return [...buildTreeSections(state, inputs), renderSection("Findings so far", renderKnownFindings(state))];
}

const scale =
  "The score is a number from 0 to 1: 1 is ready as it is, 0.5 has gaps that must be fixed, 0 does not do the task. The summary says why, with places (`file:line`).";

export function judgeVerbs(): string {
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    '```\npairflow pass --summary "why this score" --score 0.8\npairflow ask-human --question "one question that blocks you"\n```',
    scale,
  ].join("\n\n");
}

export function judgeAnswer(): string {
  return [
    "Change no file. Your final answer is one JSON object of the given schema and nothing else: no code fence, no text around it.",
    scale,
    signalRules,
    renderAnswerExample({
      status: "completed",
      summary: "why this score",
      score: 0.8,
      questions: [],
      message: null,
    }),
  ].join("\n\n");
}
