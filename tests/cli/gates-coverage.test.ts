// A threshold through the command line: the tool's own report of this very run, or no pass.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact, readLastPrompt } from "../helpers/operator.ts";
import { bubble, configure, implementing, questions, runs, writes } from "./gates-scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { ".gitignore": "coverage/\n*.out\n" } });
});
afterAll(() => tool.close());

const summary = (covered: number) =>
  `mkdir -p coverage && echo '{"total":{"lines":{"total":100,"covered":${covered}}}}' > coverage/coverage-summary.json`;
const measured = (command: string, more: object = {}) => {
  const gate = { name: "coverage", command, threshold: 80, ...more };
  configure(tool, `gates: ${JSON.stringify({ additional: [{ name: "check", command: "true" }, gate] })}`);
};
const coverage = (id: string) => runs(tool, id).map(([, result]) => result);

describe("coverage", () => {
  it("that reaches the threshold passes, with its figure on the record", async () => {
    measured(summary(83));
    expect((await bubble(tool, "enough")).state).toBe("READY_FOR_APPROVAL");
    expect(coverage("enough")).toMatchObject([{ status: "passed", coverage: 83, threshold: 80 }]);
  });

  it("below it goes back to the producer, who is told both figures", async () => {
    measured(`if grep -q 2 src/cart.txt; then ${summary(80)}; else ${summary(79)}; fi`);
    const turns = implementing(
      [writes("src/cart.txt", "total: 3\n")],
      [writes("src/cart.txt", "total: 2\n")],
    );
    expect((await bubble(tool, "less", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(coverage("less")).toMatchObject([
      {
        status: "failed",
        exit_code: 0,
        coverage: 79,
        hint: "coverage is 79 %, below the threshold of 80 %",
      },
      { status: "passed", coverage: 80 },
    ]);
    expect(readArtifact(tool, "less", "prompts/t2.1-codex.md")).toContain(
      "coverage is 79 %, below the threshold of 80 %",
    );
  });

  it("below it is a warning for an optional gate", async () => {
    measured(summary(12.5 * 2), { required: false });
    expect((await bubble(tool, "warned")).state).toBe("READY_FOR_APPROVAL");
    expect(coverage("warned")).toMatchObject([{ status: "failed", coverage: 25, required: false }]);
  });

  it("is not judged when the gate itself is red", async () => {
    measured(`${summary(99)}; exit 1`, { required: false });
    await bubble(tool, "failing");
    expect(coverage("failing")[0]).toMatchObject({ status: "failed", exit_code: 1 });
    expect(coverage("failing")[0]?.coverage).toBeUndefined();
  });
});

describe("a report", () => {
  it("that is missing is a question with the places, never a pass", async () => {
    measured("echo no report");
    expect((await bubble(tool, "missing")).state).toBe("WAITING_HUMAN");
    expect(questions(tool, "missing")[0]).toMatch(
      /coverage: no coverage report was found \(looked for coverage\.out, .* more places\): say where it is with report/,
    );
  });

  it("that an agent planted does not count, whatever time it pretends to be from", async () => {
    measured("echo I measure nothing");
    const report = '{"total":{"lines":{"total":100,"covered":100}}}\n';
    const planted = [
      writes("src/cart.txt", "total: 2\n"),
      writes("coverage/coverage-summary.json", report),
      { run: "touch -d '2099-01-01' coverage/coverage-summary.json" },
    ];
    expect((await bubble(tool, "planted", implementing(planted))).state).toBe("WAITING_HUMAN");
    expect(questions(tool, "planted")[0]).toContain(
      "the coverage report coverage/coverage-summary.json is not from this run",
    );
  });

  it("is read where the gate says, from its folder, in an isolated checkout too", async () => {
    measured(`mkdir -p out && printf 'SF:a\\nLF:10\\nLH:9\\nend_of_record\\n' > out/lcov.txt`, {
      working_dir: "src",
      report: "out/lcov.txt",
      isolated: true,
    });
    expect((await bubble(tool, "elsewhere")).state).toBe("READY_FOR_APPROVAL");
    expect(coverage("elsewhere")).toMatchObject([{ status: "passed", coverage: 90 }]);
  });

  it("that cannot be read is an error", async () => {
    measured("echo nonsense > coverage.out", { required: false });
    await bubble(tool, "nonsense");
    expect(coverage("nonsense")).toMatchObject([
      { status: "error", hint: expect.stringContaining("coverage.out cannot be read") },
    ]);
    expect(readLastPrompt(tool, "nonsense")).toContain("coverage: error");
  });
});
