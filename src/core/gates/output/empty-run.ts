// A test run that ran no test proves nothing, though most runners exit with 0. Known runners say so in their summary; where no
// known runner is recognised, nothing is guessed.
import { stripControlCharacters } from "./excerpt.ts";
import { findTestCounts } from "./test-counts.ts";

/** Lines by which runners say that they found or ran no test at all. */
const sayings = [
  /^Ran 0 tests in \d/, // unittest
  /^NO TESTS RAN\b/, // unittest since Python 3.12
  /^(?:=+ )?no tests ran in \d/, // pytest
  /^(?:=+ )?(?:\d+ (?:skipped|deselected|warnings?|xfailed)(?:, )?)+ in \d[\d.]*s(?: =+)?$/, // pytest, all left out
  /^No tests? (?:files )?found, exiting with code \d/, // jest, vitest
  /^(?:Error: )?No test files found\b/, // mocha, vitest
  /^\[INFO\] No tests to run\.$/, // maven
  /^1\.\.0(?: |$)/, // TAP
];

const goNone =
  /^\?\s+\S+\s+\[no test files\]$|^ok\s+\S+\s+.*\[no tests to run\]$|^\s*\S+\s+coverage: 0\.0% of statements$/;
const goRan = /^(?:ok|FAIL|---)\s/;

/** Why the run is empty, as a hint; undefined when tests ran or nobody says. */
export function detectEmptyRun(output: string, exitCode: number | null): string | undefined {
  const lines = stripControlCharacters(output).split(/\r|\n/);
  const counts = findTestCounts(output);
  if (counts && counts.passed + counts.failed > 0) return undefined;
  // A run that failed may have counted nothing because it broke before: only its own word counts then.
  const isCounted = counts !== undefined && exitCode === 0;
  const isSaid = isCounted || lines.some((line) => sayings.some((saying) => saying.test(line)));
  if (!isSaid && !isEmptyGo(lines, exitCode)) return undefined;
  return "no tests ran. Let the command find the tests, or say allow_empty: true for this gate where that is meant";
}

/** go test says it for each package; one package with tests is enough. */
function isEmptyGo(lines: readonly string[], exitCode: number | null): boolean {
  if (exitCode !== 0 || !lines.some((line) => goNone.test(line))) return false;
  return !lines.some((line) => goRan.test(line) && !goNone.test(line));
}
