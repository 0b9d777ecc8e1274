// What the end of a gate means. A missing tool is an error with the way to get it, and never a pass.
import { describe, expect, it } from "vitest";
import { judgeGateRun } from "../../../src/core/gates/output/judgement.ts";
import { findMissingTool } from "../../../src/core/gates/output/missing-tool.ts";

const gate = (command: string, install?: string) => ({
  name: "lint",
  command,
  required: true,
  timeout_seconds: 60,
  ...(install === undefined ? {} : { install }),
});
const exited = (exitCode: number) => ({ status: "exited", exitCode }) as const;

describe("the end of a gate", () => {
  it.each([
    [exited(0), "passed"],
    [exited(1), "failed"],
    [{ status: "exited", exitCode: null }, "failed"],
    [{ status: "timeout", exitCode: null }, "timeout"],
    [{ status: "aborted", exitCode: null }, "error"],
    [{ status: "not-found", exitCode: 127 }, "error"],
  ] as const)("%j is %s", (ending, status) => {
    expect(judgeGateRun(gate("golangci-lint run"), ending, "").status).toBe(status);
  });

  it("names the tool that is missing and how to get it", () => {
    const said = judgeGateRun(
      gate("golangci-lint run", "Install golangci-lint: https://golangci-lint.run"),
      { status: "not-found", exitCode: 127 },
      "/bin/sh: 1: golangci-lint: not found\n",
    );
    expect(said.hint).toBe(
      "golangci-lint is not installed. Install golangci-lint: https://golangci-lint.run",
    );
    const bare = judgeGateRun(gate("zsh-lint ."), { status: "not-found", exitCode: 127 }, "");
    expect(bare.hint).toBe("zsh-lint is not installed. Check with: command -v zsh-lint");
  });

  it("says after which time it was ended", () => {
    expect(judgeGateRun(gate("x"), { status: "timeout", exitCode: null }, "").hint).toContain("60 seconds");
  });

  it("that is green stays green, whatever it prints", () => {
    expect(judgeGateRun(gate("npx --no-install tsc"), exited(0), "sh: 1: tsc: not found")).toEqual({
      status: "passed",
    });
  });
});

describe("a missing tool", () => {
  it.each([
    ["golangci-lint run", "/bin/sh: 1: golangci-lint: not found", "golangci-lint"],
    ["golangci-lint run", "sh: line 1: golangci-lint: command not found", "golangci-lint"],
    ["cd web && eslint .", "bash: eslint: command not found", "eslint"],
    ["./scripts/check.sh", "sh: 1: ./scripts/check.sh: not found", "./scripts/check.sh"],
    ["env ruff check", "env: ‘ruff’: No such file or directory", "ruff"],
    ["python3 -m pytest", "/usr/bin/python3: No module named pytest", "pytest"],
    ["cargo clippy -- -D warnings", "error: no such command: `clippy`", "clippy"],
    ["cargo llvm-cov --json", "error: no such command: `llvm-cov`\n\nhelp: view all", "llvm-cov"],
    ["poetry run pytest", "Command not found: pytest", "pytest"],
    ["uv run ruff check .", "error: Failed to spawn: `ruff`\n  Caused by: No such file", "ruff"],
    ["pnpm exec tsc", ' ERR_PNPM_RECURSIVE_EXEC_FIRST_FAIL  Command "tsc" not found', "tsc"],
    ["yarn run tsc", 'error Command "tsc" not found.', "tsc"],
    ["yarn run tsc", `Usage Error: Couldn't find a script named "tsc".`, "tsc"],
    ["bun run tsc", 'error: Script not found "tsc"', "tsc"],
    [
      "npx --no-install tsc --noEmit",
      'npm error npx canceled due to missing packages and no YES option: ["tsc@2.0.4"]',
      "tsc",
    ],
    ["npx --no-install tsc", "npm ERR! code ENOTCACHED\nnpm ERR! request to https://x failed", "tsc"],
    ["npx --no eslint .", "npm error code E404\nnpm error 404 Not Found", "eslint"],
    ["npx --no-install tsc", "npm error could not determine executable to run", "tsc"],
  ])("of %j is known by %j", (command, output, tool) => {
    expect(findMissingTool(command, `some output\n${output}\n`)).toBe(tool);
  });

  it.each([
    ["npm run lint", "sh: 1: eslint: not found", "inside a script of the project is the script's failure"],
    ["npm test", "npm error code E404", "is not what npm itself failed at"],
    ["npx --no-install jest", "FAIL cart.test.js\n1 test failed", "is not a red test"],
    ["go test ./...", "page not found", "is not a sentence of a test"],
    ["pytest", "E   ModuleNotFoundError: No module named 'shop'", "is not a module of the project"],
  ])("%j with %j %s", (command, output) => {
    expect(findMissingTool(command, output)).toBeUndefined();
  });
});
