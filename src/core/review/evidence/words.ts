// Whether words of evidence have substance: enough letters, no empty praise, no mere repetition of the question.
import { chooseLetters } from "./letters.ts";
import { removePraise } from "./praise.ts";

const substantial = 8;

/** Fewer than eight letters or digits are no evidence. */
export function isSubstantial(words: string): boolean {
  return (words.match(chooseLetters(words).each)?.length ?? 0) >= substantial;
}

/** Something is left when empty praise is taken away. */
export const isSubstantialBesidePraise = (words: string): boolean => removePraise(words).every(isSubstantial);

/** Letters and digits alone, in small letters: a full stop more or less makes no other sentence. */
export function normalizeSentence(words: string): string {
  const small = words.toLowerCase();
  return small.replace(chooseLetters(small).others, " ").trim();
}

/** Words that agree and say no more. */
const agreement = new Set(
  "yes yep indeed so really actually clearly correctly properly also still now true holds hold kept it this that the a an is are was were be and or as by".split(
    " ",
  ),
);

/** Whether words only say back what was asked: whole, in part, or in another order. */
export function isSaidBack(words: string, asked: string): boolean {
  const [said, question] = [normalizeSentence(words), normalizeSentence(asked)];
  if (said === "" || question === "") return false;
  const known = new Set(question.split(" "));
  return said.split(" ").every((word) => known.has(word) || agreement.has(word));
}
