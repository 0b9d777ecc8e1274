// Code that a sentence quotes: between back-ticks, in a fenced block, between quotation marks where it looks like code,
// or as the rest of the line behind a place. Fewer than eight letters or digits are a name, not a quote.
import type { Token } from "./token.ts";
import { isSubstantial } from "./words.ts";

export interface Span extends Token {
  readonly quote: string;
}

const fenced = /```[\w-]*\n([\s\S]*?)\n?```/g;
const ticked = /(?<!`)(`{1,8})(?!`)([^\n]*?[^`\n])\1(?!`)/g;
const marked = /["“„«]([^"“”„«»\n]{1,2000})["”“»]/gu;

/** Every span that quotes something, in order. Places between back-ticks are told from code by whoever asks. */
export function spansOf(sentence: string): Span[] {
  const spans: Span[] = [];
  const add = (pattern: RegExp, group: number, counts: (said: string) => boolean) => {
    for (const found of sentence.matchAll(pattern)) {
      const [from, to] = [found.index, found.index + found[0].length];
      const quote = (found[group] ?? "").trim();
      const isInside = spans.some((span) => from < span.to && to > span.from);
      if (!isInside && counts(quote)) spans.push({ from, to, quote });
    }
  };
  add(fenced, 1, isSubstantial);
  add(ticked, 2, isSubstantial);
  add(marked, 1, (said) => isSubstantial(said) && hasCode(said));
  return spans.sort((a, b) => a.from - b.from);
}

/** Signs that prose does not have: a call, an assignment, an arrow, braces, a semicolon at the end. */
const hasCode = (said: string): boolean => /[\w$\])]\(|[{}]|=>|[^\s=]?=[^=]|;\s*$/u.test(said);

const statement =
  /^(?:return|const|let|var|throw|if|for|while|switch|export|import|class|function|def|fn|func|await|async|public|private|protected|static|readonly|type|interface|use|package)\b/;
const calls = /^[\w$.]+\(.*\)$/u;

/** What follows a place to the end of its line, where all of it is code: a statement that ends as one, or a call. */
export function codeBehind(text: string, places: readonly Token[], spans: readonly Token[]): Span[] {
  const tokens = [...places, ...spans].sort((a, b) => a.from - b.from);
  return places.flatMap(({ to }) => {
    const next = tokens.find(({ from }) => from >= to)?.from ?? text.length;
    const rest = text.slice(to, next).split("\n")[0] ?? "";
    const lead = /^[\s:,)\]–—-]*/u.exec(rest)?.[0].length ?? 0;
    // A semicolon that parts two statements of the sentence is none of the code.
    const quote = rest
      .slice(lead)
      .trim()
      .replace(/;[\s;]*;$/, ";");
    return isSubstantial(quote) && isStatement(quote)
      ? [{ from: to + lead, to: to + lead + quote.length, quote }]
      : [];
  });
}

function isStatement(rest: string): boolean {
  if (calls.test(rest)) return true;
  return /[;{}]$/.test(rest) && (statement.test(rest) || /[\w$]\(|\s(?:[+*/-]|\|\||&&)?=\s|=>/u.test(rest));
}
