// What of a repository works differently inside a bubble, said when one is made: its commit hooks and its submodules.
import { missingHookNotes } from "../../core/gates/hook-managers.ts";
import type { Program } from "../../core/model/program.ts";
import type { World } from "../../engine/world/world.ts";

interface NotedRepository {
  readonly repo: string;
  readonly baseCommit: string;
  /** The filters that the settings allow. */
  readonly filters?: readonly string[];
}

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
export async function notesAbout(
  world: World,
  { repo, baseCommit, filters = [] }: NotedRepository,
  { steps }: Pick<Program, "steps">,
): Promise<string[]> {
  const [hooks, files, modules, asked] = await Promise.all([
    world.workspace.hooks({ repo, path: repo }),
    world.workspace.filesAt(repo, baseCommit),
    world.workspace.submodules(repo, baseCommit),
    world.workspace.filters(repo, baseCommit),
  ]);
  const runsGates = steps.some(({ kind }) => kind === "gates");
  return [
    ...(runsGates
      ? hooks.map(({ name, path }) => `hook:${name} runs ${path}, as a gate before approval`)
      : []),
    ...(runsGates
      ? missingHookNotes(
          files,
          hooks.map(({ name }) => name),
        )
      : []),
    ...(modules.length > 0 ? [submoduleNote(modules)] : []),
    ...asked.flatMap((filter) => filterNote(filter, filters.includes(filter.name))),
  ];
}

function submoduleNote(modules: readonly string[]): string {
  const named = modules.slice(0, 3).join(", ");
  const more = modules.length > 3 ? ` and ${modules.length - 3} more` : "";
  return `submodules are empty in a bubble (${named}${more}); gates that need them: --setup "git submodule update --init"`;
}
