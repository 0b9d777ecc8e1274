// What makes a statement measurable: a number, a rate, a comparison with something known, another statement's id, a
// named standard, or a command that shows it.

import { findCodeSpans } from "../../text/markdown.ts";
import { criterionPrefixes, findIds, parseLeadingId } from "../ids.ts";
import { blankQuotations } from "../inline.ts";

const list = (words: string) => new Set(words.trim().split(/\s+/));

const units =
  list(`ms s sec secs min mins h hr hrs d w m km cm mm kg g b kb mb gb tb kib mib gib tib px pt em rem hz khz mhz ghz
  rps qps tps fps k bn x xx c f eur usd gbp st nd rd th`);
/** A number behind one of these is a name: "phase 2". */
const labels =
  list(`phase step stage section chapter version release part appendix figure table item level option priority wave milestone
  sprint iteration story epic requirement criterion v`);
const numberWords = list(
  "zero two three four five six seven eight nine ten eleven twelve fifteen twenty thirty fifty hundred thousand twice half",
);
const rates = list("hourly daily nightly weekly monthly quarterly yearly annually");
const standards =
  list(`WCAG ISO IEC RFC PCI GDPR HIPAA NIST FIPS OWASP ASVS IEEE ECMA W3C SOC CCPA DIN BCP OIDC SAML OAuth OpenAPI ITIL
  EN SemVer`);
const runners =
  list(`npm npx yarn pnpm node deno bun make go cargo pytest python python3 mvn gradle gradlew bash sh curl docker git psql k6 ab
  wrk jest vitest playwright cypress terraform kubectl pairflow dotnet ruby rake bundle rspec php composer hey lighthouse axe`);
const noBound = list("enough expected ever necessary needed usual possible before normal");

interface Token {
  readonly text: string;
  readonly lower: string;
}

/** Whether a statement says something that can be checked by measuring, counting, comparing or running. */
export function isMeasurable(statement: string, isCriterion: boolean): boolean {
  const text = blankQuotations(statement);
  if (/[≤≥]|<=|>=|<\s*[\p{L}\p{N}]/u.test(text) || runsCommand(text)) return true;
  const withoutIds = blankIds(text);
  const tokens = listTokens(withoutIds);
  return (
    tokens.some((token, i) => isFigure(tokens, token, i)) || isComparison(tokens) || names(text, isCriterion)
  );
}

function listTokens(text: string): Token[] {
  return [...text.matchAll(/[\p{L}\p{N}]+(?:[-'’.,:/][\p{L}\p{N}]+)*%?/gu)].map(([word]) => ({
    text: word,
    lower: word.toLowerCase(),
  }));
}

function isFigure(tokens: readonly Token[], { text, lower }: Token, i: number): boolean {
  const before = tokens[i - 1]?.lower ?? "";
  if (numberWords.has(lower) || rates.has(lower) || standards.has(text) || /^p\d{2}/.test(lower)) return true;
  if (lower === "one")
    return ["exactly", "most", "least", "within", "only", "than", "every"].includes(before);
  const [first = ""] = lower.split("-");
  const suffix = /^[\d.,:/]+(\p{L}*)%?$/u.exec(first)?.[1];
  return suffix !== undefined && (suffix === "" || units.has(suffix)) && !labels.has(before);
}

/** "faster than version 1", "at least as fast as today", "the same as in the shop". */
function isComparison(tokens: readonly Token[]): boolean {
  return tokens.some(({ lower }, i) => {
    const before = tokens[i - 1]?.lower ?? "";
    const next = tokens[i + 1]?.lower ?? "";
    if (lower === "than") return !["rather", "other"].includes(before) && next !== "" && !noBound.has(next);
    if (lower === "as" && ["same", "equal", "identical"].includes(before)) return true;
    if (lower === "to" && ["equal", "identical", "compared"].includes(before)) return true;
    const bound = tokens[i + 3]?.lower ?? "";
    return (
      lower === "as" &&
      tokens[i + 2]?.lower === "as" &&
      next !== "soon" &&
      bound !== "" &&
      !noBound.has(bound)
    );
  });
}

const pointers = list("in per see under within than meets meet");

/**
 * Names another statement that carries the measure. A criterion names its requirements in any case, so there only a
 * reference that is pointed at ("as in NFR2") counts.
 */
function names(text: string, isCriterion: boolean): boolean {
  const own = parseLeadingId(text)?.key;
  return findIds(text).some((id) => {
    if (id.key === own || standards.has(id.prefix)) return false;
    if (!isCriterion || criterionPrefixes.has(id.prefix)) return true;
    const word = /(\p{L}+)[\s*_[(]*$/u.exec(text.slice(Math.max(0, id.start - 30), id.start))?.[1];
    return (
      word !== undefined &&
      pointers.has(word.toLowerCase()) &&
      !/[([]\s*$/.test(text.slice(Math.max(0, id.start - 2), id.start))
    );
  });
}

function blankIds(text: string): string {
  let result = "";
  let at = 0;
  for (const { start, end, prefix } of findIds(text)) {
    if (standards.has(prefix)) continue;
    result += text.slice(at, start);
    at = end;
  }
  return result + text.slice(at);
}

/** Code that is a command line: `npm test`, `./check.sh 5`. */
function runsCommand(text: string): boolean {
  return findCodeSpans(text).some(({ start, end }) => {
    const [first = "", ...rest] = text
      .slice(start, Math.min(end, start + 200))
      .replace(/`/g, " ")
      .replace(/^[\s$]+/, "")
      .trim()
      .split(/\s+/);
    return (
      first.startsWith("./") ||
      first.endsWith(".sh") ||
      (runners.has(first) && (rest.length > 0 || first === "pytest"))
    );
  });
}
