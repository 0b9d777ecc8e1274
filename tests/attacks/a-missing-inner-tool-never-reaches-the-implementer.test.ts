// A package that is not installed is a matter for setup or a human: no implementer can fix it, and none is paid for it.
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { bubble, questions, runs } from "../cli/gates-scene.ts";

let tool: Rig;
beforeAll(() => {
  const scripts = { test: "pairflow-no-such-runner --all" };
  tool = rig({
    files: {
      "package.json": JSON.stringify({ name: "shop", scripts }),
      ".pairflow/config.yaml": "defaults: { review: { require_evidence: false } }\n",
    },
  });
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "--allow-empty", "-m", "configure");
});
afterAll(() => tool.close());

const wayToGetIt = /test: pairflow-no-such-runner is not installed; a script of the project .* npm install/;

it("a script whose program is not there asks a human before any implementer is started", async () => {
  const status = await bubble(tool, "unpaid");
  expect(status.state).toBe("WAITING_HUMAN");
  expect(questions(tool, "unpaid")).toEqual([expect.stringMatching(wayToGetIt)]);
  expect(tool.log("unpaid").filter(({ type }) => type === "TURN_STARTED")).toEqual([]);
});

it("where nothing runs on the base it is an error with the way to get it, and asks a human in round 1", async () => {
  const status = await bubble(tool, "lacking", undefined, ["--base-gates", "off"]);
  expect(status).toMatchObject({ state: "WAITING_HUMAN", round: 1 });
  expect(runs(tool, "lacking")).toMatchObject([[{ name: "test", status: "error", exit_code: 127 }]]);
  expect(questions(tool, "lacking")).toEqual([expect.stringMatching(wayToGetIt)]);
  expect(tool.log("lacking").filter(({ type }) => type === "TURN_STARTED")).toHaveLength(1);
});

it("a hook that stands only in the main checkout is announced, and skipped where git would skip it", async () => {
  tool.write(".husky/_/pre-commit", "#!/bin/sh\nexit 1\n");
  chmodSync(`${tool.repo}/.husky/_/pre-commit`, 0o755);
  tool.git("config", "core.hooksPath", ".husky/_");
  const made = await tool.ok(
    "bubble",
    "create",
    "--id",
    "announced",
    "--task",
    "x",
    "--test",
    "true",
    "--yes",
  );
  expect(made).toContain("hook:pre-commit runs .husky/_/pre-commit, as a gate before approval");
  tool.write("package.json", JSON.stringify({ name: "shop", scripts: { test: "true" } }));
  tool.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "a test that runs");
  const status = await bubble(tool, "husky");
  expect(status.state).toBe("READY_FOR_APPROVAL");
  expect(runs(tool, "husky")).toMatchObject([
    [
      { name: "test", status: "passed" },
      { name: "hook:pre-commit", status: "skipped" },
    ],
  ]);
  tool.git("config", "--unset", "core.hooksPath");
});
