// Shows a person the programs that would run, as one list, and asks once.
import type { Confirm } from "../../app/trust/operator-call.ts";
import { renderProgram, type TrustedProgram } from "../../core/trust/program.ts";
import { askKey } from "../terminal/ask.ts";
import type { Shell } from "../verb/declaration.ts";

export const yesFlag = {
  yes: { kind: "switch", about: "print what its settings run and confirm exactly that, without asking" },
} as const;

/** `--yes` confirms what it prints; at a terminal a person is asked; otherwise nobody has confirmed anything. */
export function confirmAt(shell: Shell, yes: boolean): Confirm {
  return async (programs) => {
    if (!yes && !shell.interactive) return false;
    sayPrograms(shell, programs);
    return yes || (await askKey("Run these here, as you? [y/N] ", ["y", "n"], "n")) === "y";
  };
}

export function sayPrograms(shell: Pick<Shell, "say">, programs: readonly TrustedProgram[]): void {
  shell.say("Not yet confirmed for this repository:");
  for (const program of programs) shell.say(`  ${renderProgram(program)}`);
}
