// Which answers to the referee's own questions grant something: they need the same door as an approval.
import type { Question } from "../model/state/turn.ts";

/** Answers that sign something away. */
const always: readonly string[] = ["accept", "waive", "trust", "understood"];
/** The signature of a task or user story, commands that Pairflow shall run itself, and the network for a gate. */
const byKind: Readonly<Record<string, string>> = {
  "sign-off": "approve",
  commands: "allow",
  "base-gates": "network",
};

/** An agent's own question may have options of the same names: those grant nothing. */
export function isGrant(kind: string, choice: string): boolean {
  return kind !== "agent" && (always.includes(choice) || byKind[kind] === choice);
}

/** Whether this choice, put to these questions, grants something. What is not offered is refused anyway. */
export function isGrantOfAny(questions: readonly Question[], choice: string): boolean {
  return questions.some(
    ({ kind, options = [] }) => options.some(({ key }) => key === choice) && isGrant(kind, choice),
  );
}
