// Coverage is read from the tools' own reports, in eight formats. What cannot be read is no figure.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCoverage } from "../../../src/core/gates/reports/read.ts";

const json = (value: unknown) => JSON.stringify(value);

const istanbulFile = (statements: readonly [line: number, count: number][]) => ({
  path: "/shop/src/cart.js",
  statementMap: Object.fromEntries(
    statements.map(([line], i) => [i, { start: { line, column: 0 }, end: { line, column: 9 } }]),
  ),
  s: Object.fromEntries(statements.map(([, count], i) => [i, count])),
  branchMap: {},
  b: {},
  fnMap: {},
  f: {},
});

const formats: readonly [format: string, report: string, percent: number][] = [
  ["Go's profile, by statements", "mode: set\nshop/cart.go:3.20,5.2 3 1\nshop/cart.go:7.20,9.2 1 0\n", 75],
  [
    "Go's profile with a block that two test binaries list",
    "mode: atomic\nshop/a.go:1.1,2.2 2 0\nshop/b.go:1.1,2.2 2 0\nshop/a.go:1.1,2.2 2 7\n",
    50,
  ],
  [
    "Go's profile of Windows lines and a path with blanks",
    "mode: count\r\nmy shop/a.go:1.1,2.2 4 1\r\n",
    100,
  ],
  [
    "lcov, by lines",
    "TN:\nSF:src/a.js\nDA:1,3\nDA:2,0\nDA:3,1\nLF:3\nLH:2\nend_of_record\nSF:src/b.js\nDA:1,1\nend_of_record\n",
    75,
  ],
  ["lcov with sums alone", "SF:a.c\nLF:8\nLH:2\nend_of_record\n", 25],
  [
    "lcov with two records for one file",
    "SF:a.c\nDA:1,0\nDA:2,1\nend_of_record\nSF:a.c\nDA:1,1\nDA:2,0\nend_of_record\n",
    100,
  ],
  [
    "istanbul's summary",
    json({
      total: {
        lines: { total: 200, covered: 161, skipped: 0, pct: 80.5 },
        statements: { total: 1, covered: 0, skipped: 0, pct: 0 },
      },
      "/shop/src/cart.js": { lines: { total: 200, covered: 161, skipped: 0, pct: 80.5 } },
    }),
    80.5,
  ],
  [
    "istanbul's details: a line counts once, covered when one of its statements ran",
    json({
      "/shop/a.js": istanbulFile([
        [1, 1],
        [2, 0],
        [2, 4],
        [3, 0],
      ]),
      "/shop/b.js": istanbulFile([[1, 0]]),
    }),
    50,
  ],
  [
    "Cobertura with sums",
    `<?xml version="1.0" ?>\n<!DOCTYPE coverage SYSTEM 'x'>\n<coverage version="7.6" lines-valid="40" lines-covered="31" line-rate="0.775" branch-rate="0"><packages/></coverage>`,
    77.5,
  ],
  [
    "Cobertura with a rate alone",
    `<coverage line-rate='0.6666' branch-rate='1'><packages><class><lines><line number="1" hits="1"/></lines></class></packages></coverage>`,
    66.66,
  ],
  [
    "coverage.py's JSON",
    json({
      meta: { version: "7.6" },
      files: {},
      totals: { covered_lines: 9, num_statements: 12, percent_covered: 75 },
    }),
    75,
  ],
  [
    "JaCoCo: the counter of the whole report, not that of a package",
    `<?xml version="1.0"?><report name="shop"><package name="a"><counter type="LINE" missed="9" covered="1"/></package><counter type="INSTRUCTION" missed="1" covered="99"/><counter type="LINE" missed="3" covered="17"/></report>`,
    85,
  ],
  [
    "llvm-cov, every set of binaries",
    json({
      type: "llvm.coverage.json.export",
      version: "2.0.1",
      data: [
        { totals: { lines: { count: 10, covered: 9, percent: 90 } } },
        { totals: { lines: { count: 10, covered: 4, percent: 40 } } },
      ],
    }),
    65,
  ],
];

describe("a coverage report", () => {
  it.each(formats)("%s", (_format, report, percent) => {
    expect(readCoverage(report)).toBe(percent);
    expect(readCoverage(`\uFEFF${report}`)).toBe(percent);
  });

  it("is never rounded up", () => {
    const summary = (covered: number) => json({ total: { lines: { total: 100_000, covered } } });
    expect(readCoverage(summary(79_999))).toBe(79.99);
    expect(readCoverage(summary(29_000))).toBe(29);
  });

  it.each([
    ["nothing", ""],
    ["no report", "ok  shop/cart 0.2s\n"],
    ["a Go profile without a block", "mode: set\n"],
    ["a torn Go profile", "mode: set\nshop/cart.go:3.20,5.2 3 1\nshop/ca"],
    ["lcov without lines", "SF:a.c\nend_of_record\n"],
    ["lcov that hits more than it finds", "SF:a.c\nLF:2\nLH:3\nend_of_record\n"],
    ["a summary of nothing", json({ total: { lines: { total: 0, covered: 0, pct: "Unknown" } } })],
    ["a summary that covers more than there is", json({ total: { lines: { total: 1, covered: 2 } } })],
    ["a summary of words", json({ total: { lines: { total: "9", covered: "9" } } })],
    ["torn JSON", '{"total": {"lines": {"total": 1, "covered": 1}'],
    ["an empty table", "{}"],
    ["a list", "[]"],
    [
      "Cobertura of an empty project, whose rate is 1",
      '<coverage lines-valid="0" lines-covered="0" line-rate="1"/>',
    ],
    ["Cobertura with a rate and no line", '<coverage line-rate="1"><packages/></coverage>'],
    ["Cobertura with a rate over 1", '<coverage line-rate="7"><line number="1" hits="1"/></coverage>'],
    ["Cobertura with negative sums", '<coverage lines-valid="-4" lines-covered="-4"></coverage>'],
    [
      "JaCoCo without sums of its own",
      '<report><package><counter type="LINE" missed="0" covered="9"/></package></report>',
    ],
    ["torn JaCoCo", '<report><package></package><counter type="LINE" missed="0" covered="9"/>'],
    ["another llvm export", json({ type: "llvm.coverage.json.export", data: [] })],
  ])("gives no figure: %s", (_what, report) => {
    expect(readCoverage(report)).toBeUndefined();
  });

  it("of any content never throws and is between 0 and 100", () => {
    const cut = fc.constantFrom(...formats.map(([, report]) => report)).chain((report) =>
      fc.tuple(fc.nat(report.length), fc.nat(report.length), fc.string()).map(([from, to, more]) => {
        return report.slice(0, from) + more + report.slice(to);
      }),
    );
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), cut), (report) => {
        const percent = readCoverage(report);
        expect(percent === undefined || (percent >= 0 && percent <= 100)).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });

  it("of several megabytes is read in the time of one look", () => {
    const big = [
      `mode: set\n${Array.from({ length: 100_000 }, (_, i) => `shop/a.go:${i}.1,${i}.9 1 ${i % 2}\n`).join("")}`,
      `<report>${"<counter ".repeat(200_000)}</report>`,
      `<coverage ${"a".repeat(2_000_000)}`,
      `<coverage ${" ".repeat(2_000_000)}>`,
      `mode: set\n${":1.1,".repeat(400_000)}`,
    ];
    const startedAt = performance.now();
    for (const report of big) readCoverage(report);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
