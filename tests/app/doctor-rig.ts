// Programs that are not there: shell scripts in a folder of the test's own, and an adapter that asks for them.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Startable } from "../../src/app/agents/startable.ts";
import type { WantedAgent } from "../../src/app/doctor/agents/wanted.ts";
import type { Probe } from "../../src/ports/agent/adapter.ts";

export type Bench = ReturnType<typeof openBench>;

/** A folder with a repository and programs. */
export function openBench() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pf-bench-")));
  const bin = join(folder, "bin");
  const repo = join(folder, "repo");
  for (const one of [bin, repo]) mkdirSync(one);
  return {
    folder,
    bin,
    repo,
    /** Makes a shell script; returns its path. */
    program(name: string, lines: string, where = bin): string {
      const path = join(where, name);
      writeFileSync(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
      return path;
    },
    read(name: string): string {
      const path = join(folder, name);
      return existsSync(path) ? readFileSync(path, "utf8") : "";
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** An adapter that runs nothing but knows how its program is asked. */
export function probing(name: string, probe: Probe, variables: readonly string[] = []): Startable {
  return {
    name,
    variables,
    check: () => undefined,
    probe: () => probe,
    launch: () => {
      throw new Error("the doctor starts no turn");
    },
  };
}

export const wanting = (agent: string, status: WantedAgent["status"] = "error"): WantedAgent => ({
  name: `agent ${agent}`,
  agent,
  settings: { adapter: agent },
  status,
  file: "/repo/.pairflow/config.yaml",
});
