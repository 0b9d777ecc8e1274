// Every key of a workflow file is read by the loader: each value of the workflows that are shipped and of the seeds is
// changed once, and another program, another warning or a problem comes out. Keys that no example has are listed.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { findPackageRoot } from "../../src/app/host/package-root.ts";
import { buildUsualConfig } from "../../src/app/workflows/find.ts";
import { listWorkflowFiles } from "../../src/app/workflows/locations.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import { StepsDocument } from "../../src/core/workflow/source/steps/schema.ts";
import { TasksDocument } from "../../src/core/workflow/source/tasks/schema.ts";
import { keysOf } from "./keys.ts";

type Path = readonly (string | number)[];

const files = [
  ...listWorkflowFiles(undefined).map(({ path }) => path),
  ...["paired-workflow.yaml", "agentic-review.yaml"].map((name) =>
    join(findPackageRoot(), "tests/fixtures/workflows", name),
  ),
];
const documents = files.map((file) => [basename(file), parse(readFileSync(file, "utf8"))] as const);

/** Everything that can be written in a document of tasks, once: what the examples leave out. */
const allTasks = {
  id: "all",
  name: "All",
  version: "1",
  description: "Everything",
  max_concurrent: 2,
  max_iterations: 3,
  timeout: "1h",
  join: { agent: "developer", reviewer: "reviewer", max_iterations: 2, on_conflict: "ask" },
  overlays: { hil: { enabled: true, requires_human: true } },
  tasks: {
    one: {
      agent: "developer",
      title: "One",
      prompt: "Do one",
      kind: "task",
      acceptance_criteria: ["It works"],
      outputs: ["src/a.ts"],
      subtasks: ["a", "b"],
      overlays: {
        paired_workflow: {
          enabled: true,
          driver_agent: "developer",
          challenger_agent: "reviewer",
          role_switch: "checkpoint",
          checkpoints: [1],
          max_iterations: 2,
          exit_conditions: ["pair.challenger_approved == true"],
        },
        confidence_loop: { enabled: true, threshold: 0.8, metrics: { size: 1 }, judge_agent: "reviewer" },
        policy_gate: { enabled: true, risk_tier: "T1" },
        hil: { enabled: true, requires_human: true },
      },
    },
    three: { agent: "developer", prompt: "Do three", outputs: ["src/c.ts"] },
    two: {
      agent: "developer",
      description: "Do two",
      depends_on: ["one"],
      overlays: {
        agentic_review: {
          enabled: true,
          coder_agent: "developer",
          reviewer_agent: "reviewer",
          exit_conditions: ["review.decision == GO"],
        },
      },
    },
  },
};

const config = {
  ...buildUsualConfig(),
  agents: { implementer: "codex", reviewer: "claude", developer: "codex", critic: "claude" },
};
const load = (document: unknown) => JSON.stringify(loadWorkflow(document, config));

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inside]) =>
    leaves(inside, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function changedAt(value: unknown, [word, ...rest]: Path): unknown {
  if (word === undefined) return otherThan(value);
  if (Array.isArray(value)) return value.map((one, i) => (i === word ? changedAt(one, rest) : one));
  const table = value as Record<string, unknown>;
  return { ...table, [word]: changedAt(table[word], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  return typeof value === "string" ? `${value}x` : "x";
}

/** The key as the schema names it: names of tasks and phases are free words. */
const keyOf = (path: Path): string =>
  path
    .filter((word) => typeof word === "string")
    .map((word, i, words) => (["tasks", "phases", "metrics"].includes(String(words[i - 1])) ? "*" : word))
    .join(".");

/** Read by others than the loader. */
const elsewhere: Readonly<Record<string, string>> = {
  description: "shown by workflow list and workflow show",
  name: "shown by workflow list where the document has an id",
  enabled: "looked at before it is loaded (isSwitchedOff)",
  "loop.exit": "what exit_conditions of tasks become: tests/core/interpreter/workflow-tasks.test.ts",
  "loop.chain_names": "what critics are called on screen: src/core/views/pipeline/trail.ts",
  "trigger.subject": "binds what others publish to this workflow, when the run is made (docs/workflows.md)",
  "steps.action.subject": "what follows agent.task. is a free word",
  "steps.action.payload.preset": "read when gates are resolved (src/app/making/gates.ts)",
  "steps.action.payload.overrides": "read when gates are resolved (src/app/making/gates.ts)",
  "steps.action.payload.slug": "of documents made elsewhere; the run has its own",
  "steps.action.payload.task_id": "of documents made elsewhere; the run has its own",
  "steps.action.payload.files": "of documents made elsewhere; the referee looks at the tree itself",
  "steps.action.payload.review_output": "of documents made elsewhere; the referee has the review itself",
  "steps.action.payload.expected_sops": "of documents made elsewhere; the referee matches SOPs itself",
};

describe("every value of a workflow file", () => {
  it.each([...documents, ["everything a document of tasks can say", allTasks] as const])(
    "%s",
    (_file, document) => {
      const before = load(document);
      const unread = leaves(document).filter((path) => load(changedAt(document, path)) === before);
      expect([...new Set(unread.map(keyOf))].filter((key) => !elsewhere[key]).join("\n")).toBe("");
    },
  );

  it("is in an example, for every key of the schemas", () => {
    expect(loadWorkflow(allTasks, config)).toEqual(expect.objectContaining({ ok: true }));
    // Overlays are the same for one task and for all, a loop for a phase and for the whole.
    const alike = (key: string) =>
      key.replace(/^(?:tasks\.\*\.)?overlays\./, "overlays.").replace(/^phases\.\*\./, "loop.");
    const seen = new Set(
      [...documents.map(([, document]) => document), allTasks].flatMap((one) =>
        leaves(one).map((path) => alike(keyOf(path))),
      ),
    );
    const known = [...keysOf(TasksDocument), ...keysOf(StepsDocument)].filter(
      (key) => !/^steps$|^phases\.\*/.test(key),
    );
    expect(
      known
        .filter(
          (key) =>
            !elsewhere[alike(key)] &&
            ![...seen].some((one) => one === alike(key) || one.startsWith(`${alike(key)}.`)),
        )
        .join("\n"),
    ).toBe("");
  });
});
