// Workflow files with tasks and overlays: the language is the same, so a file that loads is taken as it is, and one that does not
// is reported with line and column.
import { basename } from "node:path";
import { findWorkflowAt } from "../workflows/find.ts";
import { type AdoptFiles, mapFile } from "./files.ts";
import { type AdoptStep, findComplaint } from "./step.ts";

const noSuchFile = "there is no such file, read from the top of the repository";

/** Where such files usually are; others are named on the command line. */
const folders = ["workflows", ".workflows", ".workflow"];
const isYaml = (name: string) => /\.ya?ml$/.test(name);

export function listWorkflowSteps(files: AdoptFiles, named: readonly string[]): AdoptStep[] {
  const found = folders.flatMap((folder) =>
    files
      .list(folder)
      .filter(isYaml)
      .map((name) => `${folder}/${name}`),
  );
  const overlays = found.filter((file) => /^tasks:/m.test(files.find(file) ?? ""));
  return [...new Set([...overlays, ...named])].flatMap((file) => mapWorkflow(files, file));
}

function mapWorkflow(files: AdoptFiles, from: string): AdoptStep[] {
  const text = files.find(from);
  if (text === undefined) return files.isUnread(from) ? [] : [{ from, result: "left", why: noSuchFile }];
  const complaint = findComplaint(() => findWorkflowAt(`./${from}`, files.repo));
  if (complaint !== undefined) return [{ from, result: "left", why: complaint }];
  const name = basename(from).replace(/\.ya?ml$/, "");
  const step = mapFile(
    files,
    from,
    `.pairflow/workflows/${name}.yaml`,
    text,
    "tasks and overlays are the same language",
  );
  return [{ ...step, next: `pairflow workflow show ${name}` }];
}
