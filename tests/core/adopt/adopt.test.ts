// What earlier tools left: a pipeline's task in Markdown, and records that carry no chain.
import { expect, it } from "vitest";
import {
  isForeignRecord,
  listForeignLines,
  readForeignState,
} from "../../../src/core/adopt/foreign-record.ts";
import { listPipelineCommands, renderPipelineTask } from "../../../src/core/adopt/pipeline-task.ts";
import { listChecks, listStandards } from "../../../src/core/adopt/semspec-files.ts";

const story = {
  title: "Log in  with a password",
  requirements: {
    functional: ["A form"],
    non_functional: ["Answers in 200 ms"],
    constraints: ["No new package"],
  },
  acceptance_criteria: [
    JSON.parse(
      '{"id":"AC1","scenario":"Good password","given":"a user","when":"it is right","then":"the dashboard opens"}',
    ),
    "Bad passwords are refused",
    7,
  ],
  scope: { in_scope: ["src/login"], out_of_scope: [] },
  test_criteria: { commands: ["npm test"] },
};
const plan = {
  title: "Login",
  technical_approach: { pattern: "Repository", rationale: "The code uses it" },
  steps: [{ id: 1, file: "src/login.ts", action: "modify", description: "Add the service" }],
  test_plan: { commands: ["npm test", "npm run lint"] },
};

it("a user story and a plan become one task; what has another form is left out", () => {
  expect(renderPipelineTask(story, plan)).toBe(`# Log in with a password

## Requirements

- A form
- Answers in 200 ms

## Constraints

- No new package

## Acceptance criteria

- Good password: given a user, when it is right, then the dashboard opens
- Bad passwords are refused

## In scope

- src/login

## Approach

- Repository
- The code uses it

## Plan

- Add the service (modify src/login.ts)
`);
  expect(listPipelineCommands(story, plan)).toEqual(["npm test", "npm run lint"]);
});

it("files that do not say what is wanted become no task", () => {
  for (const odd of [null, [], "text", { title: 3 }]) expect(renderPipelineTask(odd, odd)).toBeUndefined();
  expect(renderPipelineTask(null, { title: "Only a plan" })).toBe("# Only a plan\n");
});

it("a line with a version and a chain is ours, one without is another tool's, and anything else is neither", () => {
  const line = { id: "msg_1", ts: "2026-02-21T10:00:00Z", bubble_id: "b_1", type: "TASK", round: 0 };
  expect(isForeignRecord(JSON.stringify(line))).toBe(true);
  expect(isForeignRecord(JSON.stringify({ ...line, v: 1, prev: "" }))).toBe(false);
  expect(["", "{", "[]", "{}"].map(isForeignRecord)).toEqual([false, false, false, false]);
});

it("only where nothing was begun or nothing is expected any more, nothing is at work", () => {
  expect(readForeignState('{"state":"DONE"}')).toEqual({ state: "DONE", isAtRest: true });
  expect(readForeignState('{"state":"CREATED"}')).toEqual({ state: "CREATED", isAtRest: true });
  expect(readForeignState('{"state":"RUNNING"}')).toEqual({ state: "RUNNING", isAtRest: false });
  expect(readForeignState(undefined)).toEqual({ state: "unknown", isAtRest: false });
});

it("every line of such a record is shown, also one that cannot be read", () => {
  const said = { ts: "t1", sender: "codex", type: "PASS", round: 1, payload: { summary: "Done\nnow" } };
  expect(listForeignLines(`${JSON.stringify(said)}\n{torn\n`)).toEqual([
    { at: "t1", from: "codex", type: "PASS", round: 1, text: "Done now" },
    { at: "", from: "unknown", type: "unreadable", round: null, text: "" },
  ]);
});

it("a checklist becomes gates, and its setup stays a setup", () => {
  const checks = [
    {
      ...{ name: "go-vet", command: "go vet ./...", category: "lint", required: false },
      ...{ trigger: ["*.go"], timeout: "60s", working_dir: ".", description: "x" },
    },
    { name: "ui", command: "npm test", category: "test", required: true, trigger: [], working_dir: "ui" },
    { name: "install", command: "npm ci", category: "setup", working_dir: "ui" },
    { name: "no command", category: "test" },
    7,
  ];
  expect(listChecks({ checks })).toEqual([
    {
      name: "go-vet",
      gate: {
        name: "go-vet",
        command: "go vet ./...",
        required: false,
        trigger: ["*.go"],
        timeout: "60s",
      },
    },
    { name: "ui", gate: { name: "ui", command: "npm test", required: true, working_dir: "ui" } },
    { name: "install", setup: "cd ui && npm ci" },
  ]);
  expect(listChecks([])).toBeUndefined();
});

it("a standard becomes an SOP of the severity that its word means, or nothing", () => {
  const standard = { id: "sec-1", text: "No secrets.", severity: "must", category: "security" };
  const items = [
    { ...standard, applies_to: ["**/*.go"] },
    { ...standard, id: "soft", severity: "should", category: "" },
    { ...standard, id: "../out" },
    { ...standard, id: "odd", severity: "never" },
    { ...standard, id: "mute", text: undefined },
  ];
  expect(listStandards({ items })).toEqual([
    {
      id: "sec-1",
      title: "security: sec-1",
      severity: "error",
      appliesTo: ["**/*.go"],
      text: "No secrets.",
    },
    { id: "soft", title: "soft", severity: "warning", appliesTo: [], text: "No secrets." },
  ]);
  expect(listStandards({ rules: [] })).toBeUndefined();
});
