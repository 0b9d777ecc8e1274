// One program that settings name: how it is compared and shown, and the gates as such. The whole list, which knows every
// kind of setting, is made elsewhere: agents' verbs load this file.
import { escapeInvisible } from "../gates/escape-invisible.ts";
import type { Gate } from "../model/gate.ts";

export interface TrustedProgram {
  /** The setting that names it: `gate test`, `agent codex`, `setup`. */
  readonly setting: string;
  /** What runs, as it is shown and compared. */
  readonly runs: string;
}

export const listGatePrograms = (gates: readonly Gate[]): TrustedProgram[] =>
  gates.map((gate) => ({ setting: `gate ${gate.name}`, runs: describeGateRun(gate) }));

function describeGateRun({ command, working_dir, network }: Gate): string {
  const where = working_dir === undefined ? "" : ` (in ${working_dir})`;
  return `${command}${where}${network === "on" ? " (with network)" : ""}`;
}

/** What a repository has that says nothing about Pairflow: gates and setup, which every screen shows anyway. */
export const isUsualProgram = ({ setting }: TrustedProgram): boolean =>
  setting === "setup" || setting.startsWith("gate ");

/** What tells one program from another; under which name a gate or an agent goes does not matter. */
export function getProgramKey({ setting, runs }: TrustedProgram): string {
  return JSON.stringify([setting.split(" ")[0], runs]);
}

/** `gate test      npm test`, with everything to be seen that a screen would hide. */
export const renderProgram = ({ setting, runs }: TrustedProgram) =>
  `${setting.padEnd(14)} ${escapeInvisible(runs)}`;

/** Those of a list that are in none of the others. */
export function listUnknownPrograms(
  programs: readonly TrustedProgram[],
  known: ReadonlySet<string>,
): TrustedProgram[] {
  return programs.filter((program) => !known.has(getProgramKey(program)));
}
