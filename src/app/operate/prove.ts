// A passkey's answer becomes a proof: the key is looked up, the signature checked, and what counts is kept on the record before
// the command that it grants.

import type { Command } from "../../core/model/command.ts";
import type { PageAssertion } from "../../core/model/page/grant.ts";
import type { GivenProof, Proof, ProofSubject } from "../../core/model/page/proof.ts";
import { nameProof } from "../../core/model/record/artifact-names.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import {
  buildSignedBytes,
  computeChallenge,
  parseAuthenticatorFlags,
} from "../../core/permission/proof/check.ts";
import { buildSubject, checkGrant } from "../../core/permission/proof/door.ts";
import {
  findKeyStanding,
  listGrantingKeys,
  type OperatorLists,
} from "../../core/permission/proof/operators.ts";
import { decodeHex } from "../../core/text/bytes.ts";
import { load } from "../../engine/front/command.ts";
import type { Env } from "../operators/kept.ts";
import { loadOperatorLists } from "../operators/lists.ts";
import {
  getOperator,
  type OperatorCall,
  refuseUnknownBubble,
  type WithoutActor,
} from "../trust/operator-call.ts";

/** The page that asked for it. */
export interface AskingPage {
  readonly origin: string;
  readonly rpId: string;
  readonly env: Env;
}

export interface Challenge {
  readonly challenge: Uint8Array;
  readonly keys: readonly { readonly credential: string; readonly name: string; readonly synced: boolean }[];
}

type Granting = WithoutActor<Command>;

/** What a key is to sign for this command, and which keys may. */
export async function buildChallenge(
  call: OperatorCall,
  command: Granting,
  { rpId, env }: Omit<AskingPage, "origin">,
): Promise<Challenge> {
  const { hash, lists } = await readStanding(call, env);
  const challenge = computeChallenge(buildSubject(call.bubble, hash, command));
  return { challenge, keys: listGrantingKeys(lists, rpId) };
}

async function readStanding(call: OperatorCall, env: Env) {
  const { state, head } = await load(call.world, call.bubble, true);
  if (!state) throw refuseUnknownBubble(call.bubble);
  const asked = { env, repo: call.world.repo, commit: state.baseCommit };
  return { state, hash: call.world.log.hashOf(head), lists: await loadOperatorLists(asked) };
}

/** The call with its proof, or why the proof grants nothing. */
export async function addProof(
  call: OperatorCall,
  command: Granting,
  assertion: PageAssertion,
  page: AskingPage,
): Promise<OperatorCall | { readonly refusal: Refusal }> {
  const { state, hash, lists } = await readStanding(call, page.env);
  const subject = buildSubject(call.bubble, hash, command);
  const proof = findProof(subject, assertion, page, lists);
  if (!proof) return { refusal: refuse("proof.key-unknown", unknownKey, "pairflow operator add") };
  const text = `${JSON.stringify(proof, undefined, 2)}\n`;
  const { redaction, hash: hashing, signatures, records } = call.world;
  if (redaction.redact(text) !== text)
    return { refusal: refuse("proof.secret", "what is signed holds a secret; say it without") };
  const artifact = nameProof(Buffer.from(computeChallenge(subject)).toString("hex"));
  const given: GivenProof = {
    proof,
    artifact,
    sha256: hashing.sha256(text),
    isSigned: signatures.isSigned(proof, buildSignedBytes(proof), proof.signature),
    standing: findKeyStanding(proof.fingerprint, lists),
  };
  const proven = { ...call, proof: given };
  const refusal = checkGrant(state, { ...command, actor: getOperator(proven) } as Command);
  if (refusal) return { refusal };
  const { name } = await records.put(call.bubble, artifact, text);
  return { ...call, proof: { ...given, artifact: name } };
}

const unknownKey = "this key was not confirmed on this machine";

/** The proof of a key that is known, or was; undefined for any other. */
function findProof(
  subject: ProofSubject,
  assertion: PageAssertion,
  { origin, rpId }: AskingPage,
  { kept, machine = [] }: OperatorLists,
): Proof | undefined {
  const all = [...machine, ...kept.map(({ key }) => key)];
  const one = all.findLast(({ credential }) => credential === assertion.credential);
  if (!one) return undefined;
  const flags = parseAuthenticatorFlags(decodeHex(assertion.authenticator_data));
  const { key, algorithm, fingerprint } = one;
  return {
    v: 1,
    kind: "passkey",
    subject,
    origin,
    rp_id: rpId,
    ...{ key, algorithm, fingerprint },
    ...assertion,
    flags: {
      user_present: flags.userPresent,
      user_verified: flags.userVerified,
      backup_eligible: flags.backupEligible,
      backed_up: flags.backedUp,
    },
  };
}
