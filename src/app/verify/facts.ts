// What single messages claim about what is signed: digests and trees, computed again.
import type { Envelope, PayloadOf } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { isPasskeyWanted } from "../../core/permission/proof/door.ts";
import { buildApprovalSubject } from "../../core/signing/package.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { RecordProblem } from "./chain.ts";

/** Whether what was asked, signed and committed is what the record says, computed again. */
export function checkSignatures(world: RecordWorld, state: State, envelope: Envelope): RecordProblem[] {
  const { approval } = state;
  const wrong = (message: string): RecordProblem[] => [{ message: `message ${envelope.seq} ${message}` }];
  switch (envelope.type) {
    case "APPROVAL_REQUEST": {
      const digest = world.hash.sha256(buildApprovalSubject(state, approval?.sha256 ?? ""));
      return digest === envelope.payload.digest
        ? []
        : wrong("asks for approval of a digest that is not the record's");
    }
    case "APPROVAL_DECISION":
      if (envelope.payload.digest !== approval?.digest)
        return wrong("decides about another digest than was asked");
      return lacksProof(state, envelope.payload)
        ? wrong("approves without the passkey's proof it needs")
        : [];
    case "COMMITTED":
      return envelope.payload.tree === approval?.tree ? [] : wrong("commits another tree than was approved");
    default:
      return [];
  }
}

/** The page approves by a proof alone, and settings may want one of everybody. */
function lacksProof(state: State, { decision, via, door }: PayloadOf<"APPROVAL_DECISION">): boolean {
  if (decision !== "approve" || door?.passkey) return false;
  return via === "page" || isPasskeyWanted(state, { type: "approve" });
}
