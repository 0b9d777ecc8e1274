// A test command that runs no test has proved nothing, whatever its exit code says.
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { bubble, questions, runs } from "../cli/gates-scene.ts";
import { declare } from "./gate-plays.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { "empty/.keep": "" } });
});
afterAll(() => tool.close());

it("a summary of no tests asks a human, and allow_empty is the project's word that it is meant", async () => {
  declare(tool, { name: "test", command: 'printf "# tests 0\\n# pass 0\\n# fail 0\\n"' });
  expect((await bubble(tool, "empty")).state).toBe("WAITING_HUMAN");
  expect(runs(tool, "empty")).toMatchObject([
    [{ status: "error", exit_code: 0, hint: expect.stringMatching(/^no tests ran/) }],
  ]);
  expect(questions(tool, "empty")[0]).toContain("allow_empty: true");
  declare(tool, { name: "test", command: 'printf "# tests 0\\n# pass 0\\n# fail 0\\n"', allow_empty: true });
  expect((await bubble(tool, "meant")).state).toBe("READY_FOR_APPROVAL");
});

it("unittest of the Python that is here, with no test to find", async () => {
  declare(tool, { name: "test", command: "python3 -m unittest discover -s empty" });
  const { state } = await bubble(tool, "python");
  const [[result] = []] = runs(tool, "python");
  if (result?.hint?.includes("not installed")) {
    console.warn("python3 is missing: the run of the real unittest was left out");
    return;
  }
  expect(state).toBe("WAITING_HUMAN");
  expect(result).toMatchObject({ status: "error", hint: expect.stringMatching(/^no tests ran/) });
});
