// Filters that a repository asks for: `filter=<name>` in its committed .gitattributes. None runs unless a person allowed it.
import { openRepo } from "../location.ts";
import { filterSettings, type Kit, tryGit } from "./runner.ts";

/** Each name once, and whether the user's own configuration has a program for it. */
export async function findFilters(
  kit: Kit,
  root: string,
  commit: string,
): Promise<{ name: string; isDefined: boolean }[]> {
  const repo = openRepo(root);
  const args = ["grep", "-hoE", "filter=[A-Za-z0-9_-]+", commit, "--", ":(glob)**/.gitattributes"];
  const { stdout } = await tryGit(kit, repo, args);
  const names = [
    ...new Set(
      stdout
        .split("\n")
        .filter(Boolean)
        .map((text) => text.slice("filter=".length)),
    ),
  ];
  if (names.length === 0) return [];
  const defined = Object.keys(await filterSettings(kit, repo, names));
  return names.sort().map((name) => ({
    name,
    isDefined: defined.some((key) => key.startsWith(`filter.${name}.`)),
  }));
}
