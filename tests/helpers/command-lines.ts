// Command lines of pages and files, checked against the declarations of the commands: the words, and every flag.
import { verbs } from "../../src/cli/commands/verbs.ts";
import { findVerb, parseArguments } from "../../src/cli/verb/parse.ts";

/** Why a line is no command; what stands behind a comment sign, a pipe or a redirection is not asked. */
export function findCommandProblem(line: string): string | undefined {
  const words = splitWords(line);
  const end = words.findIndex((word) => /^(#|\||&&|;|>|2>|<\/)/.test(word));
  const argv = (end === -1 ? words : words.slice(0, end)).slice(1);
  if (argv.length === 0 || argv[0] === "help" || argv[0]?.startsWith("--")) return undefined;
  const found = findVerb(verbs, argv);
  if (!found) return `${line}: no such command`;
  try {
    parseArguments(found.verb, found.rest);
    return undefined;
  } catch (error) {
    return `${line}: ${(error as Error).message}`;
  }
}

/** The words of a line as a shell would split it, quotes taken off. */
export const splitWords = (line: string): string[] =>
  [...line.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_all, two, one) => two ?? one),
  );
