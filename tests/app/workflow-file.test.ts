// Workflows are found by name in the package and refused with line and column of all that is wrong.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { completeConfigValues } from "../../src/app/config/bubble-file.ts";
import { loadWorkflowFile, parseWorkflow } from "../../src/app/workflows/file.ts";
import { listWorkflowFiles, listWorkflowNames } from "../../src/app/workflows/locations.ts";
import { linesOf, thrownBy } from "./thrown.ts";

const home = resolve(import.meta.dirname, "../..");
const pair = readFileSync(join(home, "workflows", "pair.yaml"), "utf8");
const config = completeConfigValues({
  id: "cart",
  repo_path: "/shop",
  base_branch: "main",
  bubble_branch: "bubble/cart",
  max_rounds: 5,
  agents: { implementer: "codex", reviewer: "claude" },
});

/** The pair workflow with one piece of its text replaced. */
function changed(from: string, to: string): string {
  expect(pair).toContain(from);
  return pair.replace(from, to);
}
const errorOf = (text: string) => thrownBy(() => parseWorkflow(text, "w.yaml", config));
/** The place of the first line with this text, as the error spells it. */
const lineOf = (text: string, part: string): number =>
  text.split("\n").findIndex((line) => line.includes(part)) + 1;

describe("a workflow by its name", () => {
  it("comes with its program, its source and its path", () => {
    const { program, source, path } = loadWorkflowFile("pair", config);
    expect(program).toMatchObject({ id: "pair", start: "implement", loop: { max_rounds: 5 } });
    expect(source).toBe(pair);
    expect(path).toBe(join(home, "workflows", "pair.yaml"));
  });

  it.each([
    ["pari", "there is no workflow pari; did you mean pair?"],
    ["../package", "there is no workflow ../package"],
    ["", "there is no workflow"],
  ])("%j is refused", (name, message) => {
    const error = thrownBy(() => loadWorkflowFile(name, config));
    expect(error.code).toBe("workflow.unknown");
    expect(error.message).toContain(message);
  });

  const root = mkdtempSync(join(tmpdir(), "pairflow-workflows-"));
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it("is looked for in the folder it is told", () => {
    mkdirSync(join(root, "workflows"));
    writeFileSync(join(root, "workflows", "mine.yaml"), pair.replace("id: pair", "id: mine"));
    expect(listWorkflowNames(root)).toEqual(["mine"]);
    expect(loadWorkflowFile("mine", config, { root }).program.id).toBe("mine");
  });
});

describe("the workflows of a project", () => {
  const repo = mkdtempSync(join(tmpdir(), "pairflow-project-"));
  const folder = join(repo, ".pairflow", "workflows");
  const here = { ...config, repo_path: repo };
  mkdirSync(folder, { recursive: true });
  afterAll(() => rmSync(repo, { recursive: true, force: true }));
  const seed = (name: string) => readFileSync(join(home, "tests", "fixtures", "workflows", name), "utf8");

  it("come before those of the package, as YAML or JSON", () => {
    writeFileSync(join(folder, "pair.yml"), pair.replace("version: 1.0.0", "version: 9.0.0"));
    writeFileSync(join(folder, "seed.json"), seed("plan-and-execute.json"));
    expect(loadWorkflowFile("pair", here).program.version).toBe("9.0.0");
    expect(loadWorkflowFile("seed", here, { payload: { slug: "cart" } }).program).toMatchObject({
      id: "plan-and-execute",
      payload: { slug: "cart" },
    });
    expect(loadWorkflowFile("document", here).path).toBe(join(home, "workflows", "document.yaml"));
    const places = listWorkflowFiles(repo).map(({ name, builtIn }) => `${name} ${builtIn}`);
    expect(places).toEqual(expect.arrayContaining(["pair false", "seed false", "document true"]));
    expect(places).not.toContain("pair true");
  });

  it("have the name of their file when they say none, and warnings with their place", () => {
    writeFileSync(join(folder, "design.yaml"), seed("paired-workflow.yaml"));
    const { program, warnings = [] } = loadWorkflowFile("design", here);
    expect(program.id).toBe("design");
    const path = join(folder, "design.yaml");
    expect(warnings).toEqual([
      `${path}:3:12: warning: architect is not configured: bind it with [agents] architect = …`,
      `${path}:8:27: warning: pe is not configured: bind it with [agents] pe = …`,
      `${path}:13:13: warning: confidence_score is never known here: confidence_loop is not enabled`,
    ]);
  });

  it("say when they are switched off", () => {
    writeFileSync(
      join(folder, "off.json"),
      seed("plan-and-execute.json").replace('"enabled": true', '"enabled": false'),
    );
    expect(loadWorkflowFile("off", here)).toMatchObject({
      switchedOff: true,
      warnings: [expect.stringMatching(/off\.json:6:14: warning: this workflow is switched off/)],
    });
    expect(loadWorkflowFile("pair", here).switchedOff).toBe(false);
  });

  it("may be long, up to a limit", () => {
    const long = `${pair}\n${"# long\n".repeat(20_000)}`;
    expect(parseWorkflow(long, "w.yaml", config).id).toBe("pair");
    expect(errorOf(`${long}${"# long\n".repeat(20_000)}`).message).toContain("262144 are read at most");
  });
});

