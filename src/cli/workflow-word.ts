// The one word that the workflow commands take: the name of a workflow, or a file.
import { workflowAt } from "../app/workflows.ts";
import type { Program } from "../core/model/program.ts";
import { usage } from "./outcome.ts";
import type { Shell } from "./verb.ts";

/** The program that is meant; throws a usage error when none is, or more than one. */
export function programNamed(shell: Shell, [which, extra]: readonly string[], what: string): Program {
  const example = `pairflow workflow ${what} pair`;
  if (which === undefined)
    throw usage("usage.missing-word", `workflow ${what} needs the name of a workflow, or a file`, example);
  if (extra !== undefined)
    throw usage(
      "usage.extra-word",
      `workflow ${what} takes one workflow, not also ${JSON.stringify(extra)}`,
      example,
    );
  return workflowAt(which, shell.cwd);
}
