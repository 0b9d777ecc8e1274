// The repository's git settings are not what they were when the bubble started: a human decides about that.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import { clip } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";

/** Asked before anything is judged. Who made the change is not known, so nobody is named. */
export function decideGitChanged(
  batch: DecisionBatch,
  command: CommandOf<"git-changed">,
): Refusal | undefined {
  const { state } = batch;
  if (state.lifecycle !== "RUNNING" || state.turn?.status === "running")
    return refuse("driver.not-due", "the question about git settings is not due any more");
  const { changes, artifact, sha256 } = command;
  batch.write(
    "HUMAN_QUESTION",
    {
      question: clip(
        `The repository's git settings were changed after the bubble started: ${changes.join("; ")}. ` +
          "Pairflow itself does not use them, but your own git commands in this repository do, and they may run programs. Look at them before you answer.",
        4000,
      ),
      kind: "git-settings",
      ...(state.turn ? { turn: state.turn.id } : {}),
      options: [
        { key: "keep", does: "accepts the settings as they are now; the package names the change" },
        { key: "put-back", does: "brings what was changed back to what it was at the start" },
        rejectOption(state),
      ],
      git: { artifact, sha256 },
    },
    { to: "human", refs: [`artifact://${artifact}`] },
  );
  return undefined;
}
