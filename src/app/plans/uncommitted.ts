// The plans that nobody has committed to yet, for screens that are shown all the time: a glance at the files and nothing
// more. `pairflow plan list` looks closely.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import { parseJson } from "../../core/text/json.ts";
import type { PlanRow } from "../../core/views/page/inbox.ts";

export type UncommittedPlan = Omit<PlanRow, "repo">;

/** The oldest first: what was left lying longest is what wants to be seen. */
export function listUncommittedPlans(repo: string): UncommittedPlan[] {
  const folder = join(repo, ".pairflow", "plans");
  const found = tryOr(() => readdirSync(folder).sort(), []).flatMap((slug) =>
    listUncommitted(join(folder, slug), slug),
  );
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
}

function listUncommitted(folder: string, slug: string): UncommittedPlan[] {
  const read = readPlan(folder, "plan.json");
  // A file that somebody has broken by hand does not make the plan disappear.
  const plan = read ?? (readPlan(folder, ".in-step.json") as { plan?: unknown } | undefined)?.plan;
  if (!isUncommitted(plan)) return [];
  const { title, created_at } = plan;
  const isReady = hasText(folder, ["Mission", "Execution"]);
  const verb = read === undefined ? "plan show" : isReady ? "promote" : "plan edit";
  return [{ slug, title, created_at, next: `pairflow ${verb} ${slug}` }];
}

function readPlan(folder: string, file: string): unknown {
  return tryOr(() => parseJson(readFileSync(join(folder, file), "utf8")), undefined);
}

function isUncommitted(plan: unknown): plan is { title: string; created_at: string } {
  const { committed, title, created_at } = (plan ?? {}) as Record<string, unknown>;
  return committed === false && typeof title === "string" && typeof created_at === "string";
}

/** Whether these sections of plan.md hold more than the comments they began with. */
function hasText(folder: string, sections: readonly string[]): boolean {
  const lines = tryOr(() => readFileSync(join(folder, "plan.md"), "utf8"), "").split(/\r?\n/);
  return sections.every((name) => {
    const start = lines.findIndex((line) => line.trimEnd() === `## ${name}`);
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => line.startsWith("## "));
    const words = rest.slice(0, end < 0 ? undefined : end).filter((line) => !line.startsWith("<!--"));
    return start >= 0 && words.some((line) => line.trim() !== "");
  });
}
