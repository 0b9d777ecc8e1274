// Whether anything about the plans of a repository was written, by names, sizes and times of their files.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const files = ["plan.json", "plan.md", "tasks.json", "amendments.json"] as const;

export function readPlanStamp(repo: string): string {
  const folder = join(repo, ".pairflow", "plans");
  try {
    const slugs = readdirSync(folder).sort();
    return slugs
      .map((slug) => `${slug} ${files.map((name) => stampFile(join(folder, slug, name))).join(" ")}`)
      .join("\n");
  } catch {
    return "";
  }
}

function stampFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.size}@${found.mtimeMs}` : "-";
}
