// Taking over what earlier tools left in a repository: everything is looked at first, then written. Nothing is overwritten and
// nothing is deleted, so doing it twice changes nothing the second time.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Failure } from "../../ports/failure.ts";
import { openFiles } from "./files.ts";
import { listPipelineSteps } from "./pipeline.ts";
import { listRecordSteps } from "./records.ts";
import { listSemspecSteps } from "./semspec.ts";
import type { AdoptStep } from "./step.ts";
import { listWorkflowSteps } from "./workflows.ts";

/** What was found, and what becomes of each. Nothing is changed. */
export function planAdoption(repo: string, workflows: readonly string[]): AdoptStep[] {
  const files = openFiles(repo);
  const steps = [
    ...listPipelineSteps(files),
    ...listWorkflowSteps(files, workflows),
    ...listSemspecSteps(files),
    ...listRecordSteps(files),
  ];
  return [...steps, ...files.unread];
}

/** Does what was planned. Throws Failure `adopt.failed` with the first file that cannot be written. */
export function applyAdoption(repo: string, steps: readonly AdoptStep[]): void {
  for (const { from, to, write } of steps) {
    if (!to || !write) continue;
    try {
      mkdirSync(join(repo, dirname(to)), { recursive: true });
      if (write.kind === "move") renameSync(join(repo, from), join(repo, to));
      else if (write.kind === "append") appendFileSync(join(repo, to), write.text);
      else writeFileSync(join(repo, to), write.text, { flag: "wx" });
    } catch (cause) {
      throw new Failure("adopt.failed", `${to} could not be written: ${(cause as Error).message}`, {
        hint: "pairflow adopt --dry-run",
        cause,
      });
    }
  }
}
