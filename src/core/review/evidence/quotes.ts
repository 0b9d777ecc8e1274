// Code that a sentence quotes: between back-ticks, in a fenced block, between quotation marks where it looks like code,
// or as the rest of the line behind a place. Fewer than eight letters or digits are a name, not a quote.
import { findCodeSpans } from "../../text/markdown.ts";
import type { EvidenceToken } from "./token.ts";
import { isSubstantial } from "./words.ts";

export interface QuotedSpan extends EvidenceToken {
  readonly quote: string;
}

const fenced = /```[\w-]*\n([\s\S]*?)\n?```/g;
const marked = /["“„«]([^"“”„«»\n]{1,2000})["”“»]/gu;

/** Every span that quotes something, in order. Places between back-ticks are told from code by the caller. */
export function findQuotedSpans(sentence: string): QuotedSpan[] {
  const spans: QuotedSpan[] = [];
  const add = (found: readonly QuotedSpan[], counts: (said: string) => boolean) => {
    const isFree = ({ from, to }: QuotedSpan) => !spans.some((span) => from < span.to && to > span.from);
    for (const span of found) if (isFree(span) && counts(span.quote)) spans.push(span);
  };
  add(findMatches(sentence, fenced), isSubstantial);
  add(findTicked(sentence), isSubstantial);
  add(findMatches(sentence, marked), (said) => isSubstantial(said) && hasCode(said));
  return spans.sort((a, b) => a.from - b.from);
}

const findMatches = (sentence: string, pattern: RegExp): QuotedSpan[] =>
  [...sentence.matchAll(pattern)].map(({ 0: whole, 1: quote = "", index }) => ({
    from: index,
    to: index + whole.length,
    quote: quote.trim(),
  }));

/** Code between back-ticks, within a line. */
function findTicked(sentence: string): QuotedSpan[] {
  let start = 0;
  return sentence.split("\n").flatMap((line) => {
    const at = start;
    start += line.length + 1;
    return findCodeSpans(line).map((span) => ({
      from: at + span.start,
      to: at + span.end,
      quote: line
        .slice(span.start, span.end)
        .replace(/^`+|`+$/g, "")
        .trim(),
    }));
  });
}

/** Signs that prose does not have: a call, an assignment, an arrow, braces, a semicolon at the end. */
const hasCode = (said: string): boolean => /[\w$\])]\(|[{}]|=>|[^\s=]?=[^=]|;\s*$/u.test(said);

const statement =
  /^(?:return|const|let|var|throw|if|for|while|switch|export|import|class|function|def|fn|func|await|async|public|private|protected|static|readonly|type|interface|use|package)\b/;
const calls = /^[\w$.]+\(.*\)$/u;

/** What follows a place to the end of its line, where all of it is code: a statement that ends as one, or a call. */
export function findTrailingCode(
  text: string,
  places: readonly EvidenceToken[],
  spans: readonly EvidenceToken[],
): QuotedSpan[] {
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
