// The questions the referee itself puts to a human: their words and what each answer does.

import { commandsQuestion } from "../gates/adopted.ts";
import { list, redGates } from "../judge/convergence.ts";
import { roundLimit, spentWords } from "../limits/rounds.ts";
import type { State } from "../model/state.ts";
import { upheldDisputes } from "../review/ledger.ts";
import { describeKeptWork } from "../state/code.ts";
import { currentStep, currentTask, loopOf } from "../state/place.ts";
import { openFindings, openMinor } from "../state/severity.ts";
import { acceptOption, rejectChildrenOption, rejectOption } from "./common-options.ts";
import { otherWays } from "./other-ways.ts";

export interface Asked {
  readonly text: string;
  readonly options: readonly { readonly key: string; readonly does: string }[];
  readonly findings: readonly string[];
}

const ids = (findings: readonly { id: string }[]) => findings.map((finding) => finding.id);

const ends = (state: State) => [
  { key: "continue", does: "continues; --rounds N grants N more rounds, your message goes to the producer" },
  rejectOption(state),
];

/** How a loop that cannot continue by itself may end. What nobody has handed over cannot be accepted. */
const outcomes = (state: State) => [...acceptOption(state, accepting(state)), ...ends(state)];

const accepting = (state: State) =>
  currentTask(state)
    ? "waives the open findings with your reason; the task is accepted as it is and the run continues"
    : "waives the open findings with your reason and asks for approval of this tree";

/** The questions a workflow can name in `ask:`. Every option is an outcome of the step that asks. */
export const questions: Readonly<Record<string, (state: State) => Asked>> = {
  exhausted: (state) => ({
    text: `${spentSentence(state)} ${openSentence(state)} How shall this end?`,
    options: outcomes(state),
    findings: ids(openFindings(state)),
  }),
  stuck: (state) => ({
    text: [`The loop is stuck: ${state.position.why}.`, otherWays(state), "How shall this end?"]
      .filter(Boolean)
      .join(otherWays(state) ? "\n\n" : " "),
    options: outcomes(state),
    findings: ids(openFindings(state)),
  }),
  dispute: (state) => {
    const upheld = upheldDisputes(state.findings);
    const reasons = upheld.map(
      (finding) => `${finding.id} ${finding.title}: producer says "${finding.dispute?.reason}"`,
    );
    return {
      text: `Producer and reviewer disagree. ${reasons.join("; ")}. Who is right?`,
      options: [
        { key: "waive", does: "the producer is right: the finding is waived with your reason" },
        {
          key: "uphold",
          does: "the reviewer is right: the producer must fix it and cannot dispute it again",
        },
      ],
      findings: ids(upheld),
    };
  },
  /** Its words come from the workflow. */
  signal: (state) => ({
    text: `${state.position.why}. How shall this end?`,
    options: [
      ...acceptOption(state, "waives the open findings with your reason; the result is taken as it is"),
      {
        key: "continue",
        does: "continues where it stopped; --rounds N grants N more rounds, your message goes to the agent",
      },
      { key: "reject", does: `the result is rejected; ${describeKeptWork(state)}` },
    ],
    findings: ids(openFindings(state)),
  }),
  "sign-off": (state) => ({
    text: `${currentTask(state)?.key ?? state.bubbleId} waits for a sign-off: ${state.position.why}. ${openSentence(state)}`,
    options: [
      {
        key: "approve",
        does: showsPaper(state)
          ? "it is approved as it is shown; the run continues"
          : "signs this tree for the task; the run continues",
      },
      { key: "rework", does: "the producer goes again with your message" },
      rejectOption(state),
    ],
    findings: [],
  }),
  conflict: (state) => ({
    text: `The children's changes do not fit together: ${state.position.why}. Who puts them together?`,
    options: [
      { key: "turn", does: "an agent resolves the conflict markers; gates and a review follow" },
      rejectChildrenOption,
    ],
    findings: [],
  }),
  "child-failed": (state) => ({
    text: `Not every child came to a result: ${state.position.why}. How shall this continue?`,
    options: [
      {
        key: "continue",
        does: "continues with what is completed; what depends on the others is not started",
      },
      rejectChildrenOption,
    ],
    findings: [],
  }),
  /** Its words come from the workflow. */
  "too-often": (state) => ({
    text: `${state.position.why}. How shall this continue?`,
    options: [
      { key: "continue", does: "it is tried once more, with your message" },
      { key: "reject", does: "ends the bubble as CANCELLED; whoever waits for the task is told" },
    ],
    findings: [],
  }),
  commands: (state) => ({
    text: commandsQuestion(unapprovedCommands(state)),
    options: [
      { key: "allow", does: "they become gates of this run, and Pairflow runs them on every tree" },
      { key: "refuse", does: "the planner goes again with your message" },
    ],
    findings: [],
  }),
  unsure: (state) => ({
    text: `A review is not sure of itself: ${state.position.why}. Does it count?`,
    options: [
      { key: "trust", does: "the review counts as it stands, with your reason" },
      { key: "again", does: "it counts for nothing; a fresh session reviews the same tree" },
      rejectOption(state),
    ],
    findings: [],
  }),
  "tie-break": (state) => ({
    text: `Only minor findings are open: ${list(openMinor(state))}. Worth another round?`,
    options: [
      { key: "waive", does: "they stay as they are, with your reason; the loop continues to convergence" },
      { key: "fix", does: "the producer fixes them in another round" },
    ],
    findings: ids(openMinor(state)),
  }),
};

/** What is signed is a paper that the question shows. */
function showsPaper(state: State): boolean {
  const step = currentStep(state);
  return step?.kind === "question" && step.shows !== undefined;
}

/** What the step before has found that no human has approved. */
function unapprovedCommands({ program, steps = {} }: State): string[] {
  return program.steps.flatMap((step) => {
    const commands = step.kind === "adopt" ? steps[step.name]?.output?.commands : undefined;
    return Array.isArray(commands) ? commands.map(String) : [];
  });
}

function spentSentence(state: State): string {
  const task = currentTask(state);
  // Where critics continue, two budgets hold: a human is told which of them is used up.
  if (task && loopOf(state).chain_order === "go_on")
    return `${task.key}: ${spentWords(state)}.${redSentence(state)}`;
  const spent = task
    ? `${task.key}: all ${roundLimit(state)} iterations are used.`
    : `All ${roundLimit(state)} rounds are used.`;
  return `${spent}${redSentence(state)}`;
}

/** Without a word about it the findings alone would look as if nothing were wrong. */
function redSentence(state: State): string {
  const red = redGates(state);
  if (red.length === 0 || !state.tree) return "";
  const unseen = state.reviews.some(({ tree }) => tree === state.tree?.id)
    ? ""
    : ", so nobody has reviewed it";
  return ` Gates that are not green on this tree: ${red.join(", ")}${unseen}.`;
}

function openSentence(state: State): string {
  const open = openFindings(state);
  return open.length === 0 ? "No finding is open." : `Open: ${list(open)}.`;
}
