// What single messages claim about what is signed: digests and trees, computed again.
import type { Envelope } from "../../core/model/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { approvalSubject } from "../../core/signing/package.ts";
import type { RecordWorld } from "../../engine/world/world.ts";
import type { Problem } from "./chain.ts";

/** Whether what was asked, signed and committed is what the record says, computed again. */
export function signatureProblems(world: RecordWorld, state: State, envelope: Envelope): Problem[] {
  const { approval } = state;
  const wrong = (message: string): Problem[] => [{ message: `message ${envelope.seq} ${message}` }];
  switch (envelope.type) {
    case "APPROVAL_REQUEST": {
      const digest = world.hash.sha256(approvalSubject(state, approval?.sha256 ?? ""));
      return digest === envelope.payload.digest
        ? []
        : wrong("asks for approval of a digest that is not the record's");
    }
    case "APPROVAL_DECISION":
      return envelope.payload.digest === approval?.digest
        ? []
        : wrong("decides about another digest than was asked");
    case "COMMITTED":
      return envelope.payload.tree === approval?.tree ? [] : wrong("commits another tree than was approved");
    default:
      return [];
  }
}
