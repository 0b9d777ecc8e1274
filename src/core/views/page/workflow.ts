// A workflow that nobody runs, as a graph, and the others that can be chosen.

import type { Program } from "../../model/program.ts";
import { buildProgramGraph, type GraphView } from "./graph.ts";
import type { PageHeader } from "./payload.ts";

/** One workflow that has a name. */
export interface WorkflowChoice {
  readonly name: string;
  /** The repository it belongs to; null: built in. */
  readonly repo: string | null;
  readonly problem: string | null;
}

export interface WorkflowPage extends PageHeader {
  readonly page: "program";
  readonly name: string;
  readonly repo: string | null;
  readonly version: string;
  readonly description: string;
  readonly choices: readonly WorkflowChoice[];
  /** Null: it cannot be loaded, and its choice says why. */
  readonly graph: GraphView | null;
}

export interface NamedProgram extends WorkflowChoice {
  readonly program: Program | undefined;
  readonly description: string;
}

export function buildWorkflowPage(
  repositories: readonly string[],
  { name, repo, program, description }: NamedProgram,
  choices: readonly NamedProgram[],
): Omit<WorkflowPage, "words"> {
  return {
    page: "program",
    repositories,
    waiting: null,
    name,
    repo,
    version: program?.version ?? "",
    description,
    choices: choices.map(({ name, repo, problem }) => ({ name, repo, problem })),
    graph: program ? buildProgramGraph(program) : null,
  };
}
