// From words on a command line to checked values. Every mistake names the nearest thing that exists.

import { buildUsageError } from "../../app/host/usage.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import { type Flag, type Flags, type Input, takesId, type Verb } from "./declaration.ts";
import { type FlagToken, readTokens } from "./tokens.ts";

export const common: Flags = {
  json: { kind: "switch", about: "print the result as JSON" },
  help: { kind: "switch", about: "show this help" },
};

/** The verb with the longest match of leading words, and what is left of the line. */
export function findVerb(
  verbs: readonly Verb[],
  argv: readonly string[],
): { verb: Verb; rest: readonly string[] } | undefined {
  const spelled = verbs.flatMap((verb) =>
    [verb.words, ...(verb.also ?? [])].map((words) => ({ verb, words: words.split(" ") })),
  );
  const matches = spelled.filter(({ words }) => words.every((word, i) => argv[i] === word));
  const best = matches.sort((a, b) => b.words.length - a.words.length)[0];
  return best && { verb: best.verb, rest: argv.slice(best.words.length) };
}

export function parseArguments(
  verb: Verb,
  rest: readonly string[],
): Input<Flags> & { json: boolean; help: boolean } {
  const flags: Flags = { ...verb.flags, ...common };
  const takesValue = (name: string) => Object.hasOwn(flags, name) && flags[name]?.kind !== "switch";
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(flags)) {
    if (flag.kind === "switch") values[name] = false;
    if (flag.kind === "list") values[name] = [];
  }
  const words: string[] = [];
  for (const token of readTokens(rest, takesValue)) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind === "option") take(values, flags, token, verb);
  }
  const help = values.help === true;
  takeId(verb, values, words);
  if (!help) checkWhole(verb, flags, values, words);
  return { flags: values as Input<Flags>["flags"], words, json: values.json === true, help };
}

/** `bubble status fix-cart`: the id without its flag. */
function takeId(verb: Verb, values: Record<string, unknown>, words: string[]): void {
  if (!takesId(verb) || words.length !== 1) return;
  const [word] = words.splice(0);
  if (values.id !== undefined)
    throw buildUsageError(
      "usage.repeated",
      `the bubble is named twice: ${word} and --id ${values.id}`,
      `pairflow ${verb.words} ${word}`,
    );
  values.id = word;
}

function take(values: Record<string, unknown>, flags: Flags, token: FlagToken, verb: Verb): void {
  const flag = flags[token.name];
  const line = `pairflow ${verb.words} --help`;
  if (!flag)
    throw buildUsageError(
      "usage.unknown-flag",
      `${verb.words} has no flag ${token.rawName}${suggestWord(
        token.rawName,
        Object.keys(flags).map((name) => `--${name}`),
      )}`,
      line,
    );
  if (flag.kind === "switch") {
    if (token.value !== undefined)
      throw buildUsageError("usage.no-value", `${token.rawName} takes no value`, line);
    values[token.name] = true;
    return;
  }
  const value = getGivenValue(token, flags);
  if (value === undefined)
    throw buildUsageError(
      "usage.missing-value",
      `${token.rawName} needs a value${flag.value ? `: ${flag.value}` : ""}`,
      line,
    );
  const word = flag.oneOf ? findAllowed(value, flag.oneOf) : value;
  if (word === undefined)
    throw buildUsageError(
      "usage.bad-value",
      `${token.rawName} ${value} is unknown${suggestWord(value, flag.oneOf ?? [])}`,
      line,
    );
  if (flag.kind === "list") (values[token.name] as string[]).push(word);
  else if (values[token.name] !== undefined)
    throw buildUsageError("usage.repeated", `${token.rawName} may be given once`, line);
  else values[token.name] = flag.kind === "number" ? parseNumber(token.rawName, word, line) : word;
}

/** One of the only words a flag takes, in capitals or not. */
const findAllowed = (value: string, allowed: readonly string[]): string | undefined =>
  allowed.find((one) => one === value) ?? allowed.find((one) => one.toLowerCase() === value.toLowerCase());

/** `--task --yes`: a value was forgotten. For such a value write --task=--yes. */
function getGivenValue({ value, inlineValue }: FlagToken, flags: Flags): string | undefined {
  const isFlag = value?.startsWith("--") && Object.hasOwn(flags, value.slice(2).split("=")[0] ?? "");
  return isFlag && !inlineValue ? undefined : value;
}

function parseNumber(flag: string, value: string, line: string): number {
  const number = Number(value);
  if (value.trim() === "" || !Number.isFinite(number))
    throw buildUsageError("usage.bad-number", `${flag} ${value}: not a number`, line);
  return number;
}

function checkWhole(
  verb: Verb,
  flags: Flags,
  values: Record<string, unknown>,
  words: readonly string[],
): void {
  const line = `pairflow ${verb.words} --help`;
  const missing = Object.entries(flags).find(
    ([name, flag]: [string, Flag]) => flag.required && values[name] === undefined,
  );
  if (missing)
    throw buildUsageError(
      "usage.missing-flag",
      `${verb.words} needs --${missing[0]} ${missing[1].value ?? ""}`.trim(),
      line,
    );
  if (words.length > 0 && !verb.takes)
    throw buildUsageError(
      "usage.extra-word",
      takesId(verb)
        ? `${verb.words} takes one bubble, not also ${JSON.stringify(words[1])}`
        : `${verb.words} takes no word ${JSON.stringify(words[0])}`,
      line,
    );
}
