// pairflow complete: what can stand next on a line that is being typed; asked by the shell at every Tab.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProjectAgents } from "../../../app/agents/startable.ts";
import { parseProjectConfig, projectFile } from "../../../app/config/project.ts";
import { findRepo } from "../../../app/host/locate.ts";
import { openPlanFiles } from "../../../app/plans/change.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { listWorkflowFiles } from "../../../app/workflows/locations.ts";
import type { Lifecycle } from "../../../core/model/state.ts";
import { tryOr, tryOrLater } from "../../../core/model/value/try-or.ts";
import { completeLine } from "../../verb/complete.ts";
import { defineVerb, type NamedThing, type Verb } from "../../verb/declaration.ts";

export const defineComplete = (verbs: () => readonly Verb[]): Verb =>
  defineVerb({
    words: "complete",
    about: "What can stand next on a command line that is being typed",
    access: "read",
    hidden: true,
    takes: "-- <word>…",
    flags: {},
    async run(shell, { words }) {
      const repo = shell.env.PAIRFLOW_REPO ?? findRepo(shell.cwd);
      const found = await completeLine(verbs(), words, (thing, states) => listNames(thing, repo, states));
      return { text: found.join("\n"), json: { words: found } };
    },
  });

const listers: Readonly<
  Record<NamedThing, (repo: string, states: readonly Lifecycle[]) => Promise<readonly string[]>>
> = {
  bubble: async (repo, states) => {
    const all = await createRecordWorld(repo).records.summaries();
    const fitting = all.filter(({ summary }) => states.some((state) => state === summary?.state));
    return (fitting.length > 0 ? fitting : all).map(({ id }) => id);
  },
  plan: (repo) => openPlanFiles(repo).list(),
  agent: async (repo) =>
    listProjectAgents(
      parseProjectConfig(
        tryOr(() => readFileSync(join(repo, projectFile), "utf8"), ""),
        projectFile,
      ),
    ),
  workflow: async (repo) => listWorkflowFiles(repo).map(({ name }) => name),
};

/** A shell that asks at every Tab shows no trouble: what cannot be listed is not offered. */
async function listNames(
  thing: NamedThing,
  repo: string | undefined,
  states: readonly Lifecycle[] = [],
): Promise<readonly string[]> {
  if (repo === undefined) return [];
  return tryOrLater(() => listers[thing](repo, states), []);
}
