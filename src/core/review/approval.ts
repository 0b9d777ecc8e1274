// What an approval must prove: a true place and words of its own for every subject, nothing invented, nothing said by rote.
import type { ReviewClaim, ReviewFacts } from "../model/command.ts";
import type { Checked } from "../model/finding.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { State } from "../model/state.ts";
import type { SopEntry } from "../model/verdict.ts";
import {
  bareWords,
  evidencePlaces,
  filesIn,
  isSubstantial,
  placeKey,
  plainPath,
  saysSomething,
} from "./citations.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

interface Approval {
  readonly claim: ReviewClaim;
  readonly facts?: ReviewFacts | undefined;
}

interface Proving extends Approval {
  readonly subjects: readonly Subject[];
  /** What the subjects ask, in bare words: saying it back answers nothing. */
  readonly asked: ReadonlySet<string>;
}

/** Why this approval proves too little, or undefined. */
export function unproven(state: State, { claim, facts }: Approval): Refusal | undefined {
  const subjects = subjectsOf(state);
  const proving = { claim, facts, subjects, asked: new Set(subjects.map(({ text }) => bareWords(text))) };
  const problems = [
    ...falseClaims(claim, facts),
    ...repeated(claim),
    ...spread(claim),
    ...(subjects.length === 0 ? nowhere(proving) : []),
    ...subjects.flatMap((subject) => missing(state, subject, proving)),
  ];
  if (problems.length === 0) return undefined;
  const shown = problems
    .slice(0, 18)
    .map((problem) => (problem.length > 900 ? `${problem.slice(0, 900)}…` : problem));
  return refuse(
    "review.evidence",
    "an approval needs evidence that stands in the reviewed tree",
    hintFor(state, subjects[0]),
    problems.length > shown.length ? [...shown, `… and ${problems.length - shown.length} more`] : shown,
  );
}

/** The flag that would give evidence for the first thing that needs it. */
function hintFor(state: State, first: Subject | undefined): string {
  const file = first?.kind === "file" ? first.id : (state.tree?.files[0]?.path ?? "file");
  if (first?.kind === "sop") return `--sop '${first.id} passed ${file}:LINE what you saw there'`;
  const prefix = { criterion: "", duty: "for:", file: "" }[first?.kind ?? "file"];
  const what = !first || first.kind === "file" ? "" : `${prefix}${first.id} `;
  return `--checked '${what}${file}:LINE what you saw there'`;
}

/** Every place an approval cites must be true: an invented one makes all of it worthless. */
function falseClaims(claim: ReviewClaim, facts: ReviewFacts | undefined): string[] {
  const cited = [
    ...(claim.checked ?? []).map(({ file, line, quote }) => ({ file: plainPath(file), line, quote })),
    ...(claim.opinion?.sop_review ?? []).flatMap(({ evidence }) => evidencePlaces(evidence)),
  ];
  const problems = cited.map((place) => {
    const found = facts?.places[placeKey(place)];
    return found === undefined ? `${place.file}: it was not looked up` : found;
  });
  return [...new Set(problems.filter((problem) => problem !== null))];
}

/** The same words for everything say nothing about anything. */
function repeated(claim: ReviewClaim): string[] {
  const words = new Map<string, number>();
  const passed = (claim.opinion?.sop_review ?? []).filter(({ status }) => status === "passed");
  for (const said of [
    ...(claim.checked ?? []).map(({ why }) => why),
    ...passed.map(({ evidence }) => evidence),
  ])
    words.set(bareWords(said), (words.get(bareWords(said)) ?? 0) + 1);
  return [...words].flatMap(([said, times]) =>
    times >= 3 ? [`the same words stand for ${times} places: ${JSON.stringify(said.slice(0, 80))}`] : [],
  );
}

/** Neither does one place for everything. */
function spread({ checked = [] }: ReviewClaim): string[] {
  return checked.flatMap(({ file, line, for: subjects = [] }) =>
    new Set(subjects).size > 3
      ? [`one place stands for ${subjects.length} questions: ${file}${line ? `:${line}` : ""}`]
      : [],
  );
}

/** Nothing was changed and nothing is asked for: one place must show why that is right. */
const nowhere = ({ claim, asked }: Proving): string[] =>
  claim.checked?.some(({ why }) => saysWhy(asked, why))
    ? []
    : ["nothing was changed: no place shows that this is right"];

function missing(state: State, subject: Subject, { claim, facts, asked }: Proving): string[] {
  const entry = claim.opinion?.sop_review.find(({ sop_id }) => sop_id === subject.id);
  if (subject.kind === "sop" && entry) return entryProblem(entry, facts);
  const looked = (claim.checked ?? []).filter((checked) => isAbout(state, checked, subject));
  if (subject.kind === "sop" && facts?.echoed.includes(subject.id))
    return [`${subject.id}: the evidence is the SOP's own text`];
  if (looked.length === 0) return [`${nameOf(subject)}: no evidence`];
  return looked.some(({ why }) => saysWhy(asked, why))
    ? []
    : [`${nameOf(subject)}: the evidence says nothing about it`];
}

function isAbout(state: State, checked: Checked, subject: Subject): boolean {
  if (subject.kind !== "file") return checked.for?.includes(subject.id) ?? false;
  const renamed = state.tree?.files.find(({ path }) => path === subject.id)?.from;
  const file = plainPath(checked.file);
  return file === subject.id || file === renamed;
}

const pasted = ["why it is right", "why it is right now", "what you saw there", "why"];

/** Words of its own: no praise, no pasted hint, not the question said back. */
function saysWhy(asked: ReadonlySet<string>, why: string): boolean {
  const said = bareWords(why);
  return !asked.has(said) && !pasted.includes(said) && saysSomething(why);
}

/** `passed` rests on a place that stands in the tree; `not_applicable` names a file and a reason. */
function entryProblem({ sop_id, status, evidence }: SopEntry, facts: ReviewFacts | undefined): string[] {
  if (facts?.echoed.includes(sop_id)) return [`${sop_id}: the evidence is the SOP's own text`];
  if (!saysSomething(evidence)) return [`${sop_id}: the evidence says nothing about it`];
  if (status === "violated") return [];
  const isNamed = filesIn(evidence).some((file) => facts?.files.includes(file));
  if (status === "not_applicable")
    return isNamed ? [] : [`${sop_id}: not_applicable needs a reason that names a file of the tree`];
  const proves = evidencePlaces(evidence).some(
    (place) =>
      (place.line !== undefined || isSubstantial(place.quote ?? "")) &&
      facts?.places[placeKey(place)] === null,
  );
  return proves ? [] : [`${sop_id}: passed needs a quote or file:line that stands in the tree`];
}

function nameOf({ kind, id, text }: Subject): string {
  const short = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return kind === "criterion" || kind === "duty" ? `${id} (${short})` : id;
}
