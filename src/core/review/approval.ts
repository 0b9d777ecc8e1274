// What an approval must prove: for every subject a location that exists and a reason of its own; no invented citation, no
// sentence repeated for everything.

import type { ReviewClaim, ReviewFacts } from "../model/command.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import { type CodeLocation, formatLocation } from "../model/review/evidence.ts";
import type { CheckedEvidence } from "../model/review/finding.ts";
import { renderSopEvidence, type SopEntry } from "../model/review/verdict.ts";
import type { State } from "../model/state.ts";
import { clip, keepStart } from "../model/value/sizes.ts";
import { buildLocationKey, normalizeLocation } from "./citations.ts";
import { normalizePath } from "./evidence/token.ts";
import { isSaidBack, isSubstantial, isSubstantialBesidePraise, normalizeSentence } from "./evidence/words.ts";
import { listSubjects, type Subject } from "./subjects.ts";

interface Approval {
  readonly claim: ReviewClaim;
  readonly facts?: ReviewFacts | undefined;
}

interface Proving extends Approval {
  readonly subjects: readonly Subject[];
  /** What the subjects ask: saying it back answers nothing. */
  readonly asked: readonly string[];
}

/** Why this approval proves too little, or undefined. */
export function checkApprovalProof(state: State, { claim, facts }: Approval): Refusal | undefined {
  const subjects = listSubjects(state);
  const proving = { claim, facts, subjects, asked: subjects.map(({ text }) => text) };
  const problems = [
    ...findFalseClaims(claim, facts),
    ...findRepeatedEvidence(claim),
    ...findSpread(claim),
    ...(subjects.length === 0 ? findNowhere(proving) : []),
    ...subjects.flatMap((subject) => listMissingProof(state, subject, proving)),
  ];
  if (problems.length === 0) return undefined;
  const shown = problems.slice(0, 18).map((problem) => clip(problem, 901));
  return refuse(
    "review.evidence",
    "an approval needs evidence that stands in the reviewed tree",
    getHint(state, subjects[0]),
    problems.length > shown.length ? [...shown, `… and ${problems.length - shown.length} more`] : shown,
  );
}

/** The flag that would give evidence for the first thing that needs it. */
function getHint(state: State, first: Subject | undefined): string {
  if (first?.kind === "file" && first.text === "deleted") return `--checked '${first.id} why it may go'`;
  const kept = state.tree?.files.find(({ status }) => status !== "deleted");
  const file = first?.kind === "file" ? first.id : (kept?.path ?? "file");
  if (first?.kind === "sop") return `--sop '${first.id} passed ${file}:LINE what you saw there'`;
  const prefix = { criterion: "", duty: "for:", file: "" }[first?.kind ?? "file"];
  const what = !first || first.kind === "file" ? "" : `${prefix}${first.id} `;
  return `--checked '${what}${file}:LINE what you saw there'`;
}

/** What an SOP's answer cites: the places in its list, or those that its text names. */
export function listCitations(
  { evidence }: Pick<SopEntry, "evidence">,
  facts: ReviewFacts | undefined,
): CodeLocation[] {
  if (typeof evidence !== "string") return evidence.map(normalizeLocation);
  return [...(facts?.read[evidence]?.cites ?? [])];
}

/** Every place an approval cites must be true: an invented one makes all of it worthless. */
function findFalseClaims(claim: ReviewClaim, facts: ReviewFacts | undefined): string[] {
  const entries = claim.opinion?.sop_review ?? [];
  const unread = entries.flatMap(({ sop_id: id, evidence }) =>
    typeof evidence === "string" && evidence !== "" && !facts?.read[evidence]
      ? [`${id}: it was not looked up`]
      : [],
  );
  const cited = [
    ...(claim.checked ?? []).map(normalizeLocation),
    ...entries.flatMap((entry) => listCitations(entry, facts)),
  ];
  const problems = cited.map((place) => {
    const found = facts?.places[buildLocationKey(place)];
    return found === undefined ? `${place.file}: it was not looked up` : found;
  });
  return [...new Set([...unread, ...problems.filter((problem) => problem !== null)])];
}

/** The same words for everything say nothing about anything. */
function findRepeatedEvidence(claim: ReviewClaim): string[] {
  const words = new Map<string, number>();
  const passed = (claim.opinion?.sop_review ?? []).filter(({ status }) => status === "passed");
  for (const said of [...(claim.checked ?? []).map(({ why }) => why), ...passed.map(renderSopEvidence)])
    words.set(normalizeSentence(said), (words.get(normalizeSentence(said)) ?? 0) + 1);
  return [...words].flatMap(([said, times]) =>
    times >= 3 ? [`the same words stand for ${times} places: ${JSON.stringify(keepStart(said, 80))}`] : [],
  );
}

