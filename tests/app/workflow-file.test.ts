// Workflows are found by name in the package and refused with line and column of all that is wrong.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { completeConfig } from "../../src/app/config-file.ts";
import { loadWorkflowFile, parseWorkflow, workflowNames } from "../../src/app/workflow-file.ts";
import { linesOf, thrownBy } from "./thrown.ts";

const home = resolve(import.meta.dirname, "../..");
const pair = readFileSync(join(home, "workflows", "pair.yaml"), "utf8");
const config = completeConfig({
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
    expect(workflowNames(root)).toEqual(["mine"]);
    expect(loadWorkflowFile("mine", config, root).program.id).toBe("mine");
  });
});

const reference = (name: string) => `max_rounds: $\{bubble.${name}}`;

describe("a workflow file is refused at line and column", () => {
  it.each([
    ["kind: gates", "kind: gate", /steps\[1\]\.kind must be "turn" or "gates" or .*, not "gate"/],
    [reference("max_rounds"), reference("max_round"), /\$\{bubble\.max_round\} is not known here/],
    ["clean_passes: 2", "clean_passes: two", /loop\.clean_passes must be a number, not "two"/],
    ["clean_passes: 2", "clean_passes: 0", /loop\.clean_passes must be >=1, not 0/],
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
    ["a: 1\na: 2\n", "w.yaml:2:1: Map keys must be unique"],
    ["steps: [\n", "w.yaml:2:1"],
    ["id: *gone\n", "w.yaml: Unresolved alias (the anchor must be set before the alias): gone"],
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
