// When the whole suite fails in a few files they are run again, alone. What that may excuse, and what it may not.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { isWorthASecondLook, listFailedFiles } from "../../scripts/second-look.mjs";

const folder = mkdtempSync(join(tmpdir(), "pairflow-second-look-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function reportOf(failed: readonly string[], more: object = {}): string {
  const file = join(folder, "report.json");
  const results = ["a", ...failed].map((name) => ({
    name: join(folder, name),
    status: failed.includes(name) ? "failed" : "passed",
  }));
  writeFileSync(file, JSON.stringify({ success: false, testResults: results, ...more }));
  return file;
}

it("names the files that failed", () => {
  expect(listFailedFiles(reportOf(["tests/b.test.ts", "tests/c.test.ts"]), folder)).toEqual([
    "tests/b.test.ts",
    "tests/c.test.ts",
  ]);
});

it("does not look again when no file explains the failure, or the run left no report", () => {
  expect(isWorthASecondLook(listFailedFiles(reportOf([]), folder))).toBe(false);
  expect(isWorthASecondLook(listFailedFiles(join(folder, "none.json"), folder))).toBe(false);
});

it("does not look again when more than eight files failed", () => {
  const failed = [..."bcdefghij"];
  expect(isWorthASecondLook(listFailedFiles(reportOf(failed.slice(1)), folder))).toBe(true);
  expect(isWorthASecondLook(listFailedFiles(reportOf(failed), folder))).toBe(false);
});
