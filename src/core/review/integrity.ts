// Whether a review may count: it judged this tree, by somebody else than its producer, does not contradict itself, and
// an approval proves what it says about everything it must answer for. Used on the agent's verb, on the driver's second
// look, and by hand.
import type { ReviewClaim, ReviewFacts } from "../model/command.ts";
import type { Checked, Finding } from "../model/finding.ts";
import { type Refusal, refuse } from "../model/refusal.ts";
import type { State, Turn } from "../model/state.ts";
import type { SopEntry } from "../model/verdict.ts";
import { loopAgents } from "../policy/roles.ts";
import { openBlocking } from "../policy/severity.ts";
import {
  evidencePlaces,
  filesIn,
  isSubstantial,
  placeKey,
  placesIn,
  plainPath,
  saysSomething,
} from "./citations.ts";
import { applyReview, type Numbered, number } from "./ledger.ts";
import { type Subject, subjectsOf } from "./subjects.ts";

export interface Judged {
  readonly turn: Pick<Turn, "agent" | "tree">;
  readonly claim: ReviewClaim;
  readonly facts?: ReviewFacts | undefined;
  /** An operator's review never counts as clean: it need prove nothing. */
  readonly byOperator?: boolean;
}

/** Why this review cannot count, or undefined. */
export function reviewRefused(state: State, judged: Judged): Refusal | undefined {
  return (
    staleTree(judged) ??
    notIndependent(state, judged) ??
    contradiction(state, judged.claim) ??
    confidenceMissing(state, judged) ??
    fixedUnchanged(state, judged) ??
    unproven(state, judged)
  );
}

/** Would this review leave nothing open that stops the loop? Then it approves, whatever it calls itself. */
export function approves(state: State, claim: ReviewClaim): boolean {
  return blockingAfter(state, claim).length === 0;
}

function blockingAfter(state: State, claim: ReviewClaim): Finding[] {
  const { findings, answers } = isNumbered(claim.findings ?? [])
    ? { findings: claim.findings as Numbered[], answers: claim.answers ?? [] }
    : number(claim.findings ?? [], claim.answers ?? [], state.findings, state.findingCount);
  const by = { round: state.round, agent: "", tree: state.tree?.id ?? "" };
  return openBlocking({ ...state, findings: applyReview(state.findings, { findings, answers }, by) });
}

const isNumbered = (findings: readonly object[]) =>
  findings.length > 0 && findings.every((one) => "id" in one);

const shortest = 12;

/** A written review names the tree it judged; flags speak for the tree of their turn. */
function staleTree({ turn, claim, facts }: Judged): Refusal | undefined {
  const expected = turn.tree ?? "";
  if (facts && facts.tree !== expected)
    return refuse("review.stale-tree", "the review was looked up in another tree than the turn's own");
  if (!claim.opinion || claim.opinion.dialect === undefined) return undefined;
  const named = claim.opinion.tree;
  if (named === expected) return undefined;
  if (named && named.length >= shortest && expected.startsWith(named)) return undefined;
  return refuse(
    "review.stale-tree",
    named
      ? `the review judges tree ${named}, this turn is about ${expected}`
      : "the review does not name the tree it judged",
    `"tree": "${expected}"`,
  );
}

function notIndependent(state: State, { turn }: Judged): Refusal | undefined {
  const { tree } = state;
  if (!tree || tree.by !== turn.agent || tree.round !== state.round || loopAgents(state).length < 2)
    return undefined;
  return refuse("review.not-independent", `${turn.agent} made this tree in this round and cannot review it`);
}

/** An approving word with something open, or a rejecting word with nothing behind it. */
function contradiction(state: State, claim: ReviewClaim): Refusal | undefined {
  const decision = claim.opinion?.decision;
  if (decision === undefined) return undefined;
  const blocking = blockingAfter(state, claim);
  if (decision === "approve" && blocking.length > 0)
    return refuse(
      "review.contradiction",
      "the review approves and leaves open what stops the loop",
      "reject it, or answer each of these",
      blocking.map(({ id, severity, title }) => `${id} ${severity} ${title}`),
    );
  const open =
    (claim.findings?.length ?? 0) + (claim.answers ?? []).filter(({ status }) => status === "open").length;
  if (decision === "revise" && open === 0)
    return refuse(
      "review.contradiction",
      "the review rejects and names no finding",
      "say what must change, with file and line",
    );
  return undefined;
}

