// The repository's git settings are not what they were when the bubble started: a human decides about that.

import { clip } from "../../../model/value/sizes.ts";
import { rejectOption } from "../../../questions/common-options.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";

/** Asked before anything is judged. Who made the change is not known, so nobody is named. */
export const decideGitChanged: Rule<"git-changed"> = (batch, command) => {
  const { state } = batch;
  if (state.lifecycle !== "RUNNING" || state.turn?.status === "running")
    return refuseNotDue("the question about git settings");
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
    { refs: [`artifact://${artifact}`] },
  );
};
