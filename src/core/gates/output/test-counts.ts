// How many tests passed and failed, as well-known runners say it in the summary of their output: vitest, jest, mocha,
// node --test and TAP, pytest, unittest, cargo test, go test -v. Where none of them is recognised there is no count, and none is guessed.
import { stripControlCharacters } from "./excerpt.ts";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** A run of several packages prints several summaries: they are added up. */
export function findTestCounts(output: string): TestCounts | undefined {
  const lines = stripControlCharacters(output)
    .split(/\r|\n/)
    .filter((line) => line.length < longestLine);
  const isVerboseGo = lines.some((line) => line.startsWith("=== RUN "));
  const readers = isVerboseGo ? [...summaries, goTest] : summaries;
  const found = lines.flatMap((line) => readers.flatMap((read) => read(line) ?? []));
  if (found.length === 0) return undefined;
  const sum = (key: keyof TestCounts) =>
    Math.max(
      0,
      found.reduce((total, one) => total + one[key], 0),
    );
  return { passed: sum("passed"), failed: sum("failed") };
}

/** No summary is longer; what is longer is data that a test has printed. */
const longestLine = 400;

type Reader = (line: string) => TestCounts | undefined;

const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

/** `2 failed | 44 passed`, `1 failed, 5 passed`: in any order, each of them only if there are any. */
const parseListedCounts = (text: string): TestCounts => ({
  passed: number(text, /(\d+) passed/),
  failed: number(text, /(\d+) failed/) + number(text, /(\d+) errors?/),
});

const parseVitestOrJest: Reader = (line) => {
  const [, vitest, jest] = /^\s*Tests(?: {2,}(.*\S) \(\d+\)|: +(.*), \d+ total)$/.exec(line) ?? [];
  const text = vitest ?? jest;
  return text === undefined ? undefined : parseListedCounts(text);
};

const parseMocha: Reader = (line) => {
  const [, count = "", word] = /^ +(\d+) (passing \(\d+\w+\)|failing)$/.exec(line) ?? [];
  if (word === undefined) return undefined;
  return word === "failing" ? { passed: 0, failed: Number(count) } : { passed: Number(count), failed: 0 };
};

const parseNodeOrTap: Reader = (line) => {
  const [, word, count = ""] = /^[#ℹ] (pass|fail) +(\d+)$/u.exec(line) ?? [];
  if (word === undefined) return undefined;
  return word === "pass" ? { passed: Number(count), failed: 0 } : { passed: 0, failed: Number(count) };
};

const parsePytest: Reader = (line) => {
  const [, text] = /^(?:=+ )?(\d+ \w+(?:, \d+ \w+)*) in \d[\d.]*s(?: \([\d:]+\))?(?: =+)?$/.exec(line) ?? [];
  return text !== undefined && /passed|failed|error/.test(text) ? parseListedCounts(text) : undefined;
};

const parseCargo: Reader = (line) => {
  const [, passed, failed] = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed;/.exec(line) ?? [];
  return passed === undefined ? undefined : { passed: Number(passed), failed: Number(failed) };
};

/** unittest says how many ran and then, on a line of its own, how many of them did not pass. */
const readUnittest: Reader = (line) => {
  const ran = /^Ran (\d+) tests? in \d/.exec(line)?.[1];
  if (ran !== undefined) return { passed: Number(ran), failed: 0 };
  const [, verdict, text = ""] = /^(OK|FAILED) \(((?:\w+ ?\w*=\d+(?:, )?)+)\)$/.exec(line) ?? [];
  if (verdict === undefined) return undefined;
  const failed = number(text, /failures=(\d+)/) + number(text, /errors=(\d+)/);
  return { passed: -failed - number(text, /skipped=(\d+)/), failed };
};

/** Tests themselves, not the parts of one. */
const goTest: Reader = (line) => {
  const [, word] = /^--- (PASS|FAIL): /.exec(line) ?? [];
  return word === undefined
    ? undefined
    : { passed: word === "PASS" ? 1 : 0, failed: word === "FAIL" ? 1 : 0 };
};

const summaries: readonly Reader[] = [
  parseVitestOrJest,
  parseMocha,
  parseNodeOrTap,
  parsePytest,
  readUnittest,
  parseCargo,
];
