// The subject that starts a workflow, and workflows that are named and are not there.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeConfigValues } from "../../src/app/config/bubble-file.ts";
import { loadWorkflowFile } from "../../src/app/workflows/file.ts";
import { findTriggeredWorkflow } from "../../src/app/workflows/triggers.ts";
import { thrownBy } from "./thrown.ts";

const repo = mkdtempSync(join(tmpdir(), "pairflow-triggers-"));
afterAll(() => rmSync(repo, { recursive: true, force: true }));

const write = (name: string, document: object) =>
  writeFileSync(join(repo, ".pairflow/workflows", `${name}.json`), JSON.stringify(document));
const publishes = (subject: string, trigger: object = {}) => ({
  max_iterations: 2,
  ...trigger,
  steps: [{ name: "tell", action: { type: "publish", subject, payload: {} } }],
});
const started = (word: string) => ({ trigger: { subject: `workflow.trigger.${word}` } });

beforeAll(() => {
  mkdirSync(join(repo, ".pairflow/workflows"), { recursive: true });
  write("ours", publishes("workflow.events", started("refine")));
  write("asks", publishes("workflow.trigger.refine"));
  write("typo", publishes("workflow.trigger.plan-refinment"));
});

const warningsOf = (name: string) => {
  const places = { repo_path: repo, base_branch: "main", bubble_branch: "bubble/cart" };
  const config = completeConfigValues({
    id: "cart",
    ...places,
    agents: { implementer: "codex", reviewer: "claude" },
  });
  return loadWorkflowFile(name, config).warnings;
};

describe("workflow.trigger.<word>", () => {
  it("starts the workflow whose trigger.subject says so, and otherwise the one of that name", () => {
    expect(findTriggeredWorkflow("refine", repo)).toBe("ours");
    expect(findTriggeredWorkflow("pair", repo)).toBe("pair");
    expect(warningsOf("asks")).toEqual([]);
  });

  it("that nothing answers is a warning with its place", () => {
    expect(warningsOf("typo")).toEqual([
      expect.stringMatching(
        /typo\.json:1:\d+: warning: there is no workflow plan-refinment; did you mean plan-refinement\?: a run/,
      ),
    ]);
  });

  it("that two workflows say they are started by is refused by name", () => {
    write("theirs", publishes("workflow.events", started("twice")));
    write("others", publishes("workflow.events", started("twice")));
    const error = thrownBy(() => findTriggeredWorkflow("twice", repo));
    expect([error.code, error.message]).toEqual([
      "workflow.two-triggers",
      expect.stringMatching(/others\.json and .*theirs\.json are both started by workflow\.trigger\.twice/),
    ]);
  });
});
