// What drivers report about the state of a pair: its view was written, or it contradicts itself.

import { clip } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";
import { getTaskProgress } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";

/** The view of a pair session was written. */
export const decidePairSession: Rule<"pair-session"> = (batch, command) => {
  const known = batch.state.tasks?.[command.task];
  if (!known) return refuseNotDue("this view");
  const { task, artifact, sha256, iteration } = command;
  // A view may be deleted at any time: the line names it and does not vouch for it.
  batch.write("PAIR_SESSION", { task, artifact, sha256, iteration });
};

/** The pair's state cannot be trusted: nothing continues silently, a human gets the whole history that is left. */
export const decidePairCorrupt: Rule<"pair-corrupt"> = (batch, command) => {
  const { state } = batch;
  const mayAsk = state.lifecycle === "RUNNING" || state.lifecycle === "WAITING_HUMAN";
  if (!mayAsk || !state.tasks?.[command.task]) return refuseNotDue("this question");
  const history = (getTaskProgress(state)?.history ?? []).map(
    ({ iteration, summary, critique = "", approved }) =>
      `${iteration}. ${clip(summary, 300)} / ${clip(critique, 300)} (${approved ? "approved" : "not approved"})`,
  );
  batch.write("WARNING", { code: "pair.corrupt", message: clip(command.problem, 1000) });
  batch.write(
    "HUMAN_QUESTION",
    {
      question: clip(
        [
          `The state of the pair ${command.task} is inconsistent: ${command.problem}. What could be saved of its history is in ${command.artifact}.`,
          ...history,
        ].join("\n"),
        8000,
      ),
      kind: "pair-corrupt",
      ...(state.turn ? { turn: state.turn.id } : {}),
      options: [
        { key: "continue", does: "continues from the record; the view of the pair is written anew" },
        rejectOption(state),
      ],
    },
    { refs: [`artifact://${command.artifact}`] },
  );
};
