// One quantity with two values: "session timeout 30 s" here, "session timeout 60 s" there. Only the same noun phrase, the
// same kind of bound and the same circumstances are compared; a doubt is no problem.
import { findIdKeys, type Id, parseLeadingId } from "../ids.ts";
import { blankCode, blankLinksAndTags, getProse } from "../inline.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import type { PlacedBlock } from "../sections.ts";
import { stemWord } from "./contradictions.ts";
import {
  bounds,
  conditions,
  connectors,
  findUnit,
  generic,
  nouns,
  type Quantity,
  tokenizeQuantities,
} from "./quantity-words.ts";

/** A quantity as one statement gives it, with every value it has there. */
interface Given {
  readonly phrase: string;
  readonly bound: string;
  readonly unit: string;
  readonly values: Set<number>;
  readonly shown: string;
  readonly line: number;
  /** More than the bare noun, so that it means the same thing everywhere. */
  readonly isSpecific: boolean;
  /** What else the sentence is about. */
  readonly around: string;
  readonly ids: readonly string[];
}

/** Quantities that have one value in one place and another in another. */
export function findConflictingQuantities({ placed }: DocumentReading): DocumentProblem[] {
  const first = new Map<string, Given>();
  return placed.flatMap(collectGiven).flatMap((given) => {
    const earlier = listPlaces(given).flatMap((place) => first.get(place) ?? []);
    for (const place of listPlaces(given)) if (!first.has(place)) first.set(place, given);
    const other = earlier.find(
      ({ line, values }) => line !== given.line && [...given.values].every((value) => !values.has(value)),
    );
    if (!other) return [];
    return [
      {
        line: given.line,
        message: `"${given.shown}" here, but "${other.shown}" in line ${other.line}`,
        hint: "keep one value, or say in both places which case it is for",
      },
    ];
  });
}

/** Where the same quantity would be filed: under its name if that is specific, its sentence, or an id both name. */
function listPlaces({ phrase, bound, unit, isSpecific, around, ids }: Given): string[] {
  const name = `${phrase}|${bound}|${unit}`;
  const linked = ids.map((id) => `${name}|id ${id}`);
  return [isSpecific ? `${name}|` : `${name}|about ${around}`, ...linked];
}

function collectGiven({ block, places }: PlacedBlock): Given[] {
  const isBinding = places.some((place) => ["scope", "requirements", "acceptance criteria"].includes(place));
  if (!isBinding || block.kind === "heading" || block.kind === "code" || block.kind === "quote") return [];
  const { text, lineAt } = getProse(block);
  const words = blankCode(blankLinksAndTags(text));
  const ids = findIdKeys(words).slice(0, 20);
  const found = new Map<string, Given>();
  for (const { start, end } of listSentences(words, parseLeadingId(text))) {
    const sentence = words.slice(start, end);
    for (const quantity of listQuantitiesIn(sentence)) {
      const name = `${quantity.phrase}|${quantity.bound}|${quantity.unit}`;
      const before = found.get(name);
      if (before) before.values.add(quantity.value);
      else
        found.set(name, {
          ...quantity,
          values: new Set([quantity.value]),
          line: lineAt(start + quantity.at),
          ids,
        });
    }
  }
  return [...found.values()];
}

function listSentences(text: string, lead: Id | undefined): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = [];
  let start = lead?.end ?? 0;
  for (const match of text.matchAll(/[.;!?](?=\s)/g)) {
    if (match.index < start) continue;
    parts.push({ start, end: match.index });
    start = match.index + 1;
  }
  return [...parts, { start, end: text.length }];
}

interface Found extends Omit<Given, "values" | "line" | "ids"> {
  readonly value: number;
  readonly at: number;
}

const longest = 400;

function listQuantitiesIn(sentence: string): Found[] {
  const tokens = tokenizeQuantities(sentence.slice(0, longest));
  const around = (from: number, to: number) =>
    tokens
      .filter((token, i) => (i < from || i > to) && /^\p{L}/u.test(token.text) && !connectors.has(token.text))
      .map((token) => stemWord(token.text))
      .join(" ");
  return tokens.flatMap((token, i) => {
    const unit = token.value === undefined ? undefined : findUnit(tokens, i);
    if (!unit || token.value === undefined) return [];
    const named = findNameBehind(tokens, i + unit.length) ?? findAhead(tokens, i);
    if (!named || isConditional(tokens, named, i + unit.length)) return [];
    return [
      {
        phrase: named.words.map(stemWord).join(" "),
        bound: named.bound,
        unit: unit.name,
        value: Number((token.value * unit.factor).toPrecision(9)),
        shown: sentence.slice(
          tokens[Math.min(named.from, i)]?.start,
          tokens[Math.max(named.to, i + unit.length - 1)]?.end,
        ),
        at: token.start,
        isSpecific: named.words.some((word) => !nouns.has(word) && !generic.has(word)),
        around: around(Math.min(named.from, i), Math.max(named.to, i + unit.length - 1)),
      },
    ];
  });
}

interface Named {
  readonly words: string[];
  readonly from: number;
  readonly to: number;
  readonly bound: string;
}

/** "a 30 s session timeout": the name follows the value. */
function findNameBehind(tokens: readonly Quantity[], start: number): Named | undefined {
  for (let to = start; to < start + 4 && to < tokens.length; to++) {
    const word = tokens[to]?.text ?? "";
    if (connectors.has(word) || !/^[\p{L}-]+$/u.test(word) || tokens[to]?.afterBreak) return undefined;
    const next = tokens[to + 1];
    if (nouns.has(word) && !(next && nouns.has(next.text) && !next.afterBreak)) {
      const words = tokens.slice(start, to + 1).map(({ text }) => text);
      return { words, from: start, to, bound: "is" };
    }
  }
  return undefined;
}

/** "the session timeout is at most 30 s": the name stands before the value, connected by few words. */
function findAhead(tokens: readonly Quantity[], value: number): Named | undefined {
  let at = value - 1;
  let bound = "is";
  while (at >= 0 && value - at < 7 && connectors.has(tokens[at]?.text ?? "")) {
    bound = bounds.get(tokens[at]?.text ?? "") ?? bound;
    at--;
  }
  if (!nouns.has(tokens[at]?.text ?? "")) return undefined;
  let from = at;
  while (from > 0 && at - from < 3 && isModifier(tokens, from)) from--;
  return { words: tokens.slice(from, at + 1).map(({ text }) => text), from, to: at, bound };
}

function isModifier(tokens: readonly Quantity[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? "";
  return (
    !tokens[at]?.afterBreak &&
    /^[\p{L}][\p{L}\p{N}-]*$/u.test(before) &&
    !connectors.has(before) &&
    !conditions.has(before)
  );
}

/** "for guests", "when offline", "during the first week": another case may have another value. */
function isConditional(tokens: readonly Quantity[], named: Named, end: number): boolean {
  const from = Math.min(named.from, end);
  return tokens.some(
    (token, i) => conditions.has(token.text) && (i < from - 2 || i > Math.min(named.to, end)),
  );
}
