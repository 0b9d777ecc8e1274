// What patterns make of a run that ended well: never softer than the exit code, and zero failures are none.
import { describe, expect, it } from "vitest";
import { checkDeclaredGates } from "../../../src/core/gates/detect/declaration.ts";
import { DeclaredGates } from "../../../src/core/gates/detect/yaml-gate.ts";
import { judgeGateRun } from "../../../src/core/gates/output/judgement.ts";
import { checkPattern, judgePatterns } from "../../../src/core/gates/output/patterns.ts";
import { compileMatcher } from "../../../src/core/gates/pattern/matcher.ts";
import { check } from "../../../src/core/model/value/validate.ts";

const fails = (failure_pattern: string, output: string) =>
  judgePatterns({ failure_pattern }, output).status === "failed";

describe("a failure pattern", () => {
  it.each([
    "0 failed",
    "12 passed, 0 failed in 0.35s",
    "0 tests failed",
    "no failures",
    "No test failures.",
    "failed: 0",
    "Failed tests: 0",
    "failures=0",
    "Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
    "failures=0 errors=0",
    "Total: 0 failed",
    "# fail 0",
    "ℹ fail 0",
    "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured",
    "5 examples, 0 failures",
    "Found 0 errors.",
    "failed: 0 of 5",
    "Completed without errors",
    '  "failed": 0,',
    '<testsuite tests="5" failures="0" errors="0">',
    "│ failed │ 0 │",
    "\u001b[32m0 failed\u001b[39m",
  ])("does not mind %j", (line) => {
    expect(fails("(?i)fail|error", `starting\n${line}\ndone`)).toBe(false);
  });

  it.each([
    "1 failed",
    "10 failed",
    "1,000 failed",
    "100 tests failed",
    "failed: 3",
    "failed: 0.5",
    "failures=10",
    "0 failed, 3 errors",
    "0 passed, 2 failed",
    "Failures: 0, Errors: 3",
    "failures=0 errors=3",
    "FAILED (0.35s)",
    "FAILED: 0 tests passed",
    "AssertionError: 0 != 1",
    "worker 0 failed",
    "Test 0 FAILED",
    "no tests were found: FAILED",
    "FAILED tests/cart.py::test_total - assert total == 0",
    "\u001b[31mFAI\u001b[1mLED\u001b[0m cart",
    "progress 10%\rFAILED",
  ])("minds %j", (line) => {
    expect(fails("(?i)fail|error", `starting\n${line}\ndone`)).toBe(true);
  });

  it("with a number of its own does not count a zero either", () => {
    expect(fails("\\d+ failed", "5 passed, 0 failed")).toBe(false);
    expect(fails("\\d+ failed", "5 passed, 1 failed")).toBe(true);
  });

  it.each([
    ["0 passed", "0 passed, 0 failed"],
    ["(?i)no tests", "No tests found"],
    ["^\\s*(?:0|zero) tests? ran", "0 tests ran"],
  ])("%j that speaks of nothing itself means what it says", (pattern, line) => {
    expect(fails(pattern, line)).toBe(true);
  });

  it("names the line, and not more of it than fits a sentence", () => {
    expect(judgePatterns({ failure_pattern: "FAILED" }, "ok\n  FAILED cart.test.ts  \nFAILED b")).toEqual({
      status: "failed",
      hint: 'it ended with exit code 0, but a line of its output matches failure_pattern "FAILED": FAILED cart.test.ts',
    });
    const long = judgePatterns({ failure_pattern: "FAILED" }, `FAILED ${"x".repeat(5000)}`);
    expect(long.hint?.length).toBeLessThan(300);
  });

  it("is looked for in the whole output, far from head and tail", () => {
    const output = `${"noise\n".repeat(20_000)}FAILED cart\n${"noise\n".repeat(20_000)}`;
    expect(fails("^FAILED", output)).toBe(true);
  });
});

describe("a success pattern", () => {
  it("must stand somewhere in the output", () => {
    const gate = { success_pattern: "^All tests passed$" };
    expect(judgePatterns(gate, "a\r\nAll tests passed\r\nb")).toEqual({ status: "passed" });
    expect(judgePatterns(gate, "Not: All tests passed")).toEqual({
      status: "failed",
      hint: 'it ended with exit code 0, but no line of its output matches success_pattern "^All tests passed$"',
    });
    expect(judgePatterns(gate, "").status).toBe("failed");
  });

  it("does not outweigh a failure", () => {
    const gate = { success_pattern: "passed", failure_pattern: "FAILED" };
    expect(judgePatterns(gate, "5 passed\nFAILED cart").hint).toContain("failure_pattern");
    expect(judgePatterns(gate, "5 passed").status).toBe("passed");
  });
});

describe("the exit code", () => {
  const gate = { name: "test", command: "npm test", required: true, timeout_seconds: 60 };
  const exited = (exitCode: number) => ({ status: "exited", exitCode }) as const;

  it("decides first: no pattern saves a red run", () => {
    const said = judgeGateRun({ ...gate, success_pattern: "passed" }, exited(1), "All tests passed");
    expect(said).toEqual({ status: "failed" });
  });

  it("0 is a pass only if the patterns agree", () => {
    expect(judgeGateRun({ ...gate, success_pattern: "passed" }, exited(0), "5 passed").status).toBe("passed");
    expect(judgeGateRun({ ...gate, success_pattern: "passed" }, exited(0), "ok").status).toBe("failed");
    expect(judgeGateRun({ ...gate, failure_pattern: "FAIL" }, exited(0), "FAIL").status).toBe("failed");
    expect(judgeGateRun(gate, exited(0), "FAIL").status).toBe("passed");
  });

  it("0 with a pattern nobody can look for is an error and no pass", () => {
    const said = judgeGateRun({ ...gate, failure_pattern: "(" }, exited(0), "");
    expect(said).toMatchObject({ status: "error", hint: expect.stringContaining("cannot be used") });
  });
});

