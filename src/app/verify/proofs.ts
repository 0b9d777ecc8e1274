// Proofs of passkeys, checked again from the record alone: the bytes that were signed, the signature, and that the line which
// names the proof is what it was given for. No network, and no list of keys: the record has the key.

import { type PasskeyUse, Proof } from "../../core/model/page/proof.ts";
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { check } from "../../core/model/value/validate.ts";
import { buildSignedBytes } from "../../core/permission/proof/check.ts";
import { describePasskey } from "../../core/permission/proof/door.ts";
import { checkProofLine } from "../../core/permission/proof/line.ts";
import { findKeyStanding } from "../../core/permission/proof/operators.ts";
import { tryParseJson } from "../../core/text/json.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { listKeptKeys } from "../operators/kept.ts";
import { readMachineKeys } from "../operators/listed.ts";
import type { RecordProblem } from "./chain.ts";

interface ProofCheck {
  /** To be asked of every line in order: a proof names the line before its command. */
  problemsOf(envelope: Envelope): Promise<RecordProblem[]>;
}

export function createProofCheck(world: RecordWorld, bubble: string): ProofCheck {
  let head = "";
  return {
    async problemsOf(envelope) {
      if (envelope.batch.i === 0) head = envelope.prev;
      const { payload } = envelope;
      const use = "door" in payload ? payload.door?.passkey : undefined;
      if (!use) return [];
      const problem = await findProblem(world, bubble, { envelope, use, head });
      if (!problem) return [];
      const where = `message ${envelope.seq} (${envelope.type})`;
      return [{ message: `${where}: the passkey's proof does not count: ${problem}` }];
    },
  };
}

interface Used {
  readonly envelope: Envelope;
  readonly use: PasskeyUse;
  readonly head: string;
}

async function findProblem(
  { records, hash, signatures }: RecordWorld,
  bubble: string,
  { envelope, use, head }: Used,
): Promise<string | undefined> {
  const bytes = await records.get(bubble, use.artifact);
  if (!bytes) return `${use.artifact} is not there`;
  if (hash.sha256(bytes) !== use.sha256) return `${use.artifact} was changed after it was written`;
  const read = check(Proof, tryParseJson(new TextDecoder().decode(bytes)));
  if (!read.ok) return `${use.artifact} is no proof`;
  const proof = read.value;
  if (proof.fingerprint !== use.key || proof.flags.backup_eligible !== use.synced)
    return "the line says something else of the key";
  const problem = checkProofLine(envelope, proof, head);
  if (problem) return problem;
  const isSigned = signatures.isSigned(proof, buildSignedBytes(proof), proof.signature);
  return isSigned ? undefined : "the signature is not by this key";
}

/** Every proof of a record; empty when all of them count. */
export async function findBrokenProofs(world: RecordWorld, bubble: string): Promise<RecordProblem[]> {
  const problems: RecordProblem[] = [];
  const proofs = createProofCheck(world, bubble);
  for await (const batch of world.log.read(bubble))
    for (const envelope of batch.envelopes) problems.push(...(await proofs.problemsOf(envelope)));
  return problems;
}

/** By which key something was granted, and what this machine knows of it now. */
export function noteKeys(state: State | undefined): RecordProblem[] {
  const uses = state?.passkeys ?? [];
  if (uses.length === 0) return [];
  const lists = { kept: listKeptKeys(process.env), machine: readMachineKeys() };
  return uses.map((use) => {
    const standing = findKeyStanding(use.key, lists);
    const now = {
      known: "",
      removed: ", which was removed since",
      unknown: ", which this machine does not know",
      "not-listed": "",
    }[standing.is];
    return { message: `message ${use.seq}: ${use.what} is signed by the ${describePasskey(use)}${now}` };
  });
}