describe("tasks and actions are refused at line and column", () => {
  const task = (lines: string) => `tasks:\n  build:\n    agent: implementer\n${lines}`;
  const overlay = (lines: string) => task(`    overlays:\n${lines}`);
  it.each([
    [task("    overlay: {}\n"), "w.yaml:4:5: there is no key overlay here; did you mean overlays?"],
    [
      overlay("      paired_workflows: {}\n"),
      "w.yaml:5:7: there is no key paired_workflows here; did you mean paired_workflow?",
    ],
    [
      overlay("      hil: { enabeld: true, enabled: true }\n"),
      "w.yaml:5:14: there is no key enabeld here; did you mean enabled?",
    ],
    [
      overlay("      policy_gate:\n        risk_tier: T2\n"),
      "w.yaml:6:9: tasks.build.overlays.policy_gate.enabled is missing; an overlay is switched with enabled: true or enabled: false; policy_gate says neither",
    ],
    [
      overlay("      policy_gate:\n        enabled: true\n        risk_tier: T3\n"),
      'w.yaml:7:20: tasks.build.overlays.policy_gate.risk_tier must be "T0" or "T1" or "T2", not "T3"',
    ],
    [
      overlay("      paired_workflow:\n        enabled: true\n        challenger_agent: implementer\n"),
      "w.yaml:7:27: implementer would judge its own work: challenger and driver are the same agent; name another agent as challenger_agent",
    ],
    [task("    depends_on: [bulid]\n"), "w.yaml:4:18: no task is called bulid; did you mean build?"],
    [
      "steps:\n  - name: go\n    action: { type: call, subjct: x, subject: workflow.gate.structural }\n",
      "w.yaml:3:27: there is no key subjct here; did you mean subject?",
    ],
    [
      "steps:\n  - name: go\n    action: { type: call, subject: workflow.gate }\n    on_fail: go\n",
      'w.yaml:3:36: nothing is bound to the subject "workflow.gate"; call knows workflow.gate.structural, workflow.context.assemble, workflow.review.validate',
    ],
  ])("%j", (text, line) => {
    expect(linesOf(errorOf(text)).join("\n")).toContain(line);
  });
});

const reference = (name: string) => `max_rounds: $\{bubble.${name}}`;

describe("a workflow file is refused at line and column", () => {
  it.each([
    ["kind: gates", "kind: gate", /steps\[1\]\.kind must be "turn" or "gates" or .*, not "gate"/],
    [reference("max_rounds"), reference("max_round"), /\$\{bubble\.max_round\} is not known here/],
    ["clean_passes: 2", "clean_passes: two", /loop\.clean_passes must be a number, not "two"/],
    ["clean_passes: 2", "clean_passes: 0", /loop\.clean_passes must be at least 1, not 0/],
    ["session: resumed", "session: old", /steps\[0\]\.session must be "resumed" or "fresh", not "old"/],
    ["start: implement", "start: implment", /no step is called implment; did you mean implement\?/],
    ["success: gates", "success: gate", /no step is called gate; did you mean gates\?/],
    ["check: convergence", "check: convergance", /there is no check convergance; did you mean convergence\?/],
    [
      "role_switch: before_convergence",
      "role_swich: never",
      /there is no key role_swich here; did you mean role_switch\?/,
    ],
  ])("%s → %s", (from, to, message) => {
    const text = changed(from, to);
    const error = errorOf(text);
    expect(error.code).toBe("workflow.invalid");
    const line = linesOf(error).find((candidate) => message.test(candidate)) ?? error.message;
    expect(line).toMatch(message);
    expect(line).toMatch(new RegExp(`^w\\.yaml:${lineOf(text, to)}:\\d+: `));
  });

  it("for unknown keys at every level, also for words every object knows", () => {
    const text = changed(
      "    session: resumed\n",
      "    session: resumed\n    toString: x\n    sesion: y\n",
    ).replace("{ to: implement, round: next }", "{ to: implement, rond: next }");
    const lines = linesOf(errorOf(`${text}\nstep: []\n`)).join("\n");
    expect(lines).toMatch(/w\.yaml:\d+:5: there is no key toString here/);
    expect(lines).toMatch(/w\.yaml:\d+:5: there is no key sesion here; did you mean session\?/);
    expect(lines).toMatch(/w\.yaml:\d+:\d+: there is no key rond here; did you mean round\?/);
    expect(lines).toMatch(/w\.yaml:\d+:1: there is no key step here; did you mean steps\?/);
  });

  it.each([
    ["a: 1\na: 2\n", "w.yaml:2:1: this key is there twice"],
    ["steps: [\n", "w.yaml:2:1: a ] is missing"],
    ["id: pair: x\n", "w.yaml:1:5: a second `key:` on one line"],
    ['id: "pair\n', 'a closing " is missing'],
    ["id:\n\t- a\n", "indent with spaces"],
    ["<<: 3\n", "w.yaml: <<: takes in another table by its alias"],
    ["id: *gone\n", "w.yaml: *gone refers to an anchor &gone that is not set before it"],
  ])("for what is not clean YAML: %j", (text, message) => {
    const error = errorOf(text);
    expect(error.code).toBe("workflow.syntax");
    expect(error.message).toContain(message);
  });

  it.each(["", "just words", "[]", "steps: {}", "loop: []\nsteps: [[]]"])(
    "for what is no workflow at all: %j",
    (text) => {
      expect(errorOf(text).code).toBe("workflow.invalid");
    },
  );

  it("with the place of an anchor's own text for what an alias repeats", () => {
    const text = changed("    on:\n      success: gates", "    on: &routes\n      success: gates").replace(
      "    on: {}",
      "    on: *routes",
    );
    expect(linesOf(errorOf(text)).join("\n")).toContain("step approval never ends with success");
  });
});
