// The order of the test files: those that take longest begin first, so that none is left alone at the end, and the many
// short ones fill what is left. A file that is not in the table comes by its size among the short ones.
import { readFileSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const root = resolve(import.meta.dirname, "..");

/** Seconds that the longer files took when they were last measured; only their order matters. */
export const durations: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(join(import.meta.dirname, "durations.json"), "utf8"),
);

/** Files of one project stand together: a process is kept for the next file only if that is of the same project. */
const projects = ["replacing", "whole", "rules"];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known = files.map((file) => ({
      file,
      project: projects.indexOf(file.project.name),
      seconds: durations[relative(root, file.moduleId)] ?? 0,
      size: statSync(file.moduleId).size,
    }));
    known.sort((a, b) => a.project - b.project || b.seconds - a.seconds || b.size - a.size);
    return known.map(({ file }) => file);
  }
}
