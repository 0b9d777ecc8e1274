// What the gates say about the untouched base. A red one stops nothing, for bug fixes may start red; what cannot run, or
// is red only because of where the worktree stands, is a question before any agent is started.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { isWaived } from "../../../judge/convergence.ts";
import {
  isBaseRunDue,
  listRedByLocation,
  listRedByNetwork,
  listUnrunnableOnBase,
} from "../../../judge/gate-runs/base.ts";
import { refuse } from "../../../model/refusal.ts";
import type { Question } from "../../../model/state/turn.ts";
import type { State } from "../../../model/state.ts";
import { clip, takeFitting } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";
import type { Rule } from "../../decision.ts";
import { getViaAndDoor } from "../human/door.ts";
import { type Answered, cancel } from "../human/reply/choice.ts";
import { writeCleanRun } from "./clean-checkout.ts";
import { room } from "./results.ts";

export const decideBaseGates: Rule<"base-gates-ran"> = (batch, command) => {
  const { state } = batch;
  const isHere = state.lifecycle === "RUNNING" && command.tree === state.workspace?.base;
  if (!isHere || !isBaseRunDue(state))
    return refuse("driver.not-due", "the gates on the base are not due any more");
  writeCleanRun(batch, command, { attempt: 1, base: command.base });
  const problem = command.clean.problem;
  const broken = listUnrunnableOnBase(batch.state);
  const misplaced = listRedByLocation(batch.state);
  const needy = listRedByNetwork(batch.state);
  if (problem) askAboutSetup(batch, problem);
  else if (broken.length > 0)
    ask(
      batch,
      `A required gate cannot run on the untouched base (${broken.map(({ name, hint }) => `${name}: ${hint ?? "cannot run"}`).join("; ")}). Fix it, then choose again`,
      broken.map(({ name }) => name),
    );
  else if (needy.length > 0) askAboutNetwork(batch, needy);
  else if (misplaced.length > 0) askAboutPlace(batch, misplaced);
};

/** The tree cannot be made ready for gates: neither for those of the rounds nor for the final ones. */
export function askAboutSetup(batch: DecisionBatch, problem: string): void {
  const named = listRequiredGates(batch.state);
  ask(batch, `The base could not be made ready for its gates: ${problem}\nFix it, then choose again`, named);
}

function askAboutPlace(batch: DecisionBatch, gates: readonly string[]): void {
  const { workspace } = batch.state;
  ask(
    batch,
    [
      `${gates.join(", ")} passes on a clean checkout of the base and fails in the worktree of the same tree, ${workspace?.path ?? ""}.`,
      "Some programs refuse to work below a folder whose name begins with a dot. Choose reject, and create the bubble again with",
      "--worktrees ../worktrees, or set it for the project in .pairflow/config.yaml: defaults: { worktrees: ../worktrees }",
    ].join(" "),
    gates,
  );
}

/** Every gate that lacks nothing else, the optional ones too. */
function askAboutNetwork(batch: DecisionBatch, gates: readonly string[]): void {
  const names = gates.join(", ");
  ask(
    batch,
    [
      `${names}: red on the untouched base in a sandbox without network, and green there with it.`,
      "Choose network, or say it for every bubble in .pairflow/config.yaml, under gates: overrides: or additional:",
      `${gates.map((name) => `{ name: ${name}, network: on }`).join(", ")}`,
    ].join(" "),
    gates,
    [{ key: "network", does: clip(`${names} may reach the network from the sandbox, in this bubble`, 300) }],
  );
}

function ask(
  batch: DecisionBatch,
  what: string,
  gates: readonly string[],
  first: NonNullable<Question["options"]> = [],
): void {
  const named = clip(gates.join(", "), 200);
  const hasMoved = batch.state.workspace?.isBaseMoved === true;
  batch.write("HUMAN_QUESTION", {
    question: clip(`${what}. ${hasMoved ? "The work waits" : "No agent was started yet"}.`, 8000),
    kind: "base-gates",
    gates: takeFitting(gates, room.paths),
    options: [
      ...first,
      { key: "again", does: "runs the gates on the base again" },
      {
        key: "start",
        does: `${hasMoved ? "continues" : "starts the work"} all the same; the gates of the ${hasMoved ? "next" : "first"} round will ask again`,
      },
      {
        key: "waive",
        does: `${named || "the gates"} need not pass, with your reason; the package says so`,
      },
      rejectOption(batch.state),
    ],
  });
}

const listRequiredGates = (state: State) =>
  state.profile.gates
    .filter(({ name, required }) => required && !isWaived(state, name))
    .map(({ name }) => name);

/** What `again` and `start` do to the run that is owed is said by the fold; the others decide more. */
export function decideBaseGatesReply(batch: DecisionBatch, answered: Answered): void {
  const { question, choice, command } = answered;
  const reason = clip(command.message, 2000);
  if (choice === "waive")
    batch.write("GATES_WAIVED", { gates: [...(question.gates ?? [])], reason, ...getViaAndDoor(command) });
  if (choice === "reject") cancel(batch, answered);
}
