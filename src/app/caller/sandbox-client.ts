// A verb inside a sandbox: the record is out of its reach, so its claim goes to the driver's socket, with the files that it
// hands in. The driver puts it to the referee like any other.
import { askAt } from "../../adapters/verbs/socket.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { HookQuestion, VerbQuestion } from "../../core/model/sandbox-claim.ts";
import { Failure } from "../../ports/failure.ts";
import type { ClaimResult } from "./claim-result.ts";

export type Reply =
  | { readonly told: string }
  | { readonly answered: ClaimResult }
  | { readonly refused: Refusal }
  | { readonly failed: { readonly code: string; readonly message: string; readonly hint?: string } };

/** Hooks tell, and wait for nobody: a driver that is just being replaced is not asked for long. */
export async function tellDriver(socket: string, question: HookQuestion): Promise<string> {
  const reply = (await askAt(socket, question, hookMs)) as { readonly told?: unknown } | undefined;
  return typeof reply?.told === "string" ? reply.told : "";
}

const hookMs = 2000;

/** What the driver says. A driver that was killed is waited for: the next one is asked the same and counts it once. */
export async function askDriver(
  socket: string,
  question: VerbQuestion,
  waitMs = 60_000,
): Promise<ClaimResult> {
  const reply = (await askAt(socket, question, waitMs)) as Reply | undefined;
  if (reply === undefined)
    throw refuse(
      "turn.no-driver",
      `no driver of ${question.bubble} has answered for ${Math.round(waitMs / 1000)} seconds; nothing was said`,
      "say it again later; a human starts a driver with: pairflow bubble resume",
    );
  if ("refused" in reply) throw reply.refused;
  if ("failed" in reply) {
    const { code, message, hint } = reply.failed;
    throw new Failure(code, message, hint === undefined ? {} : { hint });
  }
  if ("answered" in reply) return reply.answered;
  throw new Failure("turn.no-driver", "The driver answered something else.");
}
