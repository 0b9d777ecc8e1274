// A bubble of the simulation: two fake agents and a gate, as a person asks for it.
import type { Program } from "../../src/core/model/program.ts";
import { configOf, pairProgram, testGate } from "../core/pair.ts";
import type { Store } from "./store.ts";

/** The first two commands; a program that was expanded before is used again. */
export function buildFirstWords(id: string, known?: Program) {
  const config = configOf({
    ...{ id, bubble_branch: `bubble/${id}`, max_rounds: 30 },
    agent: { alice: { adapter: "fake" }, bob: { adapter: "fake" } } as never,
  });
  const program = known ?? pairProgram(config);
  const create = {
    ...{ type: "create", config, program, base_commit: "base", workflow_artifact: "workflow.json" },
    profile: { gates: [testGate], source: "given by flag", confirmed: true },
    task: { title: "Fix cart totals", criteria: [], artifact: "task.md", excerpt: "Totals are wrong." },
  } as const;
  return { create, start: { type: "start", seat: "tmux" } as const };
}

export async function makeFolder({ records }: Store, id: string): Promise<void> {
  await records.create(id);
  for (const name of ["task.md", "workflow.json"]) await records.put(id, name, "{}");
}
