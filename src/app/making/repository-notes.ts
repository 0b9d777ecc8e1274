// What of a repository works differently inside a bubble, said when one is made: its commit hooks and its submodules.
import { noteMissingHooks } from "../../core/gates/detect/hook-managers.ts";
import type { World } from "../../engine/front/world.ts";
import type { SettledBubble } from "./wanted.ts";

/** What becomes of the files of a filter; nothing where it runs as its user means it. */
export function filterNote(
  { name, isDefined }: { readonly name: string; readonly isDefined: boolean },
  isAllowed: boolean,
): string[] {
  const what = `files with filter=${name} stay as git has them${name === "lfs" ? " (pointers, not contents)" : ""}`;
  if (!isAllowed)
    return [
      `${what}: no filter runs unless you allow it; to allow it, git_filters = ["${name}"] in bubble.toml`,
    ];
  if (isDefined) return [];
  const fix = name === "lfs" ? "git lfs install" : `git config --global filter.${name}.clean "<command>"`;
  return [`${what}: git_filters allows it, but your own git configuration has no program for it: ${fix}`];
}

/** One line each; none for a repository without either. */
export async function listRepositoryNotes(
  { workspace }: World,
  { config, baseCommit, workflow }: Pick<SettledBubble, "config" | "baseCommit" | "workflow">,
): Promise<string[]> {
  const { repo_path: repo, git_filters: allowed = [] } = config;
  const [hooks, files, modules, asked] = await Promise.all([
    workspace.hooks({ repo, path: repo }),
    workspace.filesAt(repo, baseCommit),
    workspace.submodules(repo, baseCommit),
    workspace.filters(repo, baseCommit),
  ]);
  const runsGates = workflow.program.steps.some(({ kind }) => kind === "gates");
  const names = hooks.map(({ name }) => name);
  return [
    ...(runsGates
      ? hooks.map(({ name, path }) => `hook:${name} runs ${path}, as a gate before approval`)
      : []),
    ...(runsGates ? noteMissingHooks(files, names) : []),
    ...(modules.length > 0 ? [describeSubmoduleNote(modules)] : []),
    ...asked.flatMap((filter) => filterNote(filter, allowed.includes(filter.name))),
  ];
}

function describeSubmoduleNote(modules: readonly string[]): string {
  const named = modules.slice(0, 3).join(", ");
  const more = modules.length > 3 ? ` and ${modules.length - 3} more` : "";
  return `submodules are empty in a bubble (${named}${more}); gates that need them: --setup "git submodule update --init"`;
}
