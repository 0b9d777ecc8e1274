// Whether the tools of a list of gates are on this machine, asked before anybody pays for a turn.
import { installHint } from "../../core/gates/detect/install-hints.ts";
import { isBroughtBySetup } from "../../core/gates/environment.ts";
import { listCommandPrograms } from "../../core/gates/programs.ts";
import type { Gate } from "../../core/model/gate.ts";
import { findProgram } from "../host/programs.ts";

export interface LackingGate {
  readonly gate: Gate;
  /** `golangci-lint is not installed. Install golangci-lint: …`. */
  readonly says: string;
}

/** The gates whose programs a shell would not find, in their order, but for what the setup command brings. */
export function findLackingGates(
  gates: readonly Gate[],
  path: string | undefined,
  setup: string | undefined,
): LackingGate[] {
  return gates.flatMap((gate) => {
    if (isBroughtBySetup(gate, setup)) return [];
    const tool = listCommandPrograms(gate.command).find((program) => !findProgram(program, "/", path));
    return tool === undefined ? [] : [{ gate, says: `${tool} is not installed. ${installHint(gate, tool)}` }];
  });
}
