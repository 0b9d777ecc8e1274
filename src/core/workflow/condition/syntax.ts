// The language of conditions: what a condition is after reading, and the words and signs it is written with.
import { pathPattern } from "../path.ts";

export type Literal = string | number | boolean | null;

/** `at` is the column in the text, counted from 1. */
export interface PathOperand {
  readonly kind: "path";
  readonly path: string;
  /** Taken when nothing stands at the path. */
  readonly fallback?: Literal;
  readonly at: number;
}
export interface LiteralOperand {
  readonly kind: "literal";
  readonly value: Literal;
  readonly at: number;
}
export type Operand = PathOperand | LiteralOperand;

export const comparisons = ["==", "!=", "<=", ">=", "<", ">"] as const;
export type Comparison = (typeof comparisons)[number];

export type Condition =
  | { readonly kind: "and" | "or"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  | {
      readonly kind: "compare";
      readonly operator: Comparison;
      readonly left: Operand;
      readonly right: Operand;
      readonly at: number;
    }
  | { readonly kind: "in"; readonly left: Operand; readonly list: readonly LiteralOperand[] }
  | { readonly kind: "is"; readonly operand: Operand };

/** Something wrong with a condition, and the column it is about. */
export interface Flaw {
  readonly message: string;
  readonly column: number;
}

export type ConditionToken =
  | { readonly kind: "word"; readonly text: string; readonly at: number }
  | { readonly kind: "literal"; readonly text: string; readonly value: Literal; readonly at: number }
  | { readonly kind: "sign"; readonly text: string; readonly at: number }
  | { readonly kind: "end"; readonly text: ""; readonly at: number };

export type Tokens =
  | { readonly ok: true; readonly tokens: readonly ConditionToken[] }
  | ({ readonly ok: false } & Flaw);

const space = /\s+/y;
const word = new RegExp(pathPattern, "y");
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const quoted = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/sy;
const sign = /&&|\|\||==|!=|<=|>=|:-|[<>!()[\],]/y;

const constants: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const keywords: ReadonlySet<string> = new Set(["and", "or", "not", "in"]);
const spelledOut: ReadonlyMap<string, string> = new Map([
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
]);

/** The words and signs of a condition, from left to right. */
export function tokenizeCondition(text: string): Tokens {
  const tokens: ConditionToken[] = [];
  let from = 0;
  while (from < text.length) {
    const blank = match(space, text, from);
    if (blank) {
      from += blank.length;
      continue;
    }
    const token = readTokenAt(text, from);
    if ("message" in token) return { ok: false, ...token };
    tokens.push(token);
    from += token.length;
  }
  return { ok: true, tokens: [...tokens, { kind: "end", text: "", at: text.length + 1 }] };
}

function match(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0];
}

function readTokenAt(text: string, from: number): (ConditionToken & { readonly length: number }) | Flaw {
  const at = from + 1;
  const called = match(word, text, from);
  if (called !== undefined) return { ...readWordToken(called, at), length: called.length };
  const figure = match(number, text, from);
  if (figure !== undefined) return readNumberToken(figure, text.slice(from + figure.length), at);
  const said = match(quoted, text, from);
  if (said !== undefined) return readTextToken(said, at);
  const mark = match(sign, text, from);
  if (mark !== undefined)
    return { kind: "sign", text: spelledOut.get(mark) ?? mark, at, length: mark.length };
  return { message: describeStrangeness(text, from), column: at };
}

function readWordToken(text: string, at: number): ConditionToken {
  const value = constants.get(text);
  if (value !== undefined) return { kind: "literal", text, value, at };
  return { kind: keywords.has(text) ? "sign" : "word", text, at };
}

function readNumberToken(
  text: string,
  rest: string,
  at: number,
): (ConditionToken & { readonly length: number }) | Flaw {
  const value = Number(text);
  if (!Number.isFinite(value)) return { message: `${text} is too large a number`, column: at };
  if (/^[A-Za-z0-9_.]/.test(rest))
    return { message: `${text}${[...rest][0] ?? ""}… is neither a number nor a word; quote it`, column: at };
  return { kind: "literal", text, value, at, length: text.length };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
const escaped = /\\(?:u([0-9a-fA-F]{4})|(.))/gs;

function readTextToken(said: string, at: number): ConditionToken & { readonly length: number } {
  const value = said
    .slice(1, -1)
    .replace(escaped, (_all, code: string | undefined, letter: string | undefined) =>
      code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[letter ?? ""] ?? letter ?? ""),
    );
  return { kind: "literal", text: said, value, at, length: said.length };
}

function describeStrangeness(text: string, from: number): string {
  const character = String.fromCodePoint(text.codePointAt(from) ?? 0);
  if (character === "=") return "a single = is no comparison; write ==";
  if (character === "&") return "a single & joins nothing; write and";
  if (character === "|") return "a single | joins nothing; write or";
  if (character === '"' || character === "'") return "this text is not closed";
  if (character === "$") return "paths stand in a condition as they are, without a dollar sign and braces";
  return `${JSON.stringify(character)} means nothing in a condition`;
}
