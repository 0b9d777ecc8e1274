// Counts of tests from what well-known runners print, and none where nobody counts.
import { expect, it } from "vitest";
import { findTestCounts } from "../../../src/core/gates/output/test-counts.ts";

it.each([
  [
    "vitest",
    "\u001b[2m Test Files \u001b[22m 1 failed | 2 passed (3)\n      Tests  2 failed | 44 passed | 1 skipped (47)\n   Start at  12:54:18\n",
    { passed: 44, failed: 2 },
  ],
  [
    "vitest, all green",
    "\u001b[2m      Tests \u001b[22m \u001b[32m46 passed\u001b[39m (46)",
    { passed: 46, failed: 0 },
  ],
  [
    "jest",
    "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 5 passed, 8 total\nSnapshots:   0 total\n",
    { passed: 5, failed: 1 },
  ],
  ["mocha", "  5 passing (12ms)\n  1 pending\n  2 failing\n\n  1) a cart\n", { passed: 5, failed: 2 }],
  [
    "node --test, TAP",
    "# tests 4\n# suites 0\n# pass 3\n# fail 1\n# cancelled 0\n",
    { passed: 3, failed: 1 },
  ],
  ["node --test, spec", "ℹ tests 3\nℹ pass 3\nℹ fail 0\n", { passed: 3, failed: 0 }],
  ["pytest", "==== 1 failed, 5 passed, 2 warnings in 0.12s ====", { passed: 5, failed: 1 }],
  ["pytest -q, minutes", "5 passed, 1 error in 61.50s (0:01:01)", { passed: 5, failed: 1 }],
  [
    "cargo test, several binaries",
    "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured\n",
    { passed: 6, failed: 2 },
  ],
  [
    "go test -v",
    "=== RUN   TestA\n=== RUN   TestA/part\n    --- PASS: TestA/part (0.00s)\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- FAIL: TestB (0.00s)\nFAIL\n",
    { passed: 1, failed: 1 },
  ],
])("%s", (_name, output, counts) => expect(findTestCounts(output)).toEqual(counts));

it.each([
  ["nothing", ""],
  ["a linter", "Checked 12 files in 30ms. No fixes applied.\n"],
  ["go test that names only what failed", "--- FAIL: TestB (0.00s)\nFAIL\nok  shop/cart 0.01s\n"],
  ["prose", "All tests passed in 3 seconds\n5 passed the door\n"],
])("none in %s", (_name, output) => expect(findTestCounts(output)).toBeUndefined());
