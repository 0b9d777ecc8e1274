// Which files a bubble may change. Checked at every handoff and again before the commit.
import type { BubbleConfig } from "../model/config.ts";
import { compileGlobs } from "../text/glob.ts";
import { listInLists } from "./scope-intersection.ts";

const isMatch = (path: string, globs: readonly string[]) => compileGlobs(globs)(path);

/** One sentence for each file outside the bubble's scope; paths a human allowed by name are left out. */
export function findScopeViolations(
  paths: readonly string[],
  scope: BubbleConfig["scope"],
  allowed: readonly string[],
): string[] {
  const problems: string[] = [];
  for (const path of paths) {
    if (isMatch(path, allowed)) continue;
    if (isMatch(path, scope.do_not_touch)) problems.push(`${path} must not be touched (scope.do_not_touch)`);
    else if (isMatch(path, scope.out)) problems.push(`${path} is out of scope (scope.out)`);
    else if (!listInLists(scope).every((list) => isMatch(path, list)))
      problems.push(`${path} is not in scope (scope.in)`);
  }
  return problems;
}
