// What comes if nothing goes wrong: the steps behind the one where the bubble stands, in the order of its workflow, then the
// person's approval and the commit. A forecast, shown as such.
import type { Step } from "../../model/program.ts";
import type { State } from "../../model/state.ts";
import { getCurrentStep } from "../../state/workflow-position.ts";

/** Steps that people see happen; checks and questions are decided on the way. */
const seen: readonly Step["kind"][] = ["turn", "gates", "children", "wait", "approval"];

export function listComingSteps(state: State): string[] {
  if (state.lifecycle === "READY_FOR_APPROVAL") return ["your approval", commitWords(state)];
  if (state.lifecycle === "APPROVED_FOR_COMMIT") return [commitWords(state)];
  const now = getCurrentStep(state);
  if (!now) return [];
  const { steps } = state.program;
  const after = steps.slice(steps.indexOf(now) + 1).filter(({ kind }) => seen.includes(kind));
  const words = after.map((step) => describeStep(state, step));
  return words.includes("your approval") ? [...words, commitWords(state)] : words;
}

const commitWords = ({ config }: State): string => `commit on ${config.bubble_branch}`;

function describeStep({ roles }: State, step: Step): string {
  if (step.kind === "approval") return "your approval";
  const name = step.name.replaceAll("_", " ");
  return step.kind === "turn" && roles[step.role] ? `${roles[step.role]}: ${name}` : name;
}
