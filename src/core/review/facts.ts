// What is true about what a review cites, judged from the texts of the tree it is about and of the base. Evidence that is
// written as one text is read by the grammar here, with the files that there are.

import type { ReadEvidence, ReviewClaim, ReviewFacts } from "../model/command.ts";
import type { CodeLocation } from "../model/review/evidence.ts";
import type { Finding } from "../model/review/finding.ts";
import { renderSopEvidence } from "../model/review/verdict.ts";
import { buildLocationKey, listEvidenceSentences, listTypedLocations } from "./citations.ts";
import { checkCitation, sliceAround, type Text, type TreeTexts } from "./evidence/lookup.ts";
import { type QuoteAtPlaces, readSentence } from "./evidence/sentence.ts";
import { type Names, normalizePath } from "./evidence/token.ts";
import { isSubstantial, normalizeSentence } from "./evidence/words.ts";

export type { Text } from "./evidence/lookup.ts";

export interface Sources extends TreeTexts {
  readonly tree: string;
  /** The file that a word of a sentence names. */
  readonly names: Names;
  /** A file in the tree in which a finding was opened. */
  opened(finding: Finding, file: string): Text;
  /** What an SOP itself says. */
  ruleText(id: string): string | undefined;
  /** Whether the project has this SOP, applying or not. */
  isSop(id: string): boolean;
  /** The changed files that an SOP is about, by its own patterns. */
  matched(id: string): readonly string[];
}

export function collectReviewFacts(
  claim: ReviewClaim,
  fixed: readonly Finding[],
  sources: Sources,
): ReviewFacts {
  const read = Object.fromEntries(
    listEvidenceSentences(claim).map((sentence) => [sentence, readEvidence(sentence, sources)]),
  );
  const cited = [...listTypedLocations(claim), ...Object.values(read).flatMap(({ cites }) => cites)];
  const named = Object.values(read).flatMap(({ files }) => files);
  const files = new Set([...cited.map(({ file }) => file), ...named]);
  return {
    tree: sources.tree,
    places: Object.fromEntries(
      cited.map((place) => [buildLocationKey(place), checkCitation(place, sources) ?? null]),
    ),
    read,
    files: [...files].filter((file) => sources.now(file) !== undefined || sources.before(file) !== undefined),
    unchanged: fixed
      .filter((finding) => isUnchanged(finding, sources) && !isFixedElsewhere(claim, finding, sources))
      .map(({ id }) => id),
    echoed: listEchoedSops(claim, sources),
    unknownSops: (claim.opinion?.sop_review ?? [])
      .map(({ sop_id: id }) => id)
      .filter((id) => !sources.isSop(id)),
    matched: Object.fromEntries(
      (claim.opinion?.sop_review ?? []).map(({ sop_id: id }) => [id, sources.matched(id)]),
    ),
  };
}

/** What a text cites: its places that name a line, and each quote at the place that bears it out. */
function readEvidence(sentence: string, sources: Sources): ReadEvidence {
  const { places, quotes } = readSentence(sentence, sources.names);
  const lines = places.filter(({ line }) => line !== undefined);
  const near = quotes.map((quoted) => findConfirmedPlace(quoted, sources));
  const cites = quotes.flatMap((quoted, i) => near[i] ?? findElsewhere(quoted, near, sources));
  return { cites: [...lines, ...cites], files: [...new Set(places.map(({ file }) => file))] };
}

/** The quote at the first of its places where it stands; undefined: at none. */
function findConfirmedPlace({ quote, at }: QuoteAtPlaces, sources: Sources): CodeLocation | undefined {
  return at
    .map((place) => ({ ...place, quote }))
    .find((place) => checkCitation(place, sources) === undefined);
}

/** A further quote beside one that stands at its line may stand anywhere in that file; otherwise it is looked up as said. */
function findElsewhere(
  { quote, at }: QuoteAtPlaces,
  near: readonly (CodeLocation | undefined)[],
  sources: Sources,
): CodeLocation[] {
  const [first] = at;
  if (!first) return [];
  const isBeside = near.some((place) => place?.file === first.file && place.line === first.line);
  const anywhere = { file: first.file, quote };
  return isBeside && checkCitation(anywhere, sources) === undefined ? [anywhere] : [{ ...first, quote }];
}

/** SOPs about which nothing is said but places and their own text. */
function listEchoedSops(claim: ReviewClaim, { names, ruleText }: Sources): string[] {
  const said = [
    ...(claim.opinion?.sop_review ?? []).map((entry) => ({
      id: entry.sop_id,
      words: renderSopEvidence(entry),
    })),
    ...(claim.checked ?? []).flatMap(({ for: ids = [], why }) => ids.map((id) => ({ id, words: why }))),
  ];
  const echoes = said.filter(({ id, words }) => isEcho(() => readSentence(words, names).words, ruleText(id)));
  return [...new Set(echoes.map(({ id }) => id))];
}

function isEcho(wordsOf: () => string, rule = ""): boolean {
  if (rule === "") return false;
  const said = normalizeSentence(wordsOf());
  const told = rule.toLowerCase();
  // Word by word first: most evidence has words of its own, and rules are long.
  return (
    isSubstantial(said) &&
    said.split(" ").every((word) => told.includes(word)) &&
    normalizeSentence(rule).includes(said)
  );
}

/** The findings whose files must be read as they were when they were opened. */
export function listFixedFindings(claim: ReviewClaim, findings: readonly Finding[]): Finding[] {
  const ids = (claim.answers ?? []).filter(({ status }) => status === "fixed").map(({ id }) => id);
  return findings.filter((finding) => ids.includes(finding.id) && finding.file !== undefined);
}

/** Nothing changed where the finding was opened: the lines around it stand in the file as they did. */
function isUnchanged(finding: Finding, sources: Sources): boolean {
  const { file, line } = finding;
  if (file === undefined) return false;
  const then = sources.opened(finding, normalizePath(file));
  const now = sources.now(normalizePath(file));
  if (typeof then !== "string" || typeof now !== "string") return then === now && then !== undefined;
  if (then === now || line === undefined) return then === now;
  const block = sliceAround(then.split("\n"), line, line);
  // The line never was: the file has changed, and more cannot be said.
  return block.length > 0 && `\n${now}\n`.includes(`\n${block.join("\n")}\n`);
}

/** The places that the reason for a `fixed` names. */
export function listFixLocations(claim: ReviewClaim, { id }: Finding, names: Names): CodeLocation[] {
  const reason = claim.answers?.find((answer) => answer.id === id)?.reason ?? "";
  return readSentence(reason, names).places.filter(({ line }) => line !== undefined);
}

/** What is fixed by other lines is fixed by lines that were not there when it was found. */
function isFixedElsewhere(claim: ReviewClaim, finding: Finding, sources: Sources): boolean {
  return listFixLocations(claim, finding, sources.names).some(({ file, line }) => {
    const now = sources.now(file);
    const then = sources.opened(finding, file);
    const named = typeof now === "string" && line !== undefined ? (now.split("\n")[line - 1] ?? "") : "";
    return named.trim() !== "" && !(typeof then === "string" && then.split("\n").includes(named));
  });
}
