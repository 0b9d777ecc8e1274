// `ask-human`: what blocks an agent, one question or several that it asks at once.

import type { DecisionBatch } from "../../../interpreter/batch.ts";
import type { CommandOf } from "../../../model/command.ts";
import { type AgentQuestion, formatAskedQuestion } from "../../../model/turn-end.ts";
import { identifySpeaker } from "../../../permission/capability.ts";
import { checkReviewedTree } from "../../../review/integrity.ts";
import { type ClaimDecision, findClaimant, recordRefusedClaim, withdrawWatchdog } from "./speaker.ts";

export function askHuman(batch: DecisionBatch, command: CommandOf<"ask-human">): ClaimDecision {
  const who = findClaimant(batch, identifySpeaker(batch.state, command.actor, "ask-human", command.digest));
  if ("result" in who) return who.result;
  const stale = command.tree === undefined ? undefined : checkReviewedTree(who.turn, command.tree);
  if (stale) return recordRefusedClaim(batch, stale, who.turn, command.actor);
  withdrawWatchdog(batch, who.turn.agent);
  const { question, options, others = [], waiting } = command;
  const all: Omit<AgentQuestion, "id">[] = [{ question, ...(options ? { options } : {}) }, ...others];
  for (const [i, asked] of all.entries()) {
    const answersTo = waiting?.questions[i];
    batch.write(
      "HUMAN_QUESTION",
      {
        question: formatAskedQuestion(asked),
        kind: "agent",
        turn: who.turn.id,
        claim: command.digest,
        ...(asked.options?.length
          ? { options: asked.options.map((key) => ({ key, does: "answers with this" })) }
          : {}),
        ...(waiting && answersTo ? { waiting: { request: waiting.request, question: answersTo } } : {}),
      },
      { from: who.byOperator ? "human" : who.turn.agent, refs: command.refs ?? [] },
    );
  }
}
