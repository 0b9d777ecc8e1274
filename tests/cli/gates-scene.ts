// A repository that declares its gates, and bubbles of scripted agents that run into them.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GateResult } from "../../src/core/model/gate.ts";
import type { PayloadOf } from "../../src/core/model/record/envelope.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { fullPackage, type Rig, shortest } from "../acceptance/rig.ts";

/** Commits a configuration; reviews are not the subject here and need no evidence. */
export function configure(tool: Rig, gates: string, more: object = {}): void {
  const defaults = { review: { require_evidence: false }, ...more };
  tool.write(".pairflow/config.yaml", `${gates.trimEnd()}\ndefaults: ${JSON.stringify(defaults)}\n`);
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "--allow-empty", "-m", "configure");
}

/** An implementer that takes these steps, then those of the next turns, and reviews at the end. */
export function implementing(...turns: (readonly unknown[])[]) {
  const work = turns.map((steps) => ({
    role: "implementer",
    steps: [...steps, { pass: { summary: "done", ...fullPackage } }],
  }));
  return { ...shortest, implementer: [...work, shortest.implementer[1]] };
}

export const writes = (path: string, text: string) => ({ write: { path, text } });

/** Creates a bubble on the gates that the project declares, and drives it until it waits. */
export async function bubble(
  tool: Rig,
  id: string,
  turns: { implementer: unknown; reviewer: unknown } = shortest,
  flags: readonly string[] = [],
): Promise<StatusView> {
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--yes", ...flags);
  const agents = Object.entries({ codex: turns.implementer, claude: turns.reviewer }).map(
    ([name, script]) => {
      const file = JSON.stringify(tool.script(`${id}-${name}`, script));
      return `\n[agent.${name}]\nadapter = "scripted"\nscript = ${file}\n`;
    },
  );
  const toml = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  writeFileSync(toml, readFileSync(toml, "utf8") + agents.join(""));
  await tool.ok("bubble", "start", "--id", id, "--headless");
  return tool.status(id);
}

/** The results of each run of the gates on a handoff, in order. */
export function runs(tool: Rig, id: string): GateResult[][] {
  return tool
    .log(id)
    .flatMap((line) => (line.type === "GATES_RESULT" && !line.payload.clean ? [line.payload.results] : []));
}

const cleanRuns = (tool: Rig, id: string): PayloadOf<"GATES_RESULT">[] =>
  tool.log(id).flatMap((line) => (line.type === "GATES_RESULT" && line.payload.clean ? [line.payload] : []));

/** Each run of the gates that an approval rests on, in order. */
export const finalRuns = (tool: Rig, id: string) => cleanRuns(tool, id).filter(({ base }) => !base);

/** Each run of the gates on the untouched base, in order. */
export const baseRuns = (tool: Rig, id: string) => cleanRuns(tool, id).filter(({ base }) => base);

export function questions(tool: Rig, id: string): string[] {
  return tool.log(id).flatMap((line) => (line.type === "HUMAN_QUESTION" ? [line.payload.question] : []));
}

/** Puts a program on the PATH of this rig's commands. */
export function install(tool: Rig, name: string, script: string): void {
  const folder = join(tool.folder, "tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
}

/** The same rig with those programs on its PATH. */
export function equipped(tool: Rig): Rig {
  return tool.with({ PATH: `${join(tool.folder, "tools")}:${tool.env.PATH ?? ""}` });
}
