// What is true about the places a review cites, judged from the texts of the tree it is about and of the base.
import type { ReviewClaim, ReviewFacts } from "../model/command.ts";
import type { Finding } from "../model/finding.ts";
import {
  bareWords,
  type Cited,
  filesNamed,
  isSubstantial,
  placeKey,
  placesIn,
  placesOf,
  plainPath,
  tolerance,
  withoutPlaces,
} from "./citations.ts";

/** A file as it stands in one tree; undefined: it is not there. `null`: it is no text. */
export type Text = string | null | undefined;

export interface Sources {
  readonly tree: string;
  /** The file in the reviewed tree. */
  now(file: string): Text;
  /** The file in the base commit: removed lines stand there. */
  before(file: string): Text;
  /** A file in the tree in which a finding was opened. */
  opened(finding: Finding, file: string): Text;
  /** Whether a file only says what reviews are measured by; it proves nothing about the work. */
  isRule(file: string): boolean;
  /** What an SOP itself says. */
  ruleText(id: string): string | undefined;
}

export function factsOf(claim: ReviewClaim, fixed: readonly Finding[], sources: Sources): ReviewFacts {
  const places = placesOf(claim).map((cited) => [placeKey(cited), placeProblem(cited, sources) ?? null]);
  return {
    tree: sources.tree,
    places: Object.fromEntries(places),
    files: filesNamed(claim).filter(
      (file) => sources.now(file) !== undefined || sources.before(file) !== undefined,
    ),
    unchanged: fixed
      .filter((finding) => isUnchanged(finding, sources) && !isFixedElsewhere(claim, finding, sources))
      .map(({ id }) => id),
    echoed: echoedIn(claim, sources),
  };
}

/** SOPs about which nothing is said but places and their own text. */
function echoedIn(claim: ReviewClaim, { ruleText }: Sources): string[] {
  const said = [
    ...(claim.opinion?.sop_review ?? []).map(({ sop_id: id, evidence }) => ({ id, words: evidence })),
    ...(claim.checked ?? []).flatMap(({ for: ids = [], why }) => ids.map((id) => ({ id, words: why }))),
  ];
  const echoes = said.filter(({ id, words }) => isEcho(words, ruleText(id)));
  return [...new Set(echoes.map(({ id }) => id))];
}

function isEcho(words: string, rule = ""): boolean {
  const said = bareWords(withoutPlaces(words));
  const told = rule.toLowerCase();
  // Word by word first: most evidence has words of its own, and rules are long.
  return (
    isSubstantial(said) &&
    said.split(" ").every((word) => told.includes(word)) &&
    bareWords(rule).includes(said)
  );
}

/** The findings whose files must be read as they were when they were opened. */
export function fixedOf(claim: ReviewClaim, findings: readonly Finding[]): Finding[] {
  const ids = (claim.answers ?? []).filter(({ status }) => status === "fixed").map(({ id }) => id);
  return findings.filter((finding) => ids.includes(finding.id) && finding.file !== undefined);
}

/** Why a cited place is no evidence, or undefined when it stands there: in the tree, or in the base for removed lines. */
function placeProblem(cited: Cited, sources: Sources): string | undefined {
  const now = sources.now(cited.file);
  const before = sources.before(cited.file);
  if (sources.isRule(cited.file)) return `${cited.file} says what is asked for; it is no evidence`;
  if (now === undefined && before === undefined) return `there is no file ${cited.file} in the reviewed tree`;
  const problem = inText(cited, now);
  return problem !== undefined && inText(cited, before) === undefined && before !== undefined
    ? undefined
    : problem;
}

function inText({ file, line, quote }: Cited, text: Text): string | undefined {
  if (text === undefined) return line === undefined && quote === undefined ? undefined : `${file} is deleted`;
  if (text === null)
    return line === undefined && quote === undefined
      ? undefined
      : `${file} is no text; name it without a line`;
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (quote !== undefined) return quoteProblem({ file, line, quote }, lines);
  if (line === undefined)
    return lines.length === 0 ? undefined : `${file} is named without a line or a quote`;
  if (line > lines.length) return `${file} has ${lines.length} lines, there is no line ${line}`;
  return around(lines, line, line).every((one) => one.trim() === "") ? `${file}:${line} is empty` : undefined;
}

function quoteProblem(
  { file, line, quote }: Cited & { quote: string },
  lines: readonly string[],
): string | undefined {
  if (!isSubstantial(quote) && line === undefined)
    return `the quote ${JSON.stringify(quote)} is too short to prove anything`;
  if (line !== undefined && line > lines.length)
    return `${file} has ${lines.length} lines, there is no line ${line}`;
  const length = quote.split("\n").length;
  const where = line === undefined ? lines : around(lines, line, line + length - 1);
  const there = where.join("\n");
  if (there.includes(quote) || folded(there).includes(folded(quote))) return undefined;
  const short = quote.length > 60 ? `${quote.slice(0, 60)}…` : quote;
  return `${JSON.stringify(short)} does not stand ${line === undefined ? `in ${file}` : `at ${file}:${line}`}`;
}

const around = (lines: readonly string[], first: number, last: number) =>
  lines.slice(Math.max(0, first - 1 - tolerance), last + tolerance);

const folded = (text: string) => text.replace(/\s+/g, " ").trim();

/** Nothing changed where the finding was opened: the lines around it stand in the file as they did. */
function isUnchanged(finding: Finding, sources: Sources): boolean {
  const { file, line } = finding;
  if (file === undefined) return false;
  const then = sources.opened(finding, plainPath(file));
  const now = sources.now(plainPath(file));
  if (typeof then !== "string" || typeof now !== "string") return then === now && then !== undefined;
  if (then === now || line === undefined) return then === now;
  const block = around(then.split("\n"), line, line);
  // The line never was: the file has changed, and more cannot be said.
  return block.length > 0 && `\n${now}\n`.includes(`\n${block.join("\n")}\n`);
}

/** The files that the reason for a `fixed` names. */
export function fixingPlaces(claim: ReviewClaim, { id }: Finding): Cited[] {
  return placesIn(claim.answers?.find((answer) => answer.id === id)?.reason ?? "");
}

/** What is fixed by other lines is fixed by lines that were not there when it was found. */
function isFixedElsewhere(claim: ReviewClaim, finding: Finding, sources: Sources): boolean {
  return fixingPlaces(claim, finding).some(({ file, line }) => {
    const now = sources.now(file);
    const then = sources.opened(finding, file);
    const named = typeof now === "string" && line !== undefined ? (now.split("\n")[line - 1] ?? "") : "";
    return named.trim() !== "" && !(typeof then === "string" && then.split("\n").includes(named));
  });
}
