// What words are worth: how many letters say something, what is empty praise, and what only says the question back.

const substantial = 8;

/** Fewer than eight letters or digits are no evidence. */
export function isSubstantial(words: string): boolean {
  return (words.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= substantial;
}

const praise =
  /\b(?:lgtm|looks? (?:good|fine|ok|okay|great|right|correct)(?: to me)?|all good|good to go|no (?:issues?|problems?|findings?|concerns?|bugs?|defects?)(?: (?:is|are|was|were))?(?: (?:found|here|seen|left))?|nothing (?:found|to report|wrong)|(?:meets?|satisf(?:y|ies)|fulfil?ls?) (?:all |the |this |every ){0,3}(?:requirements?|criteri(?:on|a)|rules?|sops?)|tests? (?:pass|passes|passed|are green)|(?:is |are |was )?(?:good|fine|ok|okay|great|correct|right|perfect|done|checked|reviewed|verified|passed|approved|clean|complete|met|nice|solid|excellent)|as expected|works?|everything|the code|this (?:file|code|change)|change|overall|very|well)\b/gi;
const fillers =
  /\b(?:the|an?|and|or|but|its?|this|that|is|are|was|were|be|been|ha[sd]|have|i|we|to|in|of|on|for|with|all|every|here|there|now|code|implementations?|changes?|files?|requirements?|criteri(?:on|a)|rules?)\b/gi;

/** Something is left when empty praise is taken away. */
export function saysSomething(words: string): boolean {
  const left = words.replace(praise, "");
  return isSubstantial(left === words ? words : left.replace(fillers, ""));
}

/** Letters and digits alone, in small letters: a full stop more or less makes no other sentence. */
export const bareWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Words that agree and say no more. */
const agreement = new Set(
  "yes yep indeed so really actually clearly correctly properly also still now true holds hold kept it this that the a an is are was were be and or as by".split(
    " ",
  ),
);

/** Whether words only say back what was asked: whole, in part, or in another order. */
export function isSaidBack(words: string, asked: string): boolean {
  const [said, question] = [bareWords(words), bareWords(asked)];
  if (said === "" || question === "") return false;
  const known = new Set(question.split(" "));
  return said.split(" ").every((word) => known.has(word) || agreement.has(word));
}
