// Habits that approving critics keep noticing, counted with evidence. Three bubbles whose work was approved are a reason
// to ask a human, never to act: only what a human accepts is ever told to anybody.

import * as v from "valibot";
import type { NoticedHabit } from "../model/review/verdict.ts";
import { keepStart } from "../model/value/sizes.ts";
import type { Convention } from "./conventions.ts";

/** Distinct bubbles after which a human is asked. */
export const bubblesToAsk = 3;
/** Open candidates that are kept; those with the least evidence go first, the oldest of them before the others. */
export const mostCandidates = 200;
/** Bubbles that are named as evidence of one candidate; more would prove nothing more. */
export const mostEvidence = 50;
/** Patterns of one bubble that are looked at: a critic that notices everything has noticed nothing. */
export const mostOfOneBubble = 20;
const mostGlobs = 10;

const defineText = (max: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(max));

export const ConventionEvidence = v.strictObject({
  bubble: defineText(63),
  /** The bubble whose child it was. */
  parent: v.optional(defineText(63)),
  agent: defineText(200),
  tree: defineText(64),
  at: defineText(40),
  /** The critic's own words, where they are not those of the candidate. */
  said: v.optional(defineText(1000)),
});
export type ConventionEvidence = v.InferOutput<typeof ConventionEvidence>;

export const Candidate = v.strictObject({
  /** Given once and never again, so that a number on a screen keeps its meaning. */
  number: v.pipe(v.number(), v.integer(), v.minValue(1)),
  name: defineText(200),
  pattern: defineText(1000),
  applies_to: v.pipe(v.array(defineText(400)), v.minLength(1)),
  evidence: v.array(ConventionEvidence),
  /** When there was enough evidence to ask a human. */
  asked_at: v.optional(defineText(40)),
  /** A human's no: it is counted on and never asked again. */
  decision: v.optional(
    v.strictObject({
      kind: v.picklist(["dismissed", "retired"]),
      by: defineText(200),
      at: defineText(40),
      reason: v.optional(defineText(1000)),
    }),
  ),
});
export type Candidate = v.InferOutput<typeof Candidate>;

export interface LearnedConventions {
  readonly candidates: readonly Candidate[];
  /** Bubbles whose verdicts were looked at: each is counted once. */
  readonly counted: readonly string[];
  /** Numbers given out so far. */
  readonly numbers: number;
}

export const nothingLearned: LearnedConventions = { candidates: [], counted: [], numbers: 0 };

/** One pattern of a verdict that stands, in a bubble whose work was approved. */
export interface NoticedPattern {
  readonly bubble: string;
  readonly parent?: string;
  readonly agent: string;
  readonly tree: string;
  readonly at: string;
  readonly pattern: NoticedHabit;
}

export interface CountResult {
  readonly learned: LearnedConventions;
  /** Those a human is asked about from now on. */
  readonly asked: readonly Candidate[];
}

/** Words that differ only in case, spaces, accents' spelling or punctuation are the same words. */
export function normalizeWords(words: string): string {
  const folded = words.normalize("NFKC").toLowerCase();
  const letters = folded
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .slice(0, 1000);
  return letters === "" ? folded.trim() : letters;
}

/** What a convention is called, and what it says about which files. */
export interface ConventionNaming {
  readonly name: string;
  readonly pattern: string;
  readonly applies_to: readonly string[];
}

/** One convention: the same name, or the same pattern about the same files. */
export function isSameConvention(one: ConventionNaming, other: ConventionNaming): boolean {
  return normalizeWords(one.name) === normalizeWords(other.name) || isSamePattern(one, other);
}

function isSamePattern(one: ConventionNaming, other: ConventionNaming): boolean {
  return (
    normalizeWords(one.pattern) === normalizeWords(other.pattern) &&
    one.applies_to.some((glob) => other.applies_to.includes(glob))
  );
}

export const isConventionAccepted = (candidate: ConventionNaming, accepted: readonly Convention[]): boolean =>
  accepted.some((convention) => isSameConvention(candidate, convention));

/** Does it wait for a human's word? */
export function isWaiting(candidate: Candidate, accepted: readonly Convention[]): boolean {
  return (
    candidate.asked_at !== undefined && !candidate.decision && !isConventionAccepted(candidate, accepted)
  );
}

/**
 * Counts what the critics of these bubbles noticed. A bubble that was counted before changes nothing, whatever it says
 * now; a bubble counts once for each convention, however many of its critics named it.
 */
