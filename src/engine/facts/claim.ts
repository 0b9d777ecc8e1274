// The one way of an agent's claim to the referee, by any carrier: a verb, a tool, the driver's socket or a final answer.
import type { Command } from "../../core/model/command.ts";
import type { State } from "../../core/model/state.ts";
import { isReview } from "../../core/review/citations.ts";
import { type CommandReply, handle } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";

export type ClaimCommand = Extract<Command, { type: "pass" | "converged" | "ask-human" }>;

/** What is claimed, without who says it. */
export type Claim<T = ClaimCommand> = T extends unknown ? Omit<T, "actor" | "digest" | "refs"> : never;

/** What a review cites is looked up in git first, in the state that it is about; without one nothing is. */
export async function putClaim(
  world: RecordWorld,
  bubble: string,
  command: ClaimCommand,
  about: () => Promise<State | undefined>,
): Promise<CommandReply> {
  if (command.type === "ask-human" || !isReview(command)) return handle(world, bubble, command);
  const state = await about();
  if (!state) return handle(world, bubble, command);
  // Loaded when needed: what a producer hands over cites nothing.
  const { buildReviewFacts } = await import("./review.ts");
  return handle(world, bubble, { ...command, facts: await buildReviewFacts(world, state, command) });
}
