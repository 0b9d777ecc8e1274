// Reads what a person types at a question: a number, the name of an option with words behind it, or words alone; and asks for
// what an option needs besides.
import type { Question } from "../../core/model/state/turn.ts";

/** The parts of a reply. */
export interface TypedAnswer {
  readonly message: string;
  readonly choice?: string;
  readonly rounds?: number;
}

type Ask = (prompt: string) => Promise<string | undefined>;

/** Undefined: the person has left. */
export async function askForAnswer(question: Question, ask: Ask): Promise<TypedAnswer | undefined> {
  const keys = question.options?.map(({ key }) => key) ?? [];
  const numbers = keys.length > 1 ? `1–${keys.length}` : "1";
  const prompt = keys.length > 0 ? `Your answer (${numbers}, or words): ` : "Your answer: ";
  for (;;) {
    const line = (await ask(prompt))?.trim();
    if (line === undefined) return undefined;
    if (line === "") continue;
    const said = readTypedAnswer(line, keys);
    // An agent's own options are words to it: nothing more needs to be said.
    return question.kind === "agent" ? said : completeAnswer(question, said, ask);
  }
}

/** `2`, `2 because …`, `rework because …`, `rework: because …`, or words that choose nothing. */
export function readTypedAnswer(line: string, keys: readonly string[]): TypedAnswer {
  const whole = keys.find((key) => isSameWord(key, line));
  if (whole !== undefined) return { choice: whole, message: "" };
  const [, number = "", rest = ""] = /^(\d{1,3})(?:[.:)]?\s+(.*))?$/s.exec(line) ?? [];
  const numbered = number === "" ? undefined : keys[Number(number) - 1];
  if (numbered !== undefined) return { choice: numbered, message: rest.trim() };
  const named = keys.find(
    (key) => isSameWord(key, line.slice(0, key.length)) && /^[:,\s]/.test(line.slice(key.length)),
  );
  if (named === undefined) return { message: line };
  return { choice: named, message: line.slice(named.length).replace(/^[:,\s]+/, "") };
}

const isSameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** Signatures need a reason, a new go its notes. */
const needsWords: Readonly<Record<string, string>> = {
  accept: "Why (a reason is needed): ",
  waive: "Why (a reason is needed): ",
  trust: "Why (a reason is needed): ",
  rework: "What shall be different: ",
  refuse: "What shall be different: ",
  understood: "In your own words: ",
  unclear: "What is unclear: ",
};

async function completeAnswer(
  question: Question,
  said: TypedAnswer,
  ask: Ask,
): Promise<TypedAnswer | undefined> {
  const { choice = "" } = said;
  const wanted = needsWords[choice];
  const message = said.message === "" && wanted ? await ask(wanted) : said.message;
  if (message === undefined) return undefined;
  if (choice !== "continue" || question.kind !== "exhausted") return { ...said, message: message.trim() };
  const rounds = await ask("How many more rounds (Enter: 1): ");
  if (rounds === undefined) return undefined;
  const number = Number(rounds.trim());
  return {
    ...said,
    message,
    ...(rounds.trim() !== "" && Number.isInteger(number) ? { rounds: number } : {}),
  };
}