describe("case", () => {
  it("counts, unless the pattern begins with (?i)", () => {
    expect(fails("failed", "FAILED")).toBe(false);
    expect(fails("(?i)failed", "FAILED")).toBe(true);
    expect(fails("(?i)[a-f]AILED", "failed")).toBe(true);
  });
});

describe("a pattern", () => {
  it.each([
    ["", "empty"],
    ["x".repeat(201), "longer than 200"],
    ["(", "unterminated group"],
    ["a**", "nothing to repeat"],
    ["[z-a]", "out of order"],
    ["(?<!0 )failed", "ahead or behind"],
    ["^(?!.*ok)", "ahead or behind"],
    ["(a)\\1", "refers back"],
    ["(?<word>a)\\k<word>", "refers back"],
    ["ok\\nAll", "line by line"],
    ["ok\nAll", "line by line"],
    ["\\AOK\\Z", "\\A means nothing"],
    ["\\p{L}+", "\\p means nothing"],
    ["[\\p{L}]+", "\\p means nothing"],
    ["((a{60}){60}){60}", "repeats too much"],
    [".*", "says nothing"],
    ["failed|", "says nothing"],
  ])("%j is refused: %s", (pattern, why) => {
    expect(checkPattern(pattern)).toContain(why);
  });

  it.each(["FAILED", "(?i)error", "Tests:\\s+\\d+ passed", "✓ [^\\n]+", '{"ok":true}', "(a+)+$", "a{2,}?b"])(
    "%j is fine",
    (pattern) => {
      expect(checkPattern(pattern)).toBeUndefined();
    },
  );

  it("that would take a backtracking reader ages takes none", () => {
    const line = `${"a".repeat(30_000)}!`;
    const started = performance.now();
    for (const pattern of ["(a+)+$", "(a|a)*b", "(a|aa)+$", "a*a*a*a*a*b", "(.*a){12}b", "^(\\w+\\s?)*$"])
      expect(judgePatterns({ success_pattern: `x?${pattern}` }, line).status).not.toBe("passed");
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a search without end", () => {
  /** Letters in an order that nothing foresees. */
  function noise(length: number): string {
    let seed = 7;
    const letter = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff;
      return seed & 0x10000 ? "a" : "b";
    };
    return Array.from({ length }, letter).join("");
  }

  it("is given up, and is no pass", () => {
    const line = noise(200_000);
    for (const key of ["success_pattern", "failure_pattern"] as const)
      expect(judgePatterns({ [key]: "a.{290}c" }, line)).toEqual({
        status: "error",
        hint: `${key} "a.{290}c" cannot be used: looking for it in this output takes too long`,
      });
  }, 60_000);
});

describe("the reader agrees with the language itself", () => {
  const patterns = [
    "abc",
    "a|bc|d",
    "^a",
    "c$",
    "^$|a",
    "a*b",
    "a+?b",
    "ab?c",
    "(ab)+c",
    "(?:a|b){2,3}c",
    "(?<name>ab|c){2}",
    "a{0}b",
    "a{2,}",
    "a{,2}",
    "[abc]{3}",
    "[^abc]",
    "[]a]?x|[^]b",
    "[\\]\\-a]b",
    "\\ba",
    "b\\B",
    "\\d+\\s\\w",
    "\\.\\*",
    "a.c",
    "\\x61\\u0062",
    "()b",
    "(a*)*b",
    "(a|b*)*c$",
    "{a}",
    "a]b}",
    "((a)|(b))\\/c",
  ];
  const lines = [
    "",
    "a",
    "b",
    "abc",
    "xabcx",
    "aab",
    "aac bc",
    "abab c",
    "ababc",
    "cc",
    "1 2 c",
    "12 a_",
    ".*",
  ];
  const more = [
    "a{,2}",
    "{a}",
    "a]b}",
    "a/c",
    "]ab",
    "-b",
    "éa",
    "a-b",
    "aaaaab",
    "abcabcabc",
    "bbbc",
    "ABC",
  ];

  it.each(patterns)("about %j", (pattern) => {
    for (const flag of ["", "(?i)"]) {
      const matcher = compileMatcher(`${flag}${pattern}`);
      if (matcher.flaw !== undefined) throw new Error(matcher.flaw);
      const expected = new RegExp(pattern, flag ? "i" : "");
      for (const line of [...lines, ...more])
        expect(`${line}: ${matcher.matches(line)}`).toBe(`${line}: ${expected.test(line)}`);
    }
  });
});

describe("a declaration with a pattern that cannot be used", () => {
  it("is told where it stands and why", () => {
    const checked = check(DeclaredGates, {
      overrides: [],
      additional: [
        { name: "good", command: "true", success_pattern: "ok" },
        { name: "bad", command: "true", success_pattern: "ok", failure_pattern: "(?<!0 )failed" },
      ],
    });
    expect(checked.ok && checkDeclaredGates(checked.value, [])).toEqual([
      {
        code: "gates.bad-pattern",
        path: ["additional", 1, "failure_pattern"],
        message:
          'failure_pattern "(?<!0 )failed" cannot be used: it looks ahead or behind, which is not possible; say only what stands there',
      },
    ]);
  });
});
