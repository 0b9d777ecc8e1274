// What happens with an answer: who reads it, what sends the work back, and who decides in the end. It says nothing about what
// others thought of this tree.
import type { State } from "../model/state.ts";
import { getCurrentTask, getLoop } from "../state/workflow-position.ts";
import type { BriefedSide } from "./side.ts";

export function describeConsequence(state: State, side: BriefedSide): string {
  return tells[side](state).filter(Boolean).join(" ");
}

const tells: Readonly<Record<BriefedSide, (state: State) => readonly string[]>> = {
  producer: (state) => [
    state.profile.gates.length > 0
      ? "The referee takes the files as they are and runs the gates on exactly that tree; a required gate that is not green sends it back to you with its output."
      : "The referee takes the files as they are.",
    describeJudges(state),
    describeSignature(state),
  ],
  author: (state) => [
    "The referee checks the form of the paper and its rules; one that fails comes back to you with the reasons.",
    describeJudges(state),
  ],
  critic: (state) => (hasCheck(state) ? [describeSendingBack(state), describeEnding(state)] : [byVerdict]),
  judge: () => [
    "The score is one figure among others that a rule of the workflow reads. It sends nothing back by itself.",
  ],
};

function describeJudges(state: State): string {
  const { critic, chain = [] } = getLoop(state);
  if (critic === undefined) return "";
  const who = chain.length > 1 ? `${chain.length} reviewers (${critic}) judge` : `A ${critic} judges`;
  const blind = state.config.reviewer_sees_summary ? "" : ", and does not see your summary";
  return `${who} it afterwards${blind}; what is found comes back to you.`;
}

/** A part of another bubble's work is signed there. */
const describeSignature = ({ program, parent }: State): string =>
  parent === undefined && program.steps.some(({ kind }) => kind === "approval")
    ? "In the end a human signs exactly these files, and reads your summary and package."
    : "";

/** Without a step that judges by findings, the steps of the workflow read the verdict. */
const hasCheck = ({ program }: State): boolean => program.steps.some(({ kind }) => kind === "check");
const byVerdict =
  "Your verdict decides: an approval ends the task, a rejection goes where its `rejection_type` leads. The agent that makes it again is told your findings, your advice and your feedback.";

/** Which findings send it back. */
function describeSendingBack(state: State): string {
  const { core_areas: areas, core_paths: paths } = state.config.severity;
  const core = [
    areas.length > 0 ? `areas ${areas.join(", ")}` : "",
    paths.length > 0 ? `files ${paths.join(", ")}` : "",
  ];
  const named = core.filter(Boolean).join("; ");
  const minor = named ? `, and any finding in what counts as core here (${named}),` : "";
  const rest = isStrict(state)
    ? "Every open finding sends it back to its author"
    : `P0 and P1${minor} send it back to its author`;
  const others = isStrict(state)
    ? ""
    : " Other P2 and P3 are put to a human, who decides whether they are worth a round.";
  return `${rest}, who is told your findings, your advice and your summary, and may dispute a finding with proof.${others}`;
}

/** Chains, and loops with conditions of their own, treat every objection alike. */
const isStrict = (state: State): boolean =>
  getLoop(state).chain_order === "go_on" || getCurrentTask(state)?.overlay !== undefined;

function describeEnding(state: State): string {
  const { clean_passes: wanted, chain = [] } = getLoop(state);
  if (getCurrentTask(state)?.overlay) return "An approval ends this task and locks what was made.";
  if (chain.length > 1) return `It is done when all ${chain.length} reviewers have passed the same tree.`;
  return wanted > 1
    ? `It is done when ${wanted} agents, each by itself, have reviewed the same tree without an open finding.`
    : "Without an open finding it passes.";
}
