// Which files a bubble may change. Checked at every handoff and again before the commit.
import type { BubbleConfig } from "../model/config.ts";
import { compileGlobs } from "../text/glob.ts";
import { inLists } from "./narrow.ts";

const matches = (path: string, globs: readonly string[]) => compileGlobs(globs)(path);

/** One sentence for each file outside the bubble's scope; paths a human allowed by name are left out. */
export function scopeViolations(
  paths: readonly string[],
  scope: BubbleConfig["scope"],
  allowed: readonly string[],
): string[] {
  const problems: string[] = [];
  for (const path of paths) {
    if (matches(path, allowed)) continue;
    if (matches(path, scope.do_not_touch)) problems.push(`${path} must not be touched (scope.do_not_touch)`);
    else if (matches(path, scope.out)) problems.push(`${path} is out of scope (scope.out)`);
    else if (!inLists(scope).every((list) => matches(path, list)))
      problems.push(`${path} is not in scope (scope.in)`);
  }
  return problems;
}
