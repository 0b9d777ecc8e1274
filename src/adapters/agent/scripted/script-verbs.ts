// The words of a script's claims as arguments of the verbs that every agent uses.
import type { ActionValue } from "./script.ts";

/** Flags whose name is not simply the word with dashes. */
const flagOf: Readonly<Record<string, string>> = {
  findings: "finding",
  disputes: "dispute",
  sops: "sop",
  refs: "ref",
  options: "option",
};

export const passArguments = (claim: ActionValue<"pass">): string[] => ["pass", ...listFlags(claim)];
export const buildConvergeArguments = (claim: ActionValue<"converge">): string[] => [
  "converged",
  ...listFlags(claim),
];

export function askArguments({ wait: _, ...asked }: ActionValue<"ask">): string[] {
  return ["ask-human", ...listFlags(asked)];
}

function listFlags(words: object): string[] {
  return Object.entries(words).flatMap(([word, value]) => {
    const flag = `--${flagOf[word] ?? word.replaceAll("_", "-")}`;
    if (value === true) return [flag];
    const values: (string | number)[] = Array.isArray(value) ? value : [value];
    // With `=`, so that a value may begin with a dash.
    return values.map((one) => `${flag}=${one}`);
  });
}
