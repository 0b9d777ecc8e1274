// Every convention that is known of a project, wherever from: counted here, or written in the file of accepted ones; and
// how a person names one.
import { type Refusal, refuse } from "../../model/refusal.ts";
import { suggestWord } from "../../text/nearest.ts";
import { type Convention, parseConventions } from "../conventions.ts";
import {
  bubblesToAsk,
  type Candidate,
  type ConventionEvidence,
  type ConventionNaming,
  isSameConvention,
  isWaiting,
  type LearnedConventions,
  normalizeWords,
} from "../learning.ts";

/** All that is known about conventions: what was learned here, and the text of the file of accepted ones. */
export interface LearningFiles {
  readonly learned: LearnedConventions;
  readonly file: string;
}

export type ConventionStatus = "accepted" | "waiting" | "counted" | "dismissed" | "retired";

/** One convention, wherever it is known from. */
export interface KnownConvention extends ConventionNaming {
  readonly status: ConventionStatus;
  readonly evidence: readonly ConventionEvidence[];
  /** Absent: it stands in the file and was never counted here. */
  readonly number?: number;
  readonly asked_at?: string;
  readonly accepted?: Convention;
  readonly decision?: Candidate["decision"];
}

const order: readonly ConventionStatus[] = ["waiting", "accepted", "counted", "dismissed", "retired"];

/** Every convention that is known, those that wait for a human first. */
export function listConventions({ learned, file }: LearningFiles): readonly KnownConvention[] {
  const { accepted } = parseConventions(file);
  const counted = learned.candidates.map((candidate) => buildKnown(candidate, accepted));
  const onlyInFile = (named: ConventionNaming) =>
    !learned.candidates.some((candidate) => isSameConvention(candidate, named));
  const written = accepted.filter(onlyInFile).map(
    (convention): KnownConvention => ({
      ...pickNaming(convention),
      status: "accepted",
      evidence: [],
      accepted: convention,
    }),
  );
  const proposed = listProposals(file)
    .filter(onlyInFile)
    .map((line): KnownConvention => ({ ...pickNaming(line), status: "waiting", evidence: [] }));
  const all = [...counted, ...written, ...proposed];
  return all.sort(
    (a, b) => order.indexOf(a.status) - order.indexOf(b.status) || b.evidence.length - a.evidence.length,
  );
}

export const pickNaming = ({ name, pattern, applies_to }: ConventionNaming): ConventionNaming => ({
  name,
  pattern,
  applies_to,
});

function buildKnown(candidate: Candidate, accepted: readonly Convention[]): KnownConvention {
  const { number, evidence, asked_at, decision } = candidate;
  const convention = accepted.find((one) => isSameConvention(candidate, one));
  const more = { number, evidence, ...(asked_at ? { asked_at } : {}), ...(decision ? { decision } : {}) };
  // What stands in the file is what critics are told, whatever was said here before.
  if (convention) return { ...pickNaming(convention), ...more, status: "accepted", accepted: convention };
  const status = decision?.kind ?? (isWaiting(candidate, accepted) ? "waiting" : "counted");
  return { ...pickNaming(candidate), ...more, status };
}

/** Lines of the file that nobody has consented to. */
function listProposals(file: string): ConventionNaming[] {
  const { waiting, problems } = parseConventions(file);
  if (problems.length > 0 || waiting.length === 0) return [];
  return splitNonEmptyLines(file)
    .map((line) => JSON.parse(line) as ConventionNaming & { applies_to: string | string[] })
    .filter(({ name }) => waiting.includes(name))
    .map(({ name, pattern, applies_to }) => ({ name, pattern, applies_to: [applies_to].flat() }));
}

type Found =
  | { readonly ok: true; readonly known: KnownConvention }
  | { readonly ok: false; readonly refusal: Refusal };

/** By its name, its number, or the beginning of its name. A file with mistakes is not decided about. */
export function find(kept: LearningFiles, word: string): Found {
  const { problems } = parseConventions(kept.file);
  if (problems.length > 0)
    return refuseLearning(
      "conventions.invalid",
      "the file of accepted conventions has mistakes",
      "correct the lines in .pairflow/conventions.ndjson",
      problems.map(({ line, message }) => `line ${line}: ${message}`),
    );
  const all = listConventions(kept);
  const number = Number(/^#?(\d+)$/.exec(word.trim())?.[1]);
  const wanted = normalizeWords(word);
  const ways: readonly ((known: KnownConvention) => boolean)[] = [
    ({ name }) => name === word,
    ({ name }) => normalizeWords(name) === wanted,
    (known) => known.number === number,
    ({ name }) => normalizeWords(name).startsWith(wanted),
  ];
  const hits = ways.map((way) => all.filter(way)).find((found) => found.length > 0) ?? [];
  const [known, ...others] = hits;
  if (!known)
    return refuseLearning(
      "conventions.unknown",
      `there is no convention ${quoteName(word)}${suggestWord(
        word,
        all.map(({ name }) => name),
      )}`,
      "pairflow conventions list --all",
    );
  if (others.length > 0)
    return refuseLearning(
      "conventions.ambiguous",
      `${quoteName(word)} may be any of ${hits.length} conventions`,
      "give the whole name, or its number",
      hits.map(({ name, number: given }) => `${given ?? "-"}  ${name}`),
    );
  return { ok: true, known };
}

export const refuseLearning = (...why: Parameters<typeof refuse>) =>
  ({ ok: false, refusal: refuse(...why) }) as const;

export const splitNonEmptyLines = (file: string): string[] =>
  file
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");

/** `fix-cart: claude approved tree 1a2b3c4d5e6f, 2026-03-01` */
export function describeConventionEvidence({ bubble, agent, tree, at, said }: ConventionEvidence): string {
  const words = said ? `, in the words: ${said}` : "";
  return `${bubble}: ${agent} approved tree ${tree.slice(0, 12)}, ${at.slice(0, 10)}${words}`;
}

/** `2 of 3 bubbles`, `5 bubbles` */
export function describeLearningProgress({
  evidence: { length },
}: Pick<KnownConvention, "evidence">): string {
  return length < bubblesToAsk ? `${length} of ${bubblesToAsk} bubbles` : `${length} bubbles`;
}

export const quoteName = (name: string): string => JSON.stringify(name);

/** A name as it can be pasted: what agents wrote must not become a command of its own. */
export function quoteForShell(name: string): string {
  return /^[\w ./:,+@=-]+$/.test(name) ? `"${name}"` : `'${name.replaceAll("'", "'\\''")}'`;
}
