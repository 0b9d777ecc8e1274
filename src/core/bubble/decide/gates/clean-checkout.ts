// What the gates said on a clean checkout, as one line of the record: the same for the run that an approval rests on and
// for the one on the untouched base.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import type { CleanRun } from "../../../model/command.ts";
import type { PayloadOf } from "../../../model/record/envelope.ts";
import { takeFitting } from "../../../model/value/sizes.ts";
import { room, shortenResults } from "./results.ts";

type Further = Pick<PayloadOf<"GATES_RESULT">, "attempt" | "base">;

export function writeCleanRun(batch: DecisionBatch, run: CleanRun, more: Further): void {
  const { tree, results, changed, output, clean, commit_message } = run;
  batch.write(
    "GATES_RESULT",
    {
      tree,
      results: shortenResults(results),
      changed: takeFitting(changed, room.paths),
      put_back: [],
      output,
      ...(commit_message === undefined ? {} : { commit_message }),
      clean,
      ...more,
    },
    { refs: [`artifact://${output}`] },
  );
}
