// Which workflow a subject starts: the one whose `trigger.subject` says so, or the one of that name. And what a workflow
// names that there is not, which its author should know before a run reaches it.
import { readFileSync } from "node:fs";
import { suggestWord } from "../../core/text/nearest.ts";
import type { WorkflowProblem } from "../../core/workflow/problem.ts";
import { readYaml } from "../files/yaml.ts";
import { buildUsageError } from "../host/usage.ts";
import { listWorkflowFiles, longestWorkflow, type WorkflowPlace } from "./locations.ts";

const prefix = "workflow.trigger.";
type Table = Readonly<Record<string, unknown>>;

/** The name under which a workflow is loaded that is started by `workflow.trigger.<word>`. Throws when two say they are. */
export function findTriggeredWorkflow(word: string, repo: string | undefined): string {
  const bound = listWorkflowFiles(repo).filter((place) => findSubjectIn(place) === `${prefix}${word}`);
  const [first, second] = bound;
  if (first && second)
    throw buildUsageError(
      "workflow.two-triggers",
      `${first.path} and ${second.path} are both started by ${prefix}${word}`,
      `change trigger.subject in one of them: ${second.path}`,
    );
  return first?.name ?? word;
}

/** The subject that a workflow says it is started by; a file that cannot be read says nothing here. */
function findSubjectIn({ path, builtIn }: WorkflowPlace): string | undefined {
  if (builtIn) return undefined;
  try {
    const { value } = readYaml(readFileSync(path, "utf8"), path, "workflow.syntax", longestWorkflow);
    const subject = buildTable(buildTable(value).trigger).subject;
    return typeof subject === "string" ? subject : undefined;
  } catch {
    return undefined;
  }
}

/** Workflows that a document starts and that are nowhere to be found, each at its place. */
export function findUnknownTargets(value: unknown, repo: string | undefined): WorkflowProblem[] {
  const named = listTargetsIn(value).filter(({ word }) => !word.includes("${"));
  if (named.length === 0) return [];
  const places = listWorkflowFiles(repo);
  const names = places.map(({ name }) => name);
  const unknown = named.filter(({ word }) => !names.includes(word));
  // Other files are read only where a name alone leads nowhere.
  const subjects = unknown.length > 0 ? places.map(findSubjectIn) : [];
  return unknown
    .filter(({ word }) => !subjects.includes(`${prefix}${word}`))
    .map(({ word, path }) => ({
      path,
      message: `there is no workflow ${word}${suggestWord(word, names)}: a run that comes here asks a human`,
    }));
}

interface Target {
  readonly word: string;
  readonly path: (string | number)[];
}

function listTargetsIn(value: unknown): Target[] {
  const { steps } = buildTable(value);
  return (Array.isArray(steps) ? steps : []).flatMap((step, i) => {
    const { kind, workflow, action, children } = buildTable(step);
    const subject = buildTable(action).subject;
    return [
      ...(typeof subject === "string" && subject.startsWith(prefix)
        ? [{ word: subject.slice(prefix.length), path: ["steps", i, "action", "subject"] }]
        : []),
      ...((kind === "start" || kind === "children") && typeof workflow === "string"
        ? [{ word: workflow, path: ["steps", i, "workflow"] }]
        : []),
      ...(Array.isArray(children) ? children : []).flatMap((child, j) => {
        const word = buildTable(child).workflow;
        return typeof word === "string" ? [{ word, path: ["steps", i, "children", j, "workflow"] }] : [];
      }),
    ];
  });
}

const buildTable = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};
