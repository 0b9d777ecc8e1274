// A threshold is met by a report that the gate itself wrote, or it is not met.
import { describe, expect, it } from "vitest";
import { judgeCoverage } from "../../../src/core/gates/reports/judgement.ts";
import { reportPlaces } from "../../../src/core/gates/reports/places.ts";

const gate = {
  name: "coverage",
  command: "go test -coverprofile=coverage.out ./...",
  required: false,
  timeout_seconds: 600,
  threshold: 80,
};

describe("coverage", () => {
  it.each([80, 80.01, 100])("of %d reaches a threshold of 80", (percent) => {
    expect(judgeCoverage(gate, { kind: "read", percent })).toEqual({
      status: "passed",
      coverage: percent,
      threshold: 80,
    });
  });

  it("below the threshold fails, and both figures are named", () => {
    expect(judgeCoverage(gate, { kind: "read", percent: 79.99 })).toEqual({
      status: "failed",
      coverage: 79.99,
      threshold: 80,
      hint: "coverage is 79.99 %, below the threshold of 80 %",
    });
  });

  it.each([
    [{ kind: "none", looked: ["a.xml"] }, /no coverage report was found \(looked for a\.xml\): .* report$/],
    [{ kind: "none", looked: ["a", "b", "c", "d", "e"] }, /looked for a, b, c and 2 more places/],
    [{ kind: "stale", path: "coverage.out" }, /coverage\.out is not from this run/],
    [{ kind: "unreadable", path: "coverage.out" }, /coverage\.out cannot be read/],
  ] as const)("that nothing shows is an error, never a pass: %j", (reading, hint) => {
    const judged = judgeCoverage({ ...gate, threshold: 0 }, reading);
    expect(judged).toMatchObject({ status: "error", hint: expect.stringMatching(hint) });
    expect(judged.coverage).toBeUndefined();
  });
});

describe("a report is looked for", () => {
  it("where the gate says, and nowhere else", () => {
    expect(reportPlaces({ ...gate, report: "out/lcov.info" })).toEqual(["out/lcov.info"]);
  });

  it.each([
    ["go test -coverprofile=c.out ./...", "c.out"],
    ["go test -coverprofile my.out ./...", "my.out"],
    ["cargo llvm-cov --json --output-path 'a b.json'", "a b.json"],
  ])("first where its command says: %s", (command, place) => {
    expect(reportPlaces({ command })[0]).toBe(place);
  });

  it("where the tools put it by themselves", () => {
    expect(reportPlaces({ command: "npm run coverage" })).toEqual(
      expect.arrayContaining([
        "coverage/coverage-summary.json",
        "coverage.xml",
        "target/site/jacoco/jacoco.xml",
      ]),
    );
  });
});
