// Which gates a change calls for. A gate with triggers looks at some files only; without any of them among the changed
// ones it has nothing to say.
import type { Gate } from "../model/gate.ts";
import type { ChangedFile } from "../model/record/payloads/parts.ts";
import { compileGlobs } from "../text/glob.ts";

/** Whether a changed file, by its new or its old path, is one this gate looks at. A glob without a slash means base names. */
export function isTriggered({ trigger }: Pick<Gate, "trigger">, changed: readonly ChangedFile[]): boolean {
  if (trigger === undefined) return true;
  const globs = trigger.map((glob) => glob.replace(/^\.?\//, ""));
  const matches = compileGlobs(globs, { baseName: true });
  const paths = changed.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  return paths.some(matches);
}

/** Gates in the order in which they run: neighbours that are marked parallel side by side, every other one alone. */
export function batchGates<G extends Pick<Gate, "parallel">>(gates: readonly G[]): G[][] {
  const batches: G[][] = [];
  for (const gate of gates) {
    const last = batches.at(-1);
    if (gate.parallel && last?.every((other) => other.parallel)) last.push(gate);
    else batches.push([gate]);
  }
  return batches;
}
