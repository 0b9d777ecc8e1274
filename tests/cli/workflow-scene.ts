// A repository whose scripted agents are configured for the whole project, and workflows written for one test.
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { fullPackage, type Ran, type Rig } from "../acceptance/rig.ts";

/** Commits a configuration with these agents; reviews are not the subject here and need no evidence. */
export function configure(tool: Rig, agents: Readonly<Record<string, readonly unknown[]>>, more = ""): void {
  const lines = Object.entries(agents).map(
    ([name, turns]) =>
      `  ${name}: { adapter: scripted, script: ${JSON.stringify(tool.script(name, turns))} }`,
  );
  const own = more.includes("defaults:")
    ? more
    : `defaults: { review: { require_evidence: false } }\n${more}`;
  tool.write(".pairflow/config.yaml", `agents:\n${lines.join("\n")}\n${own}\n`);
  tool.git("add", "-A");
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "--allow-empty", "-m", "configure");
}

/** A turn that writes a file and hands it over. */
export const makes = (path: string, text: string, ...before: unknown[]) => ({
  steps: [...before, { write: { path, text } }, { pass: { summary: `wrote ${path}`, ...fullPackage } }],
});

export const approves = { steps: [{ pass: { summary: "nothing found", no_findings: true } }] };

export const run = (tool: Rig, ...args: string[]): Promise<Ran> => tool.run("workflow", "run", ...args);

/** The steps as they were left, each with what it came to. */
export function walked(log: readonly Envelope[]): string[] {
  return log.flatMap((line) =>
    line.type === "STEP_ADVANCED" && line.payload.from !== null
      ? [`${line.payload.from} ${line.payload.outcome}`]
      : [],
  );
}

export function linesOf<T extends Envelope["type"]>(log: readonly Envelope[], type: T) {
  return log.filter((line): line is Extract<Envelope, { type: T }> => line.type === type);
}
