// What may be disputed: findings that are open, and that no human has upheld.
import type { CommandOf } from "../../../model/command.ts";
import { type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";

export function checkDispute(state: State, command: CommandOf<"pass">): Refusal | undefined {
  for (const dispute of command.disputes ?? []) {
    const finding = state.findings.find((known) => known.id === dispute.id);
    if (finding?.status !== "open")
      return refuse(
        "finding.not-open",
        `${dispute.id} is not an open finding`,
        `pairflow bubble status --id ${state.bubbleId}`,
      );
    if (finding.dispute?.settled)
      return refuse(
        "finding.settled",
        `a human upheld ${dispute.id}; it cannot be disputed again`,
        `fix ${dispute.id}, then: pairflow pass --summary "…"`,
      );
  }
}
