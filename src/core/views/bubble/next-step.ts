// What happens next in a bubble, and the command a person can type.
import type { Question } from "../../model/state/turn.ts";
import type { State } from "../../model/state.ts";
import { quoteShellWord } from "../../model/value/shell-word.ts";
import { isPipeline } from "../pipeline/trail.ts";
import type { Liveness } from "./liveness.ts";
import { describeRunning, mustAnswer } from "./next.ts";
import { buildPauseView, type PauseView } from "./pause.ts";
import { getRoutedBubble } from "./run.ts";

/** What happens next, and what a person can type: the last line of every status. */
export function describeNextStep(
  state: State,
  { driver, asked: [asked] = [] }: Pick<Liveness, "driver" | "asked">,
): { readonly says: string; readonly command: string | null } {
  const id = state.bubbleId;
  const command = (verb: string, rest = "") => `pairflow bubble ${verb} --id ${id}${rest}`;
  const paused = buildPauseView(state);
  if (paused) return describePausedNext(state, paused);
  switch (state.lifecycle) {
    case "CREATED":
      return { says: "not started", command: command("start") };
    case "WAITING_HUMAN":
      return { says: mustAnswer(state), command: suggestAnswerCommand(state) };
    case "READY_FOR_APPROVAL":
      return { says: "a human must approve", command: command("approve") };
    case "APPROVED_FOR_COMMIT":
      return { says: "approved; not committed yet", command: command("commit") };
    case "RUNNING":
    case "PREPARING_WORKSPACE":
      if (asked)
        return { says: `${asked.bubbleId} asks: a human must answer`, command: suggestAnswerCommand(asked) };
      return driver
        ? { says: describeRunning(state), command: null }
        : {
            says: `nobody drives this bubble (${describeRunning(state)})`,
            command: command(state.lifecycle === "RUNNING" ? "resume" : "start"),
          };
    default:
      return {
        says: getEnd(state),
        command: findSuccessor(state) ?? suggestMerge(state) ?? suggestRecovery(state) ?? command("delete"),
      };
  }
}

/** A pipeline that did not reach its end is not lost: a new run begins with what was approved and made. */
const suggestRecovery = (state: State): string | undefined =>
  isPipeline(state) && state.lifecycle !== "DONE"
    ? `pairflow pipeline recover --id ${state.bubbleId}`
    : undefined;

/** What a human may do meanwhile is kept; it is acted on when the pause ends. */
function describePausedNext(state: State, { says, command }: PauseView): ReturnType<typeof describeNextStep> {
  if (state.lifecycle === "WAITING_HUMAN")
    return { says: `${says}; ${mustAnswer(state)}, then: ${command}`, command: suggestAnswerCommand(state) };
  if (state.lifecycle === "READY_FOR_APPROVAL")
    return {
      says: `${says}; a human must approve`,
      command: `pairflow bubble approve --id ${state.bubbleId}`,
    };
  return { says, command };
}

/** A run that made only papers, or is a part of another one's, has no commit of its own. */
function getEnd({ lifecycle, commit, end, result }: State): string {
  if (lifecycle !== "DONE") return end?.message ?? lifecycle;
  return commit ? `committed ${commit.id.slice(0, 10)} on ${commit.branch}` : (result?.why ?? "it is over");
}

/** Routed: what was begun here continues there. */
const findSuccessor = (state: State): string | undefined =>
  getRoutedBubble(state) ? `pairflow bubble status --id ${getRoutedBubble(state)}` : undefined;

/** What was committed is on a branch of its own; nobody else merges it. */
const suggestMerge = ({ commit, parent }: State): string | undefined =>
  commit && !parent ? `git merge ${commit.branch}` : undefined;

/** The command that answers a question; with several open ones it names which. */
export function suggestAnswerCommand(
  state: State,
  question: Question | undefined = state.questions[0],
): string {
  if (question?.kind === "tree-changed")
    return `pairflow bubble resume --id ${state.bubbleId} --keep   or   --put-back`;
  const which = question && state.questions.length > 1 ? ` --question ${question.id}` : "";
  const choice = chooseFlag(question);
  return `pairflow bubble reply --id ${state.bubbleId}${which}${choice} --message "…"`;
}

const longestChoice = 80;

/** An agent's own options may be whole sentences: then its words are answered with words. */
function chooseFlag(question: Question | undefined): string {
  const keys = question?.options?.map((option) => option.key) ?? [];
  const words = keys.map(quoteShellWord).join("|");
  const isShown = keys.length > 0 && (question?.kind !== "agent" || words.length <= longestChoice);
  return isShown ? ` --choose ${words}` : "";
}
