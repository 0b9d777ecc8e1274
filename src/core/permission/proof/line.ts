// A proof beside the line it granted: whether the line says what was signed.

import { approveAndCommit, type Proof } from "../../model/page/proof.ts";
import type { Envelope } from "../../model/record/envelope.ts";
import { clip } from "../../model/value/sizes.ts";
import { tryParseJson } from "../../text/json.ts";
import { checkProof } from "./check.ts";

type Said = Partial<Record<string, unknown>>;

/** Why the proof does not stand for the line; `head`: the hash of the line before the command's first one. */
export function checkProofLine(envelope: Envelope, proof: Proof, head: string): string | undefined {
  const bubble = envelope.bubble_id;
  if (envelope.type === "APPROVAL_DECISION") {
    const { decision, digest } = envelope.payload;
    if (decision !== "approve") return "it was given for an approval";
    return checkProof(proof, { kind: "approve", bubble, digest, head, decision: approveAndCommit });
  }
  if (proof.subject.kind !== "grant") return "it was given for an approval";
  const { command } = proof.subject;
  if (!saysTheSame(envelope, (tryParseJson(command) ?? {}) as Said))
    return "it was given for another command";
  return checkProof(proof, { kind: "grant", bubble, head, command });
}

/** What a line keeps of a command is what was signed. */
function saysTheSame(envelope: Envelope, said: Said): boolean {
  const reason = clip(String(said.reason ?? said.message ?? ""), 2000);
  switch (envelope.type) {
    case "HUMAN_REPLY": {
      const { question, message, choice } = envelope.payload;
      const isSame = said.question === question && said.message === message;
      return said.type === "reply" && isSame && (said.choice === undefined || said.choice === choice);
    }
    case "GATES_WAIVED": {
      // An answer may waive the gates that its question named.
      const isOwn = said.type === "waive" && isEqual(said.gates, envelope.payload.gates);
      return (isOwn || said.type === "reply") && envelope.payload.reason === reason;
    }
    case "COMMITTED":
      return said.type === "commit" && said.tree === envelope.payload.tree;
    case "UNLOCKED":
      return said.type === "unlock" && isEqual(said.paths, envelope.payload.paths);
    case "SCOPE_OVERRIDDEN":
      return said.type === "override-scope" && isEqual(said.paths, envelope.payload.paths);
    default:
      return false;
  }
}

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
