// Takes secrets out of text before it goes onto the record: the values somebody knows to be secret, and what looks
// like a well-known credential. Text without a secret comes back as it is, and quickly.
import { tryOr } from "../model/value/try-or.ts";
import { mayHoldSecret, patterns } from "./patterns.ts";

/** A secret in a text: from its first character to behind its last. */
export interface SecretSpan {
  readonly from: number;
  readonly to: number;
  readonly kind: string;
}

export interface Redaction {
  /** The same text without secrets. Done twice it changes nothing more. */
  redact(text: string): string;
  /** Where secrets are, in order, none inside another. */
  find(text: string): SecretSpan[];
}

/** Shorter values would be found in words that only look like them. */
export const shortestSecret = 8;

const ofVariable = "env";
const mark = (kind: string) => `[redacted:${kind}]`;
/** What stands for a secret can bring characters together that were apart; a few looks settle that. */
const mostLooks = 5;

/** A redaction that knows these values, in whatever spelling, beside the well-known patterns and what else is recognised. */
export function createRedaction(
  secrets: readonly string[],
  also: (text: string) => SecretSpan[] = () => [],
): Redaction {
  const values = listSpellings(secrets);
  const find = (text: string) =>
    mergeSpans([
      ...values.flatMap((value) => listPlaces(text, value)),
      ...findKnownPatterns(text),
      ...also(text),
    ]);
  return {
    find,
    redact(text) {
      let clean = text;
      for (let look = 0; look < mostLooks; look++) {
        const found = find(clean);
        if (found.length === 0) break;
        clean = replaceSpans(clean, found);
      }
      return clean;
    },
  };
}

/** The text without these secrets and without what looks like one. */
export function redact(text: string, secrets: readonly string[] = []): string {
  return createRedaction(secrets).redact(text);
}

/** Each value as it is, as a text inside JSON and as part of an address; the longest first. */
export function listSpellings(secrets: readonly string[]): string[] {
  const usable = secrets.map((secret) => secret.trim()).filter(isUsable);
  const all = usable.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeForAddress(secret),
  ]);
  return [...new Set(all)].sort((a, b) => b.length - a.length);
}

/** A value that is part of our own mark would be found again in every text it was taken out of. */
function isUsable(secret: string): boolean {
  const kinds = [ofVariable, ...patterns.map(({ kind }) => kind)];
  return secret.length >= shortestSecret && !kinds.some((kind) => mark(kind).repeat(2).includes(secret));
}

function encodeForAddress(secret: string): string {
  // Half a surrogate pair has no spelling there.
  return tryOr(() => encodeURIComponent(secret), secret);
}

interface Rules {
  /** All patterns at once: one look tells whether any of them is there. */
  readonly anything: RegExp;
  readonly each: readonly { readonly kind: string; readonly find: RegExp }[];
}

let made: Rules | undefined;

/** Made when a text first hints at a secret, which in most commands none does. */
function buildRules(): Rules {
  made ??= {
    anything: new RegExp(patterns.map(({ after = "", secret }) => `(?:${after})(?:${secret})`).join("|")),
    each: patterns.map(({ kind, after = "", secret }) => ({
      kind,
      find: new RegExp(`(${after})(?:${secret})`, "g"),
    })),
  };
  return made;
}

function findKnownPatterns(text: string): SecretSpan[] {
  if (!mayHoldSecret(text) || !buildRules().anything.test(text)) return [];
  return buildRules().each.flatMap(({ kind, find }) =>
    [...text.matchAll(find)].map((match) => ({
      from: match.index + (match[1]?.length ?? 0),
      to: match.index + match[0].length,
      kind,
    })),
  );
}

function listPlaces(text: string, value: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
    spans.push({ from: at, to: at + value.length, kind: ofVariable });
  return spans;
}

/** Secrets that overlap are one: what sticks out of the first would be a part of the second. */
function mergeSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const last = result.at(-1);
    if (last && span.from < last.to) result[result.length - 1] = { ...last, to: Math.max(last.to, span.to) };
    else result.push(span);
  }
  return result;
}

function replaceSpans(text: string, spans: readonly SecretSpan[]): string {
  let result = "";
  let at = 0;
  for (const { from, to, kind } of spans) {
    result += text.slice(at, from) + mark(kind);
    at = to;
  }
  return result + text.slice(at);
}
