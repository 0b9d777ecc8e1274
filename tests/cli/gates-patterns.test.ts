// Patterns of gates through the commands a person types: judged on the whole output, told to the producer, and refused at
// their place when they cannot be used.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact } from "../helpers/operator.ts";
import { bubble, configure, implementing, runs, writes } from "./gates-scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const additional = (...gates: readonly object[]) =>
  configure(tool, `gates: ${JSON.stringify({ additional: gates })}`);

describe("a gate that ends with 0", () => {
  it("fails on the line its failure pattern matches, deep in the output, and the producer is told", async () => {
    const noise = "seq 1 20000";
    additional({
      name: "check",
      command: `${noise}; grep -q 2 src/cart.txt || echo '1 failed: cart'; ${noise}; echo '0 failed'`,
      failure_pattern: "failed",
    });
    const turns = implementing(
      [writes("src/cart.txt", "total: 3\n")],
      [writes("src/cart.txt", "total: 2\n")],
    );
    expect((await bubble(tool, "failing", turns)).state).toBe("READY_FOR_APPROVAL");
    const hint =
      'it ended with exit code 0, but a line of its output matches failure_pattern "failed": 1 failed: cart';
    expect(runs(tool, "failing")).toMatchObject([
      [{ status: "failed", exit_code: 0, hint }],
      [{ status: "passed", exit_code: 0 }],
    ]);
    expect(runs(tool, "failing")[0]?.[0]?.excerpt).not.toContain("1 failed");
    expect(readArtifact(tool, "failing", "prompts/t2.1-codex.md")).toContain(hint);
    expect(readArtifact(tool, "failing", "round-001.tests.txt")).toContain(hint);
  });

  it("fails without the line its success pattern wants; a red one is saved by no pattern", async () => {
    additional(
      { name: "check", command: "cat src/cart.txt", success_pattern: "(?i)^TOTAL: 2$" },
      { name: "red", command: "echo total: 2; exit 3", success_pattern: "total", required: false },
    );
    const turns = implementing(
      [writes("src/cart.txt", "total: 3\n")],
      [writes("src/cart.txt", "total: 2\n")],
    );
    expect((await bubble(tool, "missing", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "missing")).toMatchObject([
      [
        {
          status: "failed",
          hint: 'it ended with exit code 0, but no line of its output matches success_pattern "(?i)^TOTAL: 2$"',
        },
        { status: "failed", exit_code: 3 },
      ],
      [{ status: "passed" }, { status: "failed", exit_code: 3 }],
    ]);
  });
});

describe("a pattern that cannot be used", () => {
  it("is refused where it stands when a bubble is created", async () => {
    configure(
      tool,
      "gates:\n  additional:\n    - name: check\n      command: ls\n      failure_pattern: '(oops'\n",
    );
    const refused = await tool.run("bubble", "create", "--id", "wrong", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("gates.bad-pattern") });
    expect(refused.stderr).toContain(
      '.pairflow/config.yaml:5:24: failure_pattern "(oops" cannot be used: it is no regular expression: unterminated group',
    );
  });

  it("is refused in a patch of a preset's gate too", async () => {
    configure(tool, "gates:\n  preset: go\n  overrides:\n    - { name: test, success_pattern: '(?!x)ok' }\n");
    const refused = await tool.run("bubble", "create", "--id", "patch", "--task", "x", "--yes");
    expect(refused.stderr).toMatch(/\.pairflow\/config\.yaml:4:\d+: success_pattern "\(\?!x\)ok" cannot be/);
  });
});