/** Neither does one place for everything. */
function findSpread({ checked = [] }: ReviewClaim): string[] {
  return checked.flatMap(({ for: subjects = [], ...place }) =>
    new Set(subjects).size > 3
      ? [`one place stands for ${subjects.length} questions: ${formatLocation(place)}`]
      : [],
  );
}

/** Nothing was changed and nothing is asked for: one place must show why that is right. */
const findNowhere = ({ claim, asked }: Proving): string[] =>
  claim.checked?.some(({ why }) => hasReason(asked, why))
    ? []
    : ["nothing was changed: no place shows that this is right"];

function listMissingProof(state: State, subject: Subject, { claim, facts, asked }: Proving): string[] {
  const entry = claim.opinion?.sop_review.find(({ sop_id }) => sop_id === subject.id);
  if (subject.kind === "sop" && entry) return checkEntry(entry, facts);
  const looked = (claim.checked ?? []).filter((checked) => isAbout(state, checked, subject));
  if (subject.kind === "sop" && facts?.echoed.includes(subject.id))
    return [`${subject.id}: the evidence is the SOP's own text`];
  if (looked.length === 0) return [`${getName(subject)}: no evidence`];
  const proving = looked.filter((checked) => subject.kind === "file" || isPointingAtText(checked));
  if (proving.length === 0)
    return [`${getName(subject)}: a file without a line or a quote proves nothing about it`];
  return proving.some(({ why }) => hasReason(asked, why))
    ? []
    : [`${getName(subject)}: the evidence says nothing about it`];
}

/** An empty, binary or deleted file is named alone: that proves something about the file, and about nothing else. */
const isPointingAtText = ({ line, quote }: CodeLocation): boolean =>
  line !== undefined || quote !== undefined;

function isAbout(state: State, checked: CheckedEvidence, subject: Subject): boolean {
  if (subject.kind !== "file") return checked.for?.includes(subject.id) ?? false;
  const renamed = state.tree?.files.find(({ path }) => path === subject.id)?.from;
  const file = normalizePath(checked.file);
  return file === subject.id || file === renamed;
}

const pasted = ["why it is right", "why it is right now", "what you saw there", "why"];

/** Words of its own: no praise, no pasted hint, not the question said back, whole or in part. */
function hasReason(asked: readonly string[], why: string): boolean {
  return (
    !pasted.includes(normalizeSentence(why)) &&
    isSubstantialBesidePraise(why) &&
    !asked.some((question) => isSaidBack(why, question))
  );
}

/** `passed` rests on a place that stands in the tree, `not_applicable` on one in a file that the SOP is about. */
function checkEntry(entry: SopEntry, facts: ReviewFacts | undefined): string[] {
  const { sop_id: id, status } = entry;
  if (facts?.echoed.includes(id)) return [`${id}: the evidence is the SOP's own text`];
  if (!isSubstantialBesidePraise(getSaidText(entry))) return [`${id}: the evidence says nothing about it`];
  if (status === "violated") return [];
  if (status === "not_applicable") return checkWave(entry, facts);
  const proves = listCitations(entry, facts).some((place) => hasProof(place, facts));
  return proves ? [] : [`${id}: passed needs a quote or file:line that stands in the tree`];
}

/** What is said: the whole text, or the reasons of a list. */
const getSaidText = ({ evidence }: SopEntry): string =>
  typeof evidence === "string" ? evidence : evidence.map(({ why }) => why).join(" ");

const hasProof = (place: CodeLocation, facts: ReviewFacts | undefined): boolean =>
  (place.line !== undefined || isSubstantial(place.quote ?? "")) &&
  facts?.places[buildLocationKey(place)] === null;

/** The SOP applies by its own patterns: who says otherwise names a changed file it is about, and says why in words. */
function checkWave(entry: SopEntry, facts: ReviewFacts | undefined): string[] {
  const { sop_id: id, evidence } = entry;
  const named =
    typeof evidence === "string"
      ? (facts?.read[evidence]?.files ?? [])
      : listCitations(entry, facts).map(({ file }) => file);
  const about = facts?.matched[id] ?? [];
  if (!named.some((file) => facts?.files.includes(file)))
    return [`${id}: not_applicable needs a reason that names a file of the tree`];
  if (!named.some((file) => about.includes(file)))
    return [
      `${id}: not_applicable must name a changed file that the SOP is about: ${about.slice(0, 5).join(", ") || "none of the named ones is"}`,
    ];
  const words = normalizeSentence(getReason(entry, named));
  return isSubstantialBesidePraise(words) ? [] : [`${id}: not_applicable needs a reason in words`];
}

/** What is said beside the files. */
function getReason(entry: SopEntry, files: readonly string[]): string {
  const { evidence } = entry;
  if (typeof evidence !== "string") return getSaidText(entry);
  return files.reduce((words, file) => words.replaceAll(file, " "), evidence);
}

function getName({ kind, id, text }: Subject): string {
  const short = clip(text, 81);
  return kind === "criterion" || kind === "duty" ? `${id} (${short})` : id;
}
