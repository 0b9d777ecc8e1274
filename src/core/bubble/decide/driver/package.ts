// The package is on disk: what a human is asked then.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import { isFinalRunDue } from "../../../judge/gate-runs/final.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { listSentencesBeforeSigning } from "../../../package/list.ts";
import { getCurrentStep } from "../../../state/workflow-position.ts";

/** The package and its digest are on disk: a human is asked to approve exactly that. */
export function decidePackageWritten(
  batch: DecisionBatch,
  command: CommandOf<"package-written">,
): Refusal | undefined {
  const { state } = batch;
  if (
    getCurrentStep(state)?.kind !== "approval" ||
    state.lifecycle !== "RUNNING" ||
    command.tree !== state.tree?.id ||
    isFinalRunDue(state)
  )
    return refuse("driver.not-due", "the package is not due any more");
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
    { to: "human", refs },
  );
  if (!isUnderstood(state)) return askComprehension(batch, command.artifact);
  batch.write("APPROVAL_REQUEST", { digest: command.digest, tree: command.tree }, { to: "human", refs });
  return undefined;
}

/** A document is signed only by somebody who says in their own words what it means. */
const isUnderstood = ({ config, comprehension, tree }: State) =>
  config.kind !== "document" || comprehension?.tree === tree?.id;

function askComprehension(batch: DecisionBatch, artifact: string): undefined {
  batch.write(
    "HUMAN_QUESTION",
    {
      question: `Read ${artifact}: what will be built, for whom, and what will not? Answer in your own words; without that nobody is asked to approve ${batch.state.config.document ?? "the document"}.`,
      kind: "comprehension",
      options: [
        { key: "understood", does: "your words are kept on the record, and approval is asked for" },
        { key: "unclear", does: "the author explains it better; your words go with the request" },
      ],
    },
    { to: "human" },
  );
}
