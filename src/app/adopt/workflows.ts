// Workflow files with tasks and overlays: the language is the same, so a file that loads is taken as it is, and one that does not
// is reported with line and column.
import { basename, join } from "node:path";
import { findWorkflowAt } from "../workflows/find.ts";
import { type AdoptStep, findComplaint, findFileText, listEntryNames, mapFile } from "./step.ts";

/** Where such files usually are; others are named on the command line. */
const folders = ["workflows", ".workflows", ".workflow"];
const isYaml = (name: string) => /\.ya?ml$/.test(name);

export function listWorkflowSteps(repo: string, named: readonly string[]): AdoptStep[] {
  const found = folders.flatMap((folder) =>
    listEntryNames(join(repo, folder))
      .filter(isYaml)
      .map((name) => `${folder}/${name}`),
  );
  const overlays = found.filter((file) => /^tasks:/m.test(findFileText(join(repo, file)) ?? ""));
  return [...new Set([...overlays, ...named])].map((file) => mapWorkflow(repo, file));
}

function mapWorkflow(repo: string, from: string): AdoptStep {
  const text = findFileText(join(repo, from));
  if (text === undefined) return { from, result: "left", why: "there is no such file" };
  const complaint = findComplaint(() => findWorkflowAt(`./${from}`, repo));
  if (complaint !== undefined) return { from, result: "left", why: complaint };
  const name = basename(from).replace(/\.ya?ml$/, "");
  const step = mapFile(
    repo,
    from,
    `.pairflow/workflows/${name}.yaml`,
    text,
    "tasks and overlays are the same language",
  );
  return { ...step, next: `pairflow workflow show ${name}` };
}
