// Gates that misbehave, and scripted implementers who meet them.
import { join } from "node:path";
import { fullPackage, type Rig, shortest } from "../acceptance/rig.ts";
import { configure } from "../cli/gates-scene.ts";

/** Declares these gates as the project's own. They misbehave in rounds: the base is not asked about them. */
export const declare = (tool: Rig, ...gates: readonly object[]) =>
  configure(tool, `gates: ${JSON.stringify({ additional: gates })}`, { base_gates: "off" });

/** A command that does `first` so many times and then `later`, counting outside the tree. */
export function counting(tool: Rig, name: string, { first, times = 1, later = "true" }: Counting): string {
  const file = join(tool.folder, `${name}.count`);
  return `n=$(cat ${file} 2>/dev/null || echo 0); echo $((n + 1)) > ${file}; if [ $n -lt ${times} ]; then ${first}; else ${later}; fi`;
}

interface Counting {
  readonly first: string;
  readonly times?: number;
  readonly later?: string;
}

/** An implementer that hands over, and then says again and again that nothing needs to change. */
export function stubborn(times = 3) {
  const [first, review] = shortest.implementer;
  const idle = {
    role: "implementer",
    steps: [{ pass: { summary: "it is right", no_change: "the gate is not mine", ...fullPackage } }],
  };
  return { ...shortest, implementer: [first, ...Array.from({ length: times }, () => idle), review] };
}
