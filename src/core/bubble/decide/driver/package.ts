// The package is on disk: what a human is asked then.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { isFinalRunDue } from "../../../judge/gate-runs/final.ts";
import type { State } from "../../../model/state.ts";
import { listSentencesBeforeSigning } from "../../../package/list.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";
import { type Rule, refuseNotDue } from "../../decision.ts";

/** The package and its digest are on disk: a human is asked to approve exactly that. */
export const decidePackageWritten: Rule<"package-written"> = (batch, command) => {
  const { state } = batch;
  if (
    getCurrentStep(state)?.kind !== "approval" ||
    state.lifecycle !== "RUNNING" ||
    command.tree !== state.tree?.id ||
    isFinalRunDue(state)
  )
    return refuseNotDue("the package");
  const refs = [`artifact://${command.artifact}`];
  batch.write(
    "DONE_PACKAGE",
    {
      package: state.package ?? {},
      tree: command.tree,
      artifact: command.artifact,
      sha256: command.sha256,
      weak: listSentencesBeforeSigning(state).map(({ text }) => text),
    },
    { refs },
  );
  if (!isUnderstood(state)) return askComprehension(batch, command.artifact);
  batch.write("APPROVAL_REQUEST", { digest: command.digest, tree: command.tree }, { refs });
};

/** A document is signed only by somebody who says in their own words what it means. */
const isUnderstood = ({ config, comprehension, tree }: State) =>
  config.kind !== "document" || comprehension?.tree === tree?.id;

function askComprehension(batch: DecisionBatch, artifact: string): undefined {
  batch.write("HUMAN_QUESTION", {
    question: `Read ${artifact}: what will be built, for whom, and what will not? Answer in your own words; without that nobody is asked to approve ${batch.state.config.document ?? "the document"}.`,
    kind: "comprehension",
    options: [
      { key: "understood", does: "your words are kept on the record, and approval is asked for" },
      { key: "unclear", does: "the author explains it better; your words go with the request" },
    ],
  });
}
