// `ask-human`: what blocks an agent, one question or several that it asks at once.
import type { CommandOf } from "../../model/command.ts";
import { type Asking, askedText } from "../../model/outcome.ts";
import { speaker } from "../../policy/capability.ts";
import { otherTree } from "../../review/integrity.ts";
import type { Book } from "../book.ts";
import { claimant, type Result, turnedDown, withdrawWatchdog } from "./speaking.ts";

export function askHuman(book: Book, command: CommandOf<"ask-human">): Result {
  const who = claimant(book, speaker(book.state, command.actor, "ask-human", command.digest));
  if ("result" in who) return who.result;
  const stale = command.tree === undefined ? undefined : otherTree(who.turn, command.tree);
  if (stale) return turnedDown(book, stale, who.turn, command.actor);
  withdrawWatchdog(book, who.turn.agent);
  const { question, options, others = [], waiting } = command;
  const all: Omit<Asking, "id">[] = [{ question, ...(options ? { options } : {}) }, ...others];
  for (const [i, asked] of all.entries()) {
    const answersTo = waiting?.questions[i];
    book.write(
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
