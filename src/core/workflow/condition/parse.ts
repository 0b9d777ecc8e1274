// From the text of a condition to its parts. The reader looks at each word once, goes only so deep, and names the first
// thing it cannot read.
import { dotless } from "../catalogue.ts";
import {
  type Comparison,
  type Condition,
  type ConditionToken,
  comparisons,
  type Flaw,
  type LiteralOperand,
  type Operand,
  tokenizeCondition,
} from "./syntax.ts";

export const maxLength = 2000;
export const maxDepth = 50;

export type ParsedCondition =
  | { readonly ok: true; readonly condition: Condition }
  | ({ readonly ok: false } & Flaw);

/** Where the reader is. After a flaw it is at the end, so that all callers return. */
interface Reader {
  readonly tokens: readonly ConditionToken[];
  next: number;
  depth: number;
  flaw?: Flaw;
}

const nothing: Condition = { kind: "is", operand: { kind: "literal", value: null, at: 1 } };

export function parseCondition(text: string): ParsedCondition {
  if (text.length > maxLength)
    return failParsing(`a condition has at most ${maxLength} characters; this one has ${text.length}`, 1);
  const read = tokenizeCondition(text);
  if (!read.ok) return read;
  if (read.tokens.length === 1) return failParsing("the condition is empty", 1);
  const reader: Reader = { tokens: read.tokens, next: 0, depth: 0 };
  const condition = parseEither(reader);
  const left = peek(reader);
  if (left.kind !== "end") fail(reader, describeLeftOver(left), left.at);
  return reader.flaw ? { ok: false, ...reader.flaw } : { ok: true, condition };
}

const failParsing = (message: string, column: number): ParsedCondition => ({ ok: false, message, column });

const describeLeftOver = (token: ConditionToken): string =>
  isComparison(token.text) && token.kind === "sign"
    ? `comparisons cannot be chained; join two with and`
    : `${nameToken(token)} does not belong here; join conditions with and, or`;

const nameToken = (token: ConditionToken): string => (token.kind === "end" ? "the end" : token.text);

function fail(reader: Reader, message: string, column: number): Condition {
  reader.flaw ??= { message, column };
  reader.next = reader.tokens.length - 1;
  return nothing;
}

function peek({ tokens, next }: Reader): ConditionToken {
  return tokens[next] ?? { kind: "end", text: "", at: 1 };
}

function take(reader: Reader): ConditionToken {
  const token = peek(reader);
  if (token.kind !== "end") reader.next++;
  return token;
}

function takeSign(reader: Reader, sign: string): boolean {
  const token = peek(reader);
  if (token.kind !== "sign" || token.text !== sign) return false;
  reader.next++;
  return true;
}

const parseEither = (reader: Reader): Condition => parseJoined(reader, "or", parseAnd);
const parseAnd = (reader: Reader): Condition => parseJoined(reader, "and", parseSingle);

function parseJoined(reader: Reader, kind: "and" | "or", part: (reader: Reader) => Condition): Condition {
  const first = part(reader);
  const parts = [first];
  while (takeSign(reader, kind)) parts.push(part(reader));
  return parts.length === 1 ? first : { kind, parts };
}

/** One comparison, or something in parentheses, or the contrary of one. `not a == b` is `not (a == b)`. */
function parseSingle(reader: Reader): Condition {
  const { at } = peek(reader);
  if (takeSign(reader, "not"))
    return parseDeeper(reader, at, () => ({ kind: "not", part: parseSingle(reader) }));
  if (!takeSign(reader, "(")) return parseComparison(reader);
  return parseDeeper(reader, at, () => {
    const inner = parseEither(reader);
    return takeSign(reader, ")") ? inner : fail(reader, "this parenthesis is not closed", at);
  });
}

function parseDeeper(reader: Reader, at: number, read: () => Condition): Condition {
  if (reader.depth >= maxDepth)
    return fail(reader, `a condition is at most ${maxDepth} parentheses and nots deep`, at);
  reader.depth++;
  const condition = read();
  reader.depth--;
  return condition;
}

const isComparison = (text: string): text is Comparison => (comparisons as readonly string[]).includes(text);

function parseComparison(reader: Reader): Condition {
  const left = parseOperand(reader, false);
  if (!left) return nothing;
  const token = peek(reader);
  if (takeSign(reader, "in")) return parseMembership(reader, left);
  if (token.kind !== "sign" || !isComparison(token.text)) return { kind: "is", operand: left };
  take(reader);
  const operator = token.text;
  const right = parseOperand(reader, operator === "==" || operator === "!=");
  return right ? { kind: "compare", operator, left, right, at: token.at } : nothing;
}

function parseMembership(reader: Reader, left: Operand): Condition {
  const { at } = peek(reader);
  if (!takeSign(reader, "[")) return fail(reader, "after in comes a list such as [GO, NO_GO]", at);
  const list: LiteralOperand[] = [];
  do {
    const item = parseLiteral(reader);
    if (!item) return nothing;
    list.push(item);
  } while (takeSign(reader, ","));
  if (!takeSign(reader, "]")) return fail(reader, "this list is not closed", at);
  return { kind: "in", left, list };
}

/** A literal of a list or a default: bare words are texts. */
function parseLiteral(reader: Reader): LiteralOperand | undefined {
  const token = take(reader);
  if (token.kind === "literal") return { kind: "literal", value: token.value, at: token.at };
  if (token.kind === "word") return { kind: "literal", value: token.text, at: token.at };
  fail(reader, `a value is missing before ${nameToken(token)}`, token.at);
  return undefined;
}

/** A value: a literal, a path, or, where the other side may be a text, a bare word. */
function parseOperand(reader: Reader, mayBeBare: boolean): Operand | undefined {
  const token = take(reader);
  if (token.kind === "literal") return { kind: "literal", value: token.value, at: token.at };
  if (token.kind !== "word") {
    fail(reader, `a path or a value is missing before ${nameToken(token)}`, token.at);
    return undefined;
  }
  const { text: path, at } = token;
  if (takeSign(reader, ":-")) {
    const fallback = parseLiteral(reader);
    return fallback && { kind: "path", path, fallback: fallback.value, at };
  }
  const isBare = mayBeBare && !path.includes(".") && !dotless.includes(path);
  return isBare ? { kind: "literal", value: path, at } : { kind: "path", path, at };
}
