// Findings and answers as agents type them on a command line.
import { describe, expect, it } from "vitest";
import {
  parseAnswer,
  parseChecked,
  parseDispute,
  parseFinding,
  parseFindings,
} from "../../../src/core/review/typed-flags.ts";

const value = <T>(spoken: { ok: true; value: T } | { ok: false; problem: string }): T | string =>
  spoken.ok ? spoken.value : spoken.problem;

describe("a finding", () => {
  it.each([
    ["P1:Total is wrong", { severity: "P1", title: "Total is wrong" }],
    ["P0: Leak @ src/a.ts:41", { severity: "P0", title: "Leak", file: "src/a.ts", line: 41 }],
    [
      "P2(security):Open door @ src/a.ts",
      { severity: "P2", title: "Open door", area: "security", file: "src/a.ts" },
    ],
    [
      "P3:Says a @ b @ x.md:2 | a @ b | c",
      { severity: "P3", title: "Says a @ b", file: "x.md", line: 2, evidence: "a @ b | c" },
    ],
    ["P1:Ratio 1:2 is wrong", { severity: "P1", title: "Ratio 1:2 is wrong" }],
  ])("%s", (text, finding) => {
    expect(value(parseFinding(text))).toEqual(finding);
  });

  it.each(["", "P1", "P1:", "P4:Too mild", "Total is wrong", "p1:lower case", "P1:Title @ file:0"])(
    "is refused with the form when it is %j",
    (text) => {
      expect(value(parseFinding(text))).toMatch(/the form is P1:Title/);
    },
  );
});

describe("an answer", () => {
  it("names a finding, with a reason where one is given", () => {
    expect(value(parseAnswer("F1", "fixed"))).toEqual({ id: "F1", status: "fixed" });
    expect(value(parseAnswer("F2: it was a: misreading", "withdrawn"))).toEqual({
      id: "F2",
      status: "withdrawn",
      reason: "it was a: misreading",
    });
    expect(value(parseAnswer("1", "fixed"))).toMatch(/is not a finding id/);
    expect(value(parseAnswer("F0", "open"))).toMatch(/is not a finding id/);
  });

  it("that disputes needs its reason", () => {
    expect(value(parseDispute("F1:the sum is net"))).toEqual({ id: "F1", reason: "the sum is net" });
    expect(value(parseDispute("F1"))).toMatch(/F1:reason that can be checked/);
  });
});

describe("a checked place", () => {
  it("has a file, perhaps a line, and why it is right", () => {
    expect(value(parseChecked("src/a.ts:41 discount first"))).toEqual({
      file: "src/a.ts",
      line: 41,
      why: "discount first",
    });
    expect(value(parseChecked("src/a.ts all of it"))).toEqual({ file: "src/a.ts", why: "all of it" });
    expect(value(parseChecked("src/a.ts:41"))).toMatch(/file:line why/);
  });
});

describe("a findings file", () => {
  it("is an array of findings; the first bad one is named", () => {
    expect(value(parseFindings([{ severity: "P1", title: "A" }]))).toHaveLength(1);
    expect(value(parseFindings([]))).toEqual([]);
    expect(value(parseFindings({ findings: [] }))).toMatch(/JSON array/);
    expect(
      value(
        parseFindings([
          { severity: "P1", title: "A" },
          { severity: "P1", titel: "B" },
        ]),
      ),
    ).toMatch(/^entry 2: /);
    expect(value(parseFindings([{ severity: "high", title: "A" }]))).toMatch(/^entry 1: severity/);
  });
});