export function countConvention(
  learned: LearnedConventions,
  accepted: readonly Convention[],
  bubbles: readonly { readonly bubble: string; readonly noticed: readonly NoticedPattern[] }[],
): CountResult {
  const fresh = bubbles.filter(({ bubble }) => !learned.counted.includes(bubble));
  const noticed = fresh.flatMap((one) => one.noticed.slice(0, mostOfOneBubble)).map(flattenPattern);
  const touched = new Set<number>();
  let known = learned;
  for (const one of noticed) {
    const { learned: next, number } = addOne(known, accepted, one);
    known = next;
    if (number) touched.add(number);
  }
  const [candidates, asked] = askAboutRipe(known.candidates, accepted, touched);
  return {
    learned: {
      candidates: limitCandidates(candidates, accepted, touched),
      counted: [...learned.counted, ...fresh.map(({ bubble }) => bubble)],
      numbers: known.numbers,
    },
    asked,
  };
}

/** What agents wrote stands on one line, and no name looks like a flag: names are pasted behind commands. */
function flattenPattern(noticed: NoticedPattern): NoticedPattern {
  const line = (words: string) => words.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
  const { pattern, applies_to } = noticed.pattern;
  const name = line(noticed.pattern.name).replace(/^[-#\s]+/, "") || keepStart(line(pattern), 60);
  return { ...noticed, pattern: { name, pattern: line(pattern), applies_to: line(applies_to) } };
}

function addOne(
  learned: LearnedConventions,
  accepted: readonly Convention[],
  noticed: NoticedPattern,
): { learned: LearnedConventions; number?: number } {
  const { pattern, ...evidence } = noticed;
  const said: ConventionNaming = { ...pattern, applies_to: [pattern.applies_to] };
  const found = findCandidateFor(learned.candidates, said);
  if (!found && isConventionAccepted(said, accepted)) return { learned };
  if (found) {
    const candidates = learned.candidates.map((one) =>
      one === found ? addEvidence(one, evidence, said) : one,
    );
    return { learned: { ...learned, candidates }, number: found.number };
  }
  const number = learned.numbers + 1;
  const made: Candidate = { number, ...said, applies_to: [...said.applies_to], evidence: [evidence] };
  return { learned: { ...learned, numbers: number, candidates: [...learned.candidates, made] }, number };
}

/** A name decides before a pattern does. */
function findCandidateFor(candidates: readonly Candidate[], said: ConventionNaming): Candidate | undefined {
  const byName = candidates.find(({ name }) => normalizeWords(name) === normalizeWords(said.name));
  return byName ?? candidates.find((candidate) => isSamePattern(candidate, said));
}

function addEvidence(candidate: Candidate, evidence: ConventionEvidence, said: ConventionNaming): Candidate {
  const isKnown = candidate.evidence.some((known) => isOneWork(known, evidence));
  if (isKnown || candidate.evidence.length >= mostEvidence) return candidate;
  const isOther = normalizeWords(said.pattern) !== normalizeWords(candidate.pattern);
  return {
    ...candidate,
    applies_to: [...new Set([...candidate.applies_to, ...said.applies_to])].slice(0, mostGlobs),
    evidence: [...candidate.evidence, isOther ? { ...evidence, said: said.pattern } : evidence],
  };
}

/** One bubble; or a parent and its child, whose critics looked at the same lines. */
function isOneWork(one: ConventionEvidence, other: ConventionEvidence): boolean {
  return one.bubble === other.bubble || one.parent === other.bubble || one.bubble === other.parent;
}

/** Those that reach the number now are asked about, once. */
function askAboutRipe(
  candidates: readonly Candidate[],
  accepted: readonly Convention[],
  touched: ReadonlySet<number>,
): [readonly Candidate[], readonly Candidate[]] {
  const asked: Candidate[] = [];
  const after = candidates.map((candidate) => {
    const isDue = touched.has(candidate.number) && candidate.evidence.length >= bubblesToAsk;
    if (!isDue || candidate.asked_at || candidate.decision || isConventionAccepted(candidate, accepted))
      return candidate;
    const at = candidate.evidence.at(-1)?.at ?? "";
    const due = { ...candidate, asked_at: at };
    asked.push(due);
    return due;
  });
  return [after, asked];
}

/** What a human has decided is remembered for good; of the rest what just came in stays, or nothing new could be learned. */
function limitCandidates(
  candidates: readonly Candidate[],
  accepted: readonly Convention[],
  touched: ReadonlySet<number>,
): readonly Candidate[] {
  const open = candidates.filter((one) => !one.decision && !isConventionAccepted(one, accepted));
  const newest = (one: Candidate) => one.evidence.at(-1)?.at ?? "";
  const leastFirst = open
    .filter(({ number }) => !touched.has(number))
    .sort((a, b) => a.evidence.length - b.evidence.length || (newest(a) < newest(b) ? -1 : 1));
  const gone = new Set(leastFirst.slice(0, Math.max(0, open.length - mostCandidates)));
  return candidates.filter((one) => !gone.has(one));
}
