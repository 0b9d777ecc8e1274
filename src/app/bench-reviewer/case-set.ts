// The set of cases as it is shipped: a small repository whose tests pass, and changes to it.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { nodeHash } from "../../adapters/clock/node.ts";
import { buildCases, type Case, ChangeFile, type MeasuredChange } from "../../core/measure/case.ts";
import { check } from "../../core/model/value/validate.ts";
import { Failure } from "../../ports/failure.ts";
import { readYaml } from "../files/yaml.ts";
import { findPackageRoot } from "../host/package-root.ts";

export interface CaseSet {
  /** Names the set: another file in it is another set. */
  readonly version: string;
  /** The files of the repository before any change, by path. */
  readonly repository: Readonly<Record<string, string>>;
  readonly changes: readonly MeasuredChange[];
  readonly cases: readonly Case[];
}

/** Reads the shipped set. */
export function readCaseSet(folder: string = join(findPackageRoot(), "bench-cases")): CaseSet {
  const names = readdirSync(join(folder, "changes")).sort();
  const changes = names.map((name) => readChange(join(folder, "changes", name), name));
  const version = nodeHash.sha256(JSON.stringify(readTexts(folder))).slice(0, 12);
  return {
    version,
    repository: readTexts(join(folder, "repository")),
    changes,
    cases: changes.flatMap(buildCases),
  };
}

function readChange(folder: string, name: string): MeasuredChange {
  const file = join(folder, "change.yaml");
  const { value } = readYaml(readFileSync(file, "utf8"), file, "bench.bad-case");
  const checked = check(ChangeFile, value);
  if (!checked.ok) {
    const [issue] = checked.issues;
    throw new Failure("bench.bad-case", `${file}: ${issue?.path.join(".")} ${issue?.message}`);
  }
  return { ...checked.value, name, after: readTexts(join(folder, "after")) };
}

/** Every file below a folder, by its path from there, in a fixed order. */
function readTexts(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}
