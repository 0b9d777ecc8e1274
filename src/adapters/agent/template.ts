// Command templates: one line split into words first, placeholders filled in afterwards. No shell ever sees the
// line, so nothing a placeholder stands for can become a further word or a command.
import { suggestWord } from "../../core/text/nearest.ts";

export type CommandTemplate =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const placeholder = /\{\{([^{}]*)\}\}/g;

/** Splits a line at white space; quotes and backslashes keep words together as in a shell. */
export function splitWords(line: string): CommandTemplate {
  const words: string[] = [];
  let word: string | undefined;
  // One piece a match: white space, a single-quoted part, a double-quoted part, an escaped character, plain text.
  const pieces = /(\s+)|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|(.)/gs;
  for (const [, space, single, double, escaped, plain, stray] of line.matchAll(pieces)) {
    if (stray !== undefined) return { ok: false, problem: `an open ${stray} at the end of: ${line}` };
    if (space === undefined) {
      word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "");
    } else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return { ok: true, words: word === undefined ? words : [...words, word] };
}

/** Which placeholders stand in a line, in order. */
export function listPlaceholders(line: string): string[] {
  return [...line.matchAll(placeholder)].map((match) => match[1] ?? "");
}

/** What is wrong with a template, or undefined. */
export function checkTemplate(line: string, known: readonly string[]): string | undefined {
  const split = splitWords(line);
  if (!split.ok) return split.problem;
  if (split.words.length === 0) return "there is no word in it";
  const unknown = listPlaceholders(line).find((name) => !known.includes(name));
  return unknown === undefined ? undefined : `there is no {{${unknown}}}${suggestWord(unknown, known)}`;
}

/** The words with every placeholder replaced; a word is always one word afterwards. */
export function fillWords(words: readonly string[], values: Readonly<Record<string, string>>): string[] {
  return words.map((word) => word.replace(placeholder, (_, name: string) => values[name] ?? ""));
}
