// What the driver answers to agents in a sandbox: it takes their claims and what their hooks tell, and nothing else. Whose turn it
// is decides the capability in the claim, as it does for everybody.
import { nodeHash } from "../../adapters/clock/node.ts";
import { isRefusal, refuse } from "../../core/model/refusal.ts";
import { HookQuestion, pickSpokenWords, VerbQuestion } from "../../core/model/sandbox-claim.ts";
import { check } from "../../core/model/value/validate.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { type SaidClaim, submitClaimAs } from "./claims.ts";
import { takeHook } from "./hooks.ts";
import type { Reply } from "./sandbox-client.ts";

export async function replyToAgent(world: RecordWorld, bubble: string, given: unknown): Promise<Reply> {
  const hook = check(HookQuestion, given);
  if (hook.ok && hook.value.bubble === bubble) return { told: await takeHookOf(world, hook.value) };
  const checked = check(VerbQuestion, given);
  if (!checked.ok || checked.value.bubble !== bubble)
    return { refused: refuseBadClaim(`that is no claim of an agent of ${bubble}`) };
  const { said, digest, refs } = checked.value;
  const actor = toActor(checked.value.actor);
  try {
    const words = pickSpokenWords(said) as unknown as SaidClaim;
    return { answered: await submitClaimAs({ world, bubble, actor }, words, refs, digest) };
  } catch (error) {
    if (error instanceof Failure)
      return {
        failed: { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) },
      };
    if (isRefusal(error)) return { refused: error };
    // The words had no form in which they could be written down: nothing was.
    return { refused: refuseBadClaim("that is no claim that can be written down") };
  }
}

/** Hooks wait for nobody: one that could not be taken in now told nothing. */
async function takeHookOf(
  world: RecordWorld,
  { bubble, actor, hook, awaitsTools }: HookQuestion,
): Promise<string> {
  try {
    return await takeHook(world, bubble, toActor(actor), hook, awaitsTools);
  } catch (error) {
    if (error instanceof Failure) return "";
    throw error;
  }
}

function toActor({ secret, ...speaker }: VerbQuestion["actor"]) {
  return { ...speaker, capability: nodeHash.sha256(secret) };
}

const refuseBadClaim = (message: string) =>
  refuse("turn.bad-claim", message, "use the verbs of the pairflow command: pass, ask-human, converged");
