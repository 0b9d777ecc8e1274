// Papers of a dry run: the example of the kind that is asked for, said a little differently in every turn, and what a
// critic of it points at.
import type { State } from "../../core/model/state.ts";
import { findAskedPaper } from "../../core/paper/context.ts";
import type { PaperValue } from "../../core/paper/kind.ts";
import { getPaperPath, serializePaper } from "../../core/paper/text.ts";

/** The paper that this turn hands in; undefined: it hands in something else. */
export function buildDryPaper(state: State): PaperValue | undefined {
  const kind = findAskedPaper(state);
  if (!kind) return undefined;
  const { value } = markFirstSentence(
    makeHarmless(kind.example),
    `(${state.bubbleId}, turn ${state.turn?.id})`,
  );
  return value as PaperValue;
}

/** The paper that is judged now: its file, and the numbers of its lines that say something. */
export function findJudgedPaper({
  tree,
  papers,
}: State): { file: string; lines: readonly PaperLine[] } | undefined {
  const kind = tree?.paper?.kind;
  const value = kind === undefined ? undefined : papers?.[kind]?.value;
  if (kind === undefined || !value) return undefined;
  const lines = serializePaper(value)
    .split("\n")
    .map((text, i) => ({ line: i + 1, text: text.trim() }));
  return { file: getPaperPath(kind), lines: lines.filter(({ text }) => /\w.*\w{4}/.test(text)) };
}

export interface PaperLine {
  readonly line: number;
  readonly text: string;
}

/** The line that is another one in every turn: what is objected to there can be fixed. */
export const findChangingLine = (lines: readonly PaperLine[]): PaperLine | undefined =>
  lines.find(({ text }) => /\(.+, turn t\d+\)/.test(text)) ?? lines[0];

type Marked = { readonly value: unknown; readonly done: boolean };

/** The first sentence in it with a mark behind. */
function markFirstSentence(value: unknown, mark: string): Marked {
  if (typeof value === "string")
    return value.includes(" ") ? { value: `${value} ${mark}`, done: true } : { value, done: false };
  if (typeof value !== "object" || value === null) return { value, done: false };
  let done = false;
  const each = (one: unknown): unknown => {
    if (done) return one;
    const next = markFirstSentence(one, mark);
    done = next.done;
    return next.value;
  };
  const marked = Array.isArray(value)
    ? value.map(each)
    : Object.fromEntries(Object.entries(value).map(([key, one]) => [key, each(one)]));
  return { value: marked, done };
}

/** Commands of an example would be run; in an empty repository none of them is right. */
function makeHarmless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(makeHarmless);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === "commands" ? ["true"] : makeHarmless(one)]),
  );
}
