// The payload of a workflow by its name. Names are looked up on the list of workflows and never used as paths.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { listWorkflows } from "../../app/workflows/find.ts";
import { refuse } from "../../core/model/refusal.ts";
import { buildWorkflowPage, type NamedProgram, type WorkflowPage } from "../../core/views/page/workflow.ts";
import { decodePart } from "../http/bubble-path.ts";

/** Undefined when the path names none. */
export function parseWorkflowPath(path: string): string | undefined {
  const [, name] = /^\/api\/workflows\/([^/]+)$/.exec(path) ?? [];
  return name === undefined ? undefined : decodePart(name);
}

export function readWorkflowPage(
  repositories: readonly KnownRepository[],
  name: string,
  query: URLSearchParams,
): Omit<WorkflowPage, "words"> {
  const choices = listChoices(repositories);
  const repo = query.get("repo") || null;
  const found =
    choices.find((choice) => choice.name === name && choice.repo === repo) ??
    choices.find((choice) => choice.name === name);
  if (!found) throw refuse("page.workflow", `there is no workflow ${name}`, "pairflow workflow list");
  return buildWorkflowPage(
    repositories.map((known) => known.name),
    found,
    choices,
  );
}

/** The built-in ones once, then those of each repository. */
function listChoices(repositories: readonly KnownRepository[]): NamedProgram[] {
  const all = repositories.flatMap(({ name: repo, path }) =>
    listWorkflows(path).map(({ name, builtIn, program, description = "", problem = null }) => ({
      name,
      repo: builtIn ? null : repo,
      program,
      description,
      problem,
    })),
  );
  return all.filter(
    (one, at) =>
      one.repo !== null || all.findIndex(({ name, repo }) => repo === null && name === one.name) === at,
  );
}
