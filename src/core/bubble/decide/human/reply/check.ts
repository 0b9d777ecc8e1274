// Whether a human's answer is one of the choices of its question, and has the words that the choice needs.
import { listRedGates } from "../../../../judge/convergence.ts";
import { type Refusal, refuse } from "../../../../model/refusal.ts";
import type { Question } from "../../../../model/state/turn.ts";
import type { State } from "../../../../model/state.ts";
import { handOverKey } from "../../../../questions/common-options.ts";
import { isSubstantial } from "../../../../review/evidence/words.ts";
import { findNextAgent, isDeciding, isWaiver, plainIsFirst, type Reply } from "./choice.ts";

/** Trusting a review that is not sure of itself is a signature too. */
const needsReason = ["trust"];

export function checkReply(state: State, question: Question, command: Reply): Refusal | undefined {
  const keys = question.options?.map((option) => option.key) ?? [];
  const choose = (key: string) =>
    `pairflow bubble reply --id ${state.bubbleId} --choose ${key} --message "…"`;
  if (question.kind === "tree-changed")
    return refuse(
      "reply.use-resume",
      "changed files are kept or put back with resume",
      `pairflow bubble resume --id ${state.bubbleId} --keep   or   --put-back`,
    );
  if (
    question.kind !== "agent" &&
    keys.length > 0 &&
    !command.choice &&
    !plainIsFirst.includes(question.kind)
  )
    return refuse(
      "reply.needs-choice",
      `${question.id} needs a choice: ${keys.join(" | ")}`,
      choose(keys[0] ?? ""),
      question.options?.map((option) => `${option.key}: ${option.does}`),
    );
  if (command.choice && !keys.includes(command.choice))
    return refuse(
      "reply.unknown-choice",
      `${command.choice} is no answer to ${question.id}`,
      keys.length > 0 ? `one of: ${keys.join(" | ")}` : "answer with --message alone",
    );
  const words = checkWords(question, command, choose) ?? handOverRefused(state, question, command, choose);
  if (words) return words;
  const limits = checkLimits(question, command);
  if (limits) return limits;
  if (isWaiver(question, command.choice))
    return checkWaiver(state, question, command, choose(command.choice ?? ""));
}

/** The fallback is a setting that may have changed since the question was asked. */
function handOverRefused(
  state: State,
  question: Question,
  { choice }: Reply,
  choose: (key: string) => string,
): Refusal | undefined {
  if (!isDeciding(question) || choice !== handOverKey || findNextAgent(state) !== undefined) return undefined;
  return refuse("reply.no-fallback", "no other agent may take this turn now", choose("retry"));
}

/** Some answers are only as good as the words that come with them. */
function checkWords(
  question: Question,
  { choice = "", message }: Reply,
  choose: (key: string) => string,
): Refusal | undefined {
  if (!choice && !message.trim()) return refuse("reply.empty", "an answer needs words", '--message "…"');
  if (question.kind === "comprehension" && !isSubstantial(message))
    return refuse(
      "reply.own-words",
      choice === "understood" ? "say in your own words what the document means" : "say what is unclear",
      choose(choice),
    );
  if (isDeciding(question) && needsReason.includes(choice) && !message.trim())
    return refuse("reply.no-reason", `${choice} needs a reason`, choose(choice));
}

/** Rounds are granted, gates and findings waived, only by the choices that do so. */
function checkLimits(question: Question, command: Reply): Refusal | undefined {
  const { choice, rounds } = command;
  const grants = isDeciding(question) && choice === "continue";
  if (rounds !== undefined && !grants)
    return refuse(
      "reply.rounds",
      "rounds are granted by choosing continue, where that is a choice",
      "--choose continue --rounds 2",
    );
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1 && rounds <= 1000))
    return refuse("reply.rounds", `${rounds} is no number of rounds`, "--choose continue --rounds 2");
  if (command.waiveGates?.length && !(isDeciding(question) && choice === "accept"))
    return refuse(
      "reply.waive-gate",
      "gates are waived by choosing accept, where that is a choice",
      '--choose accept --waive-gate NAME --message "…"',
    );
  if (command.findings?.length && !isWaiver(question, choice))
    return refuse("reply.findings", "findings are named only to waive them", '--message "…"');
}

function checkWaiver(state: State, question: Question, command: Reply, example: string): Refusal | undefined {
  if (!command.message.trim()) return refuse("reply.no-reason", `${command.choice} needs a reason`, example);
  const asked = question.findings ?? [];
  const unknown = command.findings?.find((id) => !asked.includes(id));
  if (unknown)
    return refuse(
      "reply.unknown-finding",
      `${unknown} is not what ${question.id} is about`,
      asked.length > 0 ? `one of: ${asked.join(", ")}` : example,
    );
  if (command.choice !== "accept") return undefined;
  if (!state.tree)
    return refuse(
      "reply.no-tree",
      "there is no handed-over tree to accept",
      example.replace("accept", "continue"),
    );
  const left = command.findings?.length ? asked.filter((id) => !command.findings?.includes(id)) : [];
  if (left.length > 0)
    return refuse(
      "reply.findings-left",
      `accepting leaves ${left.join(", ")} open`,
      `${example}${asked.map((id) => ` --finding ${id}`).join("")}`,
    );
  const red = listRedGates(state).filter((name) => !command.waiveGates?.includes(name));
  if (red.length > 0)
    return refuse(
      "reply.red-gates",
      `gates are not green on this tree: ${red.join(", ")}`,
      `${example}${red.map((name) => ` --waive-gate ${name}`).join("")}`,
    );
}
