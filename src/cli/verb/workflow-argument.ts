// The one word that the workflow commands take: the name of a workflow, or a file.

import { buildUsageError } from "../../app/host/usage.ts";
import type { WorkflowFile } from "../../app/workflows/file.ts";
import { findWorkflowAt } from "../../app/workflows/find.ts";
import type { Shell } from "./declaration.ts";

/** The workflow that is meant; throws a usage error when none is, or more than one. */
export function findNamedWorkflow(
  shell: Shell,
  [which, extra]: readonly string[],
  what: string,
): WorkflowFile {
  const example = `pairflow workflow ${what} pair`;
  if (which === undefined)
    throw buildUsageError(
      "usage.missing-word",
      `workflow ${what} needs the name of a workflow, or a file`,
      example,
    );
  if (extra !== undefined)
    throw buildUsageError(
      "usage.extra-word",
      `workflow ${what} takes one workflow, not also ${JSON.stringify(extra)}`,
      example,
    );
  return findWorkflowAt(which, shell.cwd);
}
