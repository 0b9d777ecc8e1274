// Who may grant through the page: a caller with a passkey's proof for exactly this act. A session may look and speak; anything
// that runs as the same user can take one over, and no such thing can touch a key.
import type { Actor, Command } from "../../model/command.ts";
import type { GivenProof, KeyStanding, PasskeyUse, ProofSubject } from "../../model/page/proof.ts";
import { approveAndCommit } from "../../model/page/proof.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { State } from "../../model/state.ts";
import { isGrant } from "../granting.ts";
import { checkProof, serializeCommand } from "./check.ts";

const always: readonly Command["type"][] = ["approve", "commit", "waive", "unlock", "override-scope"];

type Granted = Omit<Command, "actor">;

/** Whether this command grants something. Plain words may stand for a question's first option. */
export function isGranting({ questions }: Pick<State, "questions">, command: Granted): boolean {
  if (always.includes(command.type)) return true;
  if (command.type !== "reply") return false;
  const { question, choice } = command as Extract<Command, { type: "reply" }>;
  const asked = questions.filter(({ id }, at) => (question === undefined ? at === 0 : id === question));
  return asked.some(({ kind, options = [] }) => isGrant(kind, choice ?? options[0]?.key ?? ""));
}

/** What a passkey signs for this command, when the record stands at `head`. */
export function buildSubject(bubble: string, head: string, command: Granted): ProofSubject {
  if (command.type === "commit") {
    // The commit's name comes of the writing: tree, message and date were settled by the approval.
    const { type, tree } = command as Extract<Command, { type: "commit" }>;
    return { kind: "grant", bubble, head, command: serializeCommand({ type, tree } as Granted) };
  }
  if (command.type !== "approve") return { kind: "grant", bubble, head, command: serializeCommand(command) };
  const { digest } = command as Extract<Command, { type: "approve" }>;
  return { kind: "approve", bubble, digest, head, decision: approveAndCommit };
}

/** Why this may not be granted by this proof, or without one, or undefined. */
export function checkGrant(state: State, command: Command): Refusal | undefined {
  const { actor } = command;
  if (actor.kind !== "operator" || !isGranting(state, command)) return undefined;
  if (actor.proof) return checkGivenProof(state, command, actor.proof);
  if (isPasskeyWanted(state, command))
    return refuse(
      "approve.passkey",
      "this bubble is approved by a passkey alone",
      `pairflow ui   then read and sign ${state.bubbleId} there`,
    );
  // What was approved by one touch was approved to be committed.
  if (actor.via !== "page" || (command.type === "commit" && state.approval?.passkey)) return undefined;
  return refuse(
    "page.grants",
    `${command.type} grants something, which a session of the page cannot do`,
    "pairflow operator list",
  );
}

/** Settings may ask for a key: for everything that is signed, or only where a task is of the highest risk. */
export function isPasskeyWanted(state: State, command: Granted): boolean {
  const { approval } = state.config;
  const isSigning = command.type === "approve" || isSignOff(state, command);
  if (!isSigning || (approval !== "passkey" && approval !== "passkey-from-T2")) return false;
  return approval === "passkey" || (state.program.tasks ?? []).some(({ policy }) => policy?.tier === "T2");
}

function isSignOff({ questions }: State, command: Granted): boolean {
  if (command.type !== "reply") return false;
  const { question, choice } = command as Extract<Command, { type: "reply" }>;
  const asked = question === undefined ? questions[0] : questions.find(({ id }) => id === question);
  return asked?.kind === "sign-off" && choice === "approve";
}

function checkGivenProof(state: State, command: Command, given: GivenProof): Refusal | undefined {
  const { proof, standing, isSigned } = given;
  const subject = buildSubject(state.bubbleId, proof.subject.head, command);
  const key = checkKey(standing, proof.fingerprint, proof.rp_id);
  if (key) return key;
  const problem = checkProof(proof, subject) ?? (isSigned ? undefined : "the signature is not by this key");
  if (!problem) return undefined;
  return refuse(
    "proof.invalid",
    `the passkey's proof does not count: ${problem}`,
    "look at it again, then sign",
  );
}

function checkKey(standing: KeyStanding, fingerprint: string, rpId: string): Refusal | undefined {
  const short = groupFingerprintStart(fingerprint);
  switch (standing.is) {
    case "unknown":
      return refuse(
        "proof.key-unknown",
        `the key ${short} was not confirmed on this machine`,
        "pairflow operator add",
      );
    case "removed":
      return refuse(
        "proof.key-removed",
        `the key ${standing.name} (${short}) was removed at ${standing.at}; it grants nothing more`,
        "pairflow operator list",
      );
    case "not-listed":
      return refuse(
        "proof.key-not-listed",
        `the repository names its operators, and ${standing.name} (${short}) is none of them`,
        "pairflow operator list --yaml",
      );
    default:
      return standing.rpId === rpId
        ? undefined
        : refuse("proof.invalid", `the key ${standing.name} was made for ${standing.rpId}, not for ${rpId}`);
  }
}

/** A proof is for the record as it was seen: whatever came since may be what one would not have signed. */
export function checkNotMoved({ actor }: { readonly actor: Actor }, head: string): Refusal | undefined {
  const signed = actor.kind === "operator" ? actor.proof?.proof.subject.head : undefined;
  if (signed === undefined || signed === head) return undefined;
  return refuse("page.moved", "the record has moved since this was signed", "look at it again, then sign");
}

/** What the line says of the proof. */
export function buildPasskeyUse({ proof, artifact, sha256, standing }: GivenProof): PasskeyUse {
  const name = standing.is === "unknown" ? "" : standing.name;
  return { artifact, sha256, key: proof.fingerprint, name, synced: proof.flags.backup_eligible };
}

/** `synced passkey laptop (3f2a 91aa 07cd)`. */
export const describePasskey = ({ name, key, synced }: PasskeyUse): string =>
  `${synced ? "synced passkey" : "passkey"} ${name} (${groupFingerprintStart(key)})`;

/** `3f2a 91aa 07cd`: enough to compare by eye; both screens show the same. */
export const groupFingerprintStart = (fingerprint: string): string =>
  (fingerprint.slice(0, 12).match(/.{4}/g) ?? []).join(" ");
