// Ends that say nothing about the tree: a signal from outside, a tool that a script lacks, a run without a test.
import { describe, expect, it } from "vitest";
import { detectEmptyRun } from "../../../src/core/gates/output/empty-run.ts";
import { judgeGateRun } from "../../../src/core/gates/output/judgement.ts";

const gate = (command: string, more = {}) => ({
  name: "test",
  command,
  required: true,
  timeout_seconds: 60,
  ...more,
});
const exited = (exitCode: number | null) => ({ status: "exited", exitCode }) as const;

describe("a signal", () => {
  it.each([
    ["of its own", { status: "exited", exitCode: null, signal: "SIGKILL" } as const, "", "SIGKILL"],
    ["as a shell tells it", exited(137), "", "SIGKILL"],
    ["that asked it to go", exited(143), "", "SIGTERM"],
    [
      "as npm tells it",
      exited(1),
      "npm error path /x\nnpm error command failed\nnpm error signal SIGKILL\n",
      "SIGKILL",
    ],
    ["as go tells it", exited(1), "signal: killed\nFAIL\tshop/cart\t3.1s\n", "SIGKILL"],
    [
      "as cargo tells it",
      exited(101),
      "  process didn't exit successfully: `cart` (signal: 9, SIGKILL: kill)\n",
      "SIGKILL",
    ],
    ["as bash tells it", exited(1), "bash: line 1: 4711 Killed                  ./run.sh\n", "SIGKILL"],
  ])("from outside, %s, is an error with the signal's name", (_how, ending, output, signal) => {
    const said = judgeGateRun(gate("npm test"), ending, output);
    expect(said).toMatchObject({ status: "error", signal });
    expect(said.hint).toContain(`killed by ${signal}`);
  });

  it("may mean that memory ran out, and the hint says so", () => {
    expect(judgeGateRun(gate("x"), exited(137), "").hint).toBe("killed by SIGKILL, maybe out of memory");
  });

  it.each([
    [exited(139), "SIGSEGV"],
    [exited(134), "SIGABRT"],
  ])("by which the program itself crashed is a failure that names it: %j", (ending, signal) => {
    expect(judgeGateRun(gate("./cart"), ending, "")).toMatchObject({
      status: "failed",
      signal,
      hint: `crashed with ${signal}`,
    });
  });

  it("is not read into prose", () => {
    expect(
      judgeGateRun(gate("npm test"), exited(1), "expected the worker to be killed with signal 9\n").status,
    ).toBe("failed");
  });
});

describe("a tool that a script of the project lacks", () => {
  it.each([
    ["npm test", 127, "> shop@1.0.0 test\n> mocha\n\nsh: 1: mocha: not found\n", "mocha"],
    ["npm run lint", 127, "sh: eslint: command not found\n", "eslint"],
    ["yarn run test", 127, "/bin/sh: 1: jest: not found\nerror Command failed with exit code 127.\n", "jest"],
    [
      "pnpm run test",
      1,
      "sh: 1: vitest: not found\n ELIFECYCLE  Test failed. See above for more details.\n WARN   Local package.json exists, but node_modules missing, did you mean to install?\n",
      "vitest",
    ],
    [
      "pnpm -r test",
      1,
      "packages/a test: sh: 1: mocha: not found\n/shop/packages/a:\n ELIFECYCLE  Command failed with exit code 127\n",
      "mocha",
    ],
    ["make test", 2, "bash: pytest: command not found\nmake: *** [Makefile:2: test] Error 127\n", "pytest"],
    [
      "make test",
      2,
      "make: pytest: No such file or directory\nmake: *** [Makefile:2: test] Error 127\n",
      "pytest",
    ],
  ])("%j is an error and not the implementer's (%i)", (command, code, output, tool) => {
    const said = judgeGateRun(
      gate(command, { install: "Install the project's packages: npm ci" }),
      exited(code),
      output,
    );
    expect(said.status).toBe("error");
    expect(said.hint).toContain(`${tool} is not installed`);
    expect(said.hint).toContain("npm ci");
  });

  it("is not one that a test only speaks of", () => {
    expect(
      judgeGateRun(gate("npm test"), exited(1), "sh: 1: frobnicate: not found\n1 failing\n").status,
    ).toBe("failed");
  });
});

describe("a missing runner", () => {
  it.each([
    ["uv run pytest", "Install pytest: uv sync", "https://docs.astral.sh/uv"],
    ["pnpm run test", "Install the project's packages: pnpm install", "npm install --global pnpm"],
  ])("of %j is named with the way to get it, not with what it would have run", (command, install, part) => {
    const tool = command.split(" ")[0];
    const said = judgeGateRun(
      gate(command, { install }),
      { status: "not-found", exitCode: 127 },
      `/bin/sh: 1: ${tool}: not found\n`,
    );
    expect(said.hint).toContain(part);
    expect(said.hint).not.toContain(install);
  });
});

describe("a test run without a test", () => {
  it.each([
    [
      "unittest",
      0,
      "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
    ],
    ["unittest of Python 3.12", 5, "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n"],
    ["unittest, all skipped", 0, "Ran 3 tests in 0.001s\n\nOK (skipped=3)\n"],
    ["pytest", 5, "============ no tests ran in 0.01s ============\n"],
    ["pytest, all left out", 5, "============ 3 deselected in 0.01s ============\n"],
    ["node --test", 0, "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\n"],
    ["TAP", 0, "TAP version 13\n1..0\n# tests 0\n# pass 0\n# fail 0\n"],
    ["mocha", 0, "\n\n  0 passing (2ms)\n\n"],
    ["jest", 1, "No tests found, exiting with code 1\nRun with `--passWithNoTests`\n"],
    ["jest that was told to pass", 0, "No tests found, exiting with code 0\n"],
    ["vitest", 1, "No test files found, exiting with code 1\n"],
    [
      "cargo",
      0,
      "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n",
    ],
    ["go", 0, "?   \tshop\t[no test files]\n?   \tshop/cart\t[no test files]\n"],
    ["go, nothing to run", 0, "ok  \tshop\t0.002s [no tests to run]\n"],
    ["maven", 0, "[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n"],
  ])("%s is an error and not green", (_runner, code, output) => {
    expect(judgeGateRun(gate("run-tests"), exited(code), output)).toMatchObject({
      status: "error",
      hint: expect.stringMatching(/^no tests ran/),
    });
    expect(judgeGateRun(gate("run-tests", { allow_empty: true }), exited(code), output).status).toBe(
      code === 0 ? "passed" : "failed",
    );
  });

  it.each([
    ["one package of several", "Ran 0 tests in 0.000s\n\nOK\nRan 4 tests in 0.1s\n\nOK\n"],
    [
      "cargo with empty doc tests",
      "test result: ok. 5 passed; 0 failed; 0 ignored;\n\ntest result: ok. 0 passed; 0 failed; 0 ignored;\n",
    ],
    ["go with tests in one package", "?   \tshop\t[no test files]\nok  \tshop/cart\t0.002s\n"],
    ["a linter", "Checked 12 files. No fixes applied.\n"],
    ["nothing printed", ""],
  ])("is not %s", (_what, output) => expect(detectEmptyRun(output, 0)).toBeUndefined());

  it("is not a run that broke before it counted", () => {
    expect(judgeGateRun(gate("mocha"), exited(1), "SyntaxError: x\n\n  0 passing (1ms)\n").status).toBe(
      "failed",
    );
  });
});
