// A command that does not exist: the one that was probably meant, or where to look.

import { buildUsageError, type UsageError } from "../../app/host/usage.ts";
import { findNearestWord } from "../../core/text/nearest.ts";
import type { Verb } from "./declaration.ts";

/** What is no command for a reason, and what to type instead. */
const leftToOthers: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  merge: ["Pairflow commits on the bubble's branch and merges nothing", "git merge bubble/<id>"],
  push: ["Pairflow pushes nothing", "git push origin bubble/<id>"],
  login: ["each agent's own CLI holds its login; this says which are there", "pairflow doctor"],
  config: [
    "settings are in .pairflow/config.yaml; this writes the file, with a comment for each",
    "pairflow init",
  ],
};

/** Words of other tools, which resemble none of ours. */
const otherWords: Readonly<Record<string, string>> = {
  abort: "bubble stop",
  accept: "bubble approve",
  info: "bubble status",
  kill: "bubble stop",
  ps: "bubble list",
  reject: "bubble request-rework",
  run: "bubble start",
  sign: "bubble approve",
};

export function refuseUnknownVerb(verbs: readonly Verb[], argv: readonly string[]): UsageError {
  const words = argv.filter((word) => !word.startsWith("-")).slice(0, 2);
  const known = verbs.filter((verb) => !verb.hidden).map((verb) => verb.words);
  const [first = ""] = words;
  const inGroup = known.filter((verb) => verb.startsWith(`${first} `));
  const unknown = (message: string, hint: string) => buildUsageError("usage.unknown-command", message, hint);
  const word = words.at(first === "bubble" ? 1 : 0) ?? "";
  const left = leftToOthers[word];
  if (left) return unknown(...left);
  const other = otherWords[word];
  if (other && known.includes(other))
    return unknown(
      `there is no command ${words.join(" ")}; did you mean ${other}?`,
      `pairflow help ${other}`,
    );
  if (first === "") return findFlagAlone(argv[0] ?? "", unknown);
  if (inGroup.length === 0)
    return findInMistypedGroup(known, words, unknown) ?? findOutsideGroups(known, first, unknown);
  const second = inGroup.map((verb) => verb.slice(first.length + 1));
  if (words.length === 1)
    return unknown(`${first} needs another word: ${second.join(", ")}`, `pairflow help ${first}`);
  // The group is right already: only its second word decides which command is near.
  const meant = findNearestWord(words[1] ?? "", second);
  const whole = meant === undefined ? first : `${first} ${meant}`;
  const all = inGroup.length <= 12 ? `; known: ${inGroup.join(", ")}` : "";
  const near = meant === undefined ? all : `; did you mean ${whole}?`;
  return unknown(`there is no command ${words.join(" ")}${near}`, `pairflow help ${whole}`);
}

/** `pairflow --verison`: what stands alone begins with no other word. */
function findFlagAlone(word: string, unknown: (message: string, hint: string) => UsageError): UsageError {
  const near = findNearestWord(word, ["--help", "--version"]);
  if (near === undefined) return unknown(`there is no command ${word}`, "pairflow help");
  return unknown(`there is no command ${word}; did you mean ${near}?`, `pairflow ${near}`);
}

/** `pairflow bubbel list`: only the group is mistyped. */
function findInMistypedGroup(
  known: readonly string[],
  [first = "", ...rest]: readonly string[],
  unknown: (message: string, hint: string) => UsageError,
): UsageError | undefined {
  const groups = new Set(
    known.flatMap((verb) => (verb.includes(" ") ? [verb.slice(0, verb.indexOf(" "))] : [])),
  );
  if (known.includes(first)) return undefined;
  const group = findNearestWord(first, [...new Set([...groups, ...known])]);
  if (group === undefined || !groups.has(group)) return undefined;
  const meant = findNearestWord(
    [group, ...rest].join(" "),
    known.filter((verb) => verb.startsWith(`${group} `)),
  );
  const whole = rest.length > 0 && meant !== undefined ? meant : group;
  return unknown(`there is no command ${first}; did you mean ${whole}?`, `pairflow help ${whole}`);
}

/** `pairflow status` means a command that ends so; a typing mistake may be in either word. */
function findOutsideGroups(
  known: readonly string[],
  word: string,
  unknown: (message: string, hint: string) => UsageError,
): UsageError {
  const last = (verb: string) => verb.split(" ").at(-1) ?? "";
  const endsWith = (end: string | undefined) => known.filter((verb) => last(verb) === end);
  const exact = endsWith(word);
  const near = exact.length > 0 ? word : findNearestWord(word, [...known.map(last), "help"]);
  if (word === "version")
    return unknown("there is no command version; did you mean --version?", "pairflow --version");
  if (near === "help") return unknown(`there is no command ${word}; did you mean help?`, "pairflow help");
  // `lst` is as near to the group as to its command: a whole command of that name comes first.
  const whole = known.filter((verb) => verb === near);
  const meant = exact.length > 0 ? exact : whole.length > 0 ? whole : endsWith(near);
  if (meant.length === 0) return unknown(`there is no command ${word}`, "pairflow help");
  return unknown(
    `there is no command ${word}; did you mean ${meant.join(", ").replace(/, (?=[^,]*$)/, " or ")}?`,
    `pairflow help ${meant[0]}`,
  );
}
