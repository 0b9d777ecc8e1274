// A scope or severity rule, a trigger or an SOP names globs; paths come from the tree. Neither may cost seconds.
import { expect, it } from "vitest";
import { isTriggered } from "../../src/core/gates/trigger.ts";
import { findScopeViolations } from "../../src/core/permission/scope.ts";
import { isCore } from "../../src/core/state/severity.ts";
import { compileGlob } from "../../src/core/text/glob.ts";

const hostile = [
  "**/*a*a*a*a*b",
  "*a*a*a*a*a*a*a*a*b",
  "**/a/**/a/**/a/**/a/**/b",
  "+(a|aa)+(a|aa)+(a|aa)b",
  "*(*(a)|*(aa))b",
  "@(+(a)|b)+(+(a))c",
  "!(*a*a*a*b)!(*a*a)c",
  "{a,aa}{a,aa}{a,aa}{a,aa}*b",
];
const paths = [
  `${"a".repeat(200)}`,
  `${"a".repeat(4000)}c`,
  `${"a/".repeat(1000)}c`,
  `${"a/".repeat(300)}${"a".repeat(300)}`,
];

/** Far above what a linear matcher needs on a loaded machine, far below what backtracking takes. */
const limitMs = 2000;

function quick<T>(what: string, work: () => T): T {
  const from = performance.now();
  const result = work();
  expect(performance.now() - from, what).toBeLessThan(limitMs);
  return result;
}

it.each(hostile)("%s answers at once on every path", (pattern) => {
  for (const path of paths) quick(path.slice(0, 20), () => compileGlob(pattern)(path));
});

it("scope rules, severity rules and triggers ask the same matcher", () => {
  const pattern = "**/*a*a*a*a*b";
  const path = "a".repeat(200);
  const scope = { in: [pattern], out: [], do_not_touch: [] };
  expect(quick("scope", () => findScopeViolations([path], scope, []))).toEqual([
    `${path} is not in scope (scope.in)`,
  ]);
  const rules = { core_paths: [pattern], core_areas: [] };
  expect(quick("severity", () => isCore({ file: path }, rules))).toBe(false);
  const changed = [{ path, status: "added", added: 1, removed: 0 } as const];
  expect(quick("trigger", () => isTriggered({ trigger: [pattern] }, changed))).toBe(false);
});
