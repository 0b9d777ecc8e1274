// The questions the referee itself puts to a human: their words and what each answer does.
import { askAboutCommands } from "../gates/test-commands.ts";
import { joinWithAnd, listRedGates } from "../judge/convergence.ts";
import { describeSpentLimit, getRoundLimit } from "../limits/rounds.ts";
import type { StepQuestion } from "../model/record/question-kind.ts";
import type { State } from "../model/state.ts";
import { quoteShellText } from "../model/value/shell-word.ts";
import { clip } from "../model/value/sizes.ts";
import { slugifyTitle } from "../plan/slug.ts";
import { listUpheldDisputes } from "../review/findings/ledger.ts";
import { describeKeptWork } from "../state/code-tree.ts";
import { listOpenFindings, listOpenMinor } from "../state/severity.ts";
import { getCurrentStep, getCurrentTask, getLoop } from "../state/workflow-position.ts";
import { acceptOption, rejectChildrenOption, rejectOption } from "./common-options.ts";

export interface QuestionDraft {
  readonly text: string;
  readonly options: readonly { readonly key: string; readonly does: string }[];
  readonly findings: readonly string[];
}

const listIds = (findings: readonly { id: string }[]) => findings.map((finding) => finding.id);

const listRoundOptions = (state: State) => [
  { key: "continue", does: "continues; --rounds N grants N more rounds, your message goes to the producer" },
  rejectOption(state),
];

/** How a loop that cannot continue by itself may end. What nobody has handed over cannot be accepted. */
const listEndOptions = (state: State) => [
  ...acceptOption(state, describeAccepting(state)),
  ...listRoundOptions(state),
];

const describeAccepting = (state: State) =>
  getCurrentTask(state)
    ? "waives the open findings with your reason; the task is accepted as it is and the run continues"
    : "waives the open findings with your reason and asks for approval of this tree";

/** The questions a workflow can name in `ask:`. Every option is an outcome of the step that asks. */
export const questions: Readonly<Record<StepQuestion, (state: State) => QuestionDraft>> = {
  exhausted: (state) => ({
    text: `${describeSpentSituation(state)} ${describeOpenQuestion(state)} How shall this end?`,
    options: listEndOptions(state),
    findings: listIds(listOpenFindings(state)),
  }),
  stuck: (state) => ({
    text: [`The loop is stuck: ${state.position.why}.`, describeAlternatives(state), "How shall this end?"]
      .filter(Boolean)
      .join(describeAlternatives(state) ? "\n\n" : " "),
    options: listEndOptions(state),
    findings: listIds(listOpenFindings(state)),
  }),
  dispute: (state) => {
    const upheld = listUpheldDisputes(state.findings);
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
      findings: listIds(upheld),
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
    findings: listIds(listOpenFindings(state)),
  }),
  "sign-off": (state) => ({
    text: `${getCurrentTask(state)?.key ?? state.bubbleId} waits for a sign-off: ${state.position.why}. ${describeOpenQuestion(state)}`,
    options: [
      {
        key: "approve",
        does: isShowingPaper(state)
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
      { key: "reject", does: "ends the bubble as CANCELLED; the bubble that waits for the task is told" },
    ],
    findings: [],
  }),
  commands: (state) => ({
    text: askAboutCommands(listUnapprovedCommands(state)),
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
    text: `Only minor findings are open: ${joinWithAnd(listOpenMinor(state))}. Worth another round?`,
    options: [
      { key: "waive", does: "they stay as they are, with your reason; the loop continues to convergence" },
      { key: "fix", does: "the producer fixes them in another round" },
    ],
    findings: listIds(listOpenMinor(state)),
  }),
};

export const isStepQuestion = (name: string): name is StepQuestion => Object.hasOwn(questions, name);

/** What is signed is a paper that the question shows. */
function isShowingPaper(state: State): boolean {
  const step = getCurrentStep(state);
  return step?.kind === "question" && step.shows !== undefined;
}

/** What the step before has found that no human has approved. */
function listUnapprovedCommands({ program, steps = {} }: State): string[] {
  return program.steps.flatMap((step) => {
    const commands = step.kind === "adopt" ? steps[step.name]?.output?.commands : undefined;
    return Array.isArray(commands) ? commands.map(String) : [];
  });
}

function describeSpentSituation(state: State): string {
  const task = getCurrentTask(state);
  // Where critics continue, two budgets hold: a human is told which of them is used up.
  if (task && getLoop(state).chain_order === "go_on")
    return `${task.key}: ${describeSpentLimit(state)}.${describeRedSituation(state)}`;
  const spent = task
    ? `${task.key}: all ${getRoundLimit(state)} iterations are used.`
    : `All ${getRoundLimit(state)} rounds are used.`;
  return `${spent}${describeRedSituation(state)}`;
}

/** Without a word about it the findings alone would look as if nothing were wrong. */
function describeRedSituation(state: State): string {
  const red = listRedGates(state);
  if (red.length === 0 || !state.tree) return "";
  const unseen = state.reviews.some(({ tree }) => tree === state.tree?.id)
    ? ""
    : ", so nobody has reviewed it";
  return ` Gates that are not green on this tree: ${red.join(", ")}${unseen}.`;
}

function describeOpenQuestion(state: State): string {
  const open = listOpenFindings(state);
  return open.length === 0 ? "No finding is open." : `Open: ${joinWithAnd(open)}.`;
}

// What a person can type when a critic says that no producer can fix the work here: its task must be cut, designed or
// split anew, and this workflow has no way of its own for that.
const aims = {
  misscoped: "To give the task other boundaries",
  architectural: "To settle the design first",
  too_big: "To split the task",
} as const;

/** The critic's own words, and the commands that lead on; empty when the newest review names no such way. */
function describeAlternatives(state: State): string {
  const route = state.reviews.at(-1)?.route;
  if (route === undefined || route === "fixable" || route === "unknown") return "";
  const { lastReview } = state;
  const said = lastReview?.feedback.trim();
  const words = said ? [`What ${lastReview?.agent} says:\n\n${clip(said, 2000)}`] : [];
  const lines = listCommandsFor(state, route).map((command) => `  ${command}`);
  return [...words, `${aims[route]}, choose reject here and type:\n\n${lines.join("\n")}`].join("\n\n");
}

function listCommandsFor(state: State, route: keyof typeof aims): string[] {
  const title = state.task.title;
  const known = state.program.payload?.plan_slug;
  if (typeof known === "string" && known)
    return [`pairflow plan ${quoteShellText(title)} --supersede ${known}`, `pairflow plan show ${known}`];
  const slug = slugifyTitle(title);
  if (route === "too_big") return [`pairflow auto ${quoteShellText(title)}`];
  if (route === "architectural")
    return [`pairflow explore ${quoteShellText(title)}`, `pairflow promote ${slug}`];
  return [`pairflow plan ${quoteShellText(title)}`, `pairflow execute ${slug}`];
}
