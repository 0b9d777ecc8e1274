// Results of gates on base commits, in a folder of the record, where no agent may write. They are worth a day: what gates
// need outside of the tree changes too.
import { mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { replaceFile } from "../../adapters/disk/files.ts";
import { listCommandPrograms } from "../../core/gates/programs.ts";
import type { BaseRuns } from "../../ports/record/base-runs.ts";
import { findPackageRoot } from "../host/package-root.ts";
import { findProgram } from "../host/programs.ts";

const dayMs = 24 * 60 * 60_000;

type Env = Readonly<Record<string, string | undefined>>;

export function createBaseRuns(folder: string, env: Env): BaseRuns {
  const file = (key: string) => join(folder, `${key}.json`);
  return {
    surroundings: (commands) => listSurroundings(commands, env),
    async get(key) {
      const found = statSync(file(key), { throwIfNoEntry: false });
      if (!found) return undefined;
      if (Math.abs(Date.now() - found.mtimeMs) < dayMs) return readFileSync(file(key), "utf8");
      rmSync(file(key), { force: true });
      return undefined;
    },
    async put(key, text) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      replaceFile(file(key), text);
    },
  };
}

const variables = ["PATH", "HOME", "NODE_ENV", "CI", "LANG", "LC_ALL", "TZ"];

/** Another machine, another version of Pairflow or Node, another program of the same name: another result. */
function listSurroundings(commands: readonly string[], env: Env): string[] {
  const programs = [...new Set(commands.flatMap(listCommandPrograms))].sort();
  return [
    hostname(),
    process.version,
    readMark(join(findPackageRoot(), "package.json")),
    ...variables.map((name) => env[name] ?? ""),
    ...programs.map((program) => readMark(findProgram(program, "/", env.PATH))),
  ];
}

function readMark(path: string | undefined): string {
  const found = path && statSync(path, { throwIfNoEntry: false });
  return found ? `${path} ${found.size} ${found.mtimeMs}` : "missing";
}
