// `ask-human`: what blocks an agent, one question or several that it asks at once.

import type { Batch } from "../../interpreter/batch.ts";
import type { CommandOf } from "../../model/command.ts";
import { type Asking, askedText } from "../../model/outcome.ts";
import { speaker } from "../../permission/capability.ts";
import { otherTree } from "../../review/integrity.ts";
import { claimant, type Result, turnedDown, withdrawWatchdog } from "./speaking.ts";

export function askHuman(batch: Batch, command: CommandOf<"ask-human">): Result {
  const who = claimant(batch, speaker(batch.state, command.actor, "ask-human", command.digest));
  if ("result" in who) return who.result;
  const stale = command.tree === undefined ? undefined : otherTree(who.turn, command.tree);
  if (stale) return turnedDown(batch, stale, who.turn, command.actor);
  withdrawWatchdog(batch, who.turn.agent);
  const { question, options, others = [], waiting } = command;
  const all: Omit<Asking, "id">[] = [{ question, ...(options ? { options } : {}) }, ...others];
  for (const [i, asked] of all.entries()) {
    const answersTo = waiting?.questions[i];
    batch.write(
      "HUMAN_QUESTION",
      {
        question: askedText(asked),
        kind: "agent",
        turn: who.turn.id,
        claim: command.digest,
        ...(asked.options?.length
          ? { options: asked.options.map((key) => ({ key, does: "answers with this" })) }
          : {}),
        ...(waiting && answersTo ? { waiting: { request: waiting.request, question: answersTo } } : {}),
      },
      { from: who.byOperator ? "human" : who.turn.agent, to: "human", refs: command.refs ?? [] },
    );
  }
  return undefined;
}
