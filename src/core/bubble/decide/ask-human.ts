// `ask-human`: one question that blocks an agent.
import type { CommandOf } from "../../model/command.ts";
import { speaker } from "../../policy/capability.ts";
import type { Book } from "../book.ts";
import { claimant, type Result, withdrawWatchdog } from "./speaking.ts";

export function askHuman(book: Book, command: CommandOf<"ask-human">): Result {
  const who = claimant(book, speaker(book.state, command.actor, "ask-human", command.digest));
  if ("result" in who) return who.result;
  withdrawWatchdog(book, who.turn.agent);
  book.write(
    "HUMAN_QUESTION",
    {
      question: command.question,
      kind: "agent",
      turn: who.turn.id,
      claim: command.digest,
      ...(command.options?.length
        ? { options: command.options.map((key) => ({ key, does: "answers with this" })) }
        : {}),
    },
    { from: who.byOperator ? "human" : who.turn.agent, to: "human", refs: command.refs ?? [] },
  );
  return undefined;
}