/** The dialect `verdict` always says how sure it is, by flags too. */
function confidenceMissing({ config }: State, { claim, byOperator }: Judged): Refusal | undefined {
  if (byOperator || config.review.dialect !== "verdict" || claim.opinion?.confidence !== undefined)
    return undefined;
  return refuse("review.no-confidence", "a review of this bubble says how sure it is", "--confidence 0.9");
}

function fixedUnchanged(state: State, { claim, facts, byOperator }: Judged): Refusal | undefined {
  if (byOperator || !state.config.review.require_evidence) return undefined;
  const wrong = (claim.answers ?? []).filter(
    (answer) =>
      answer.status === "fixed" &&
      facts?.unchanged.includes(answer.id) &&
      !namesOtherLines(state, answer.id, answer.reason, facts),
  );
  const [first] = wrong;
  if (!first) return undefined;
  return refuse(
    "review.fixed-unchanged",
    `${wrong.map(({ id }) => id).join(", ")}: answered fixed, but nothing changed where it was found`,
    `--fixed '${first.id}:file:line why it is fixed there'   or   --open ${first.id}   or   --withdrawn '${first.id}:reason'`,
  );
}

function namesOtherLines(state: State, id: string, reason: string | undefined, facts: ReviewFacts): boolean {
  const finding = state.findings.find((known) => known.id === id);
  return placesIn(reason ?? "").some(
    (place) =>
      facts.places[placeKey(place)] === null &&
      !(place.file === finding?.file && place.line === finding?.line),
  );
}

/** An approval without evidence is no approval. */
function unproven(state: State, judged: Judged): Refusal | undefined {
  const { claim, facts, byOperator } = judged;
  if (byOperator || !state.config.review.require_evidence || !approves(state, claim)) return undefined;
  const problems = [
    ...falseClaims(claim, facts),
    ...repeated(claim),
    ...subjectsOf(state).flatMap((subject) => missing(state, subject, judged)),
  ];
  if (problems.length === 0) return undefined;
  const shown = problems
    .slice(0, 18)
    .map((problem) => (problem.length > 900 ? `${problem.slice(0, 900)}…` : problem));
  return refuse(
    "review.evidence",
    "an approval needs evidence that stands in the reviewed tree",
    hintFor(state),
    problems.length > shown.length ? [...shown, `… and ${problems.length - shown.length} more`] : shown,
  );
}

/** The flag that would give evidence for the first thing that needs it. */
function hintFor(state: State): string {
  const [first] = subjectsOf(state);
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
  for (const { why } of claim.checked ?? []) {
    const said = why.toLowerCase().replace(/\s+/g, " ").trim();
    words.set(said, (words.get(said) ?? 0) + 1);
  }
  return [...words].flatMap(([said, times]) =>
    times >= 3 ? [`the same words stand for ${times} places: ${JSON.stringify(said.slice(0, 80))}`] : [],
  );
}

function missing(state: State, subject: Subject, { claim, facts }: Judged): string[] {
  const entry = claim.opinion?.sop_review.find(({ sop_id }) => sop_id === subject.id);
  if (subject.kind === "sop" && entry) return entryProblem(entry, facts);
  const looked = (claim.checked ?? []).filter((checked) => isAbout(state, checked, subject));
  if (looked.length === 0) return [`${nameOf(subject)}: no evidence`];
  return looked.some(({ why }) => saysWhy(state, why))
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

/** Words of its own: no praise, no pasted hint, not the criterion said back. */
function saysWhy(state: State, why: string): boolean {
  const said = why.trim().toLowerCase();
  const echoes = state.task.criteria.some((criterion) => criterion.trim().toLowerCase() === said);
  return !echoes && !pasted.includes(said) && saysSomething(why);
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
