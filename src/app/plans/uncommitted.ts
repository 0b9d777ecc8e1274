// The plans that nobody has committed to yet, for screens that are shown all the time: a glance at the files and nothing
// more. `pairflow plan list` looks closely.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface UncommittedPlan {
  readonly slug: string;
  readonly title: string;
  readonly created_at: string;
  /** What to type next. */
  readonly next: string;
}

/** The oldest first: what was left lying longest is what wants to be seen. */
export function uncommittedPlans(repo: string): UncommittedPlan[] {
  const folder = join(repo, ".pairflow", "plans");
  const found = foldersIn(folder).flatMap((slug) => glance(join(folder, slug), slug));
  return found.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0));
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

function glance(folder: string, slug: string): UncommittedPlan[] {
  try {
    const plan: unknown = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8"));
    if (!isUncommitted(plan)) return [];
    const { title, created_at } = plan;
    const isReady = saysSomething(folder, ["Mission", "Execution"]);
    return [{ slug, title, created_at, next: `pairflow ${isReady ? "promote" : "plan edit"} ${slug}` }];
  } catch {
    return [];
  }
}

function isUncommitted(plan: unknown): plan is { title: string; created_at: string } {
  const { committed, title, created_at } = (plan ?? {}) as Record<string, unknown>;
  return committed === false && typeof title === "string" && typeof created_at === "string";
}

/** Whether these sections of plan.md hold more than the comments they began with. */
function saysSomething(folder: string, sections: readonly string[]): boolean {
  const lines = readFileSync(join(folder, "plan.md"), "utf8").split(/\r?\n/);
  return sections.every((name) => {
    const start = lines.findIndex((line) => line.trimEnd() === `## ${name}`);
    const rest = lines.slice(start + 1);
    const end = rest.findIndex((line) => line.startsWith("## "));
    const words = rest.slice(0, end < 0 ? undefined : end).filter((line) => !line.startsWith("<!--"));
    return start >= 0 && words.some((line) => line.trim() !== "");
  });
}
