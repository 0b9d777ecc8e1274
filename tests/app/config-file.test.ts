// bubble.toml is refused with the line of every mistake in it, and nothing in it is ignored.
import { describe, expect, it } from "vitest";
import { completeConfigValues, parseBubbleToml } from "../../src/app/config/bubble-file.ts";
import { settings } from "../../src/app/config/keys.ts";
import { BubbleConfig, refusedSettings } from "../../src/core/model/config.ts";
import { linesOf, thrownBy } from "./thrown.ts";

const file = "bubble.toml";
/** The least a bubble.toml can say; the table comes last, as TOML wants it. */
const least = {
  id: '"cart"',
  repo_path: '"/work/shop"',
  base_branch: '"main"',
  bubble_branch: '"bubble/cart"',
  agents: '{ implementer = "codex", reviewer = "claude" }',
};

/** The least, with these settings given or replaced; the last one stands on the last line. */
function toml(more: Record<string, string>): string {
  const all = Object.entries({ ...least }).filter(([key]) => !(key in more));
  return [...all, ...Object.entries(more)].map(([key, value]) => `${key} = ${value}`).join("\n");
}

describe("bubble.toml", () => {
  it("fills in what it leaves out", () => {
    expect(parseBubbleToml(toml({}), file)).toMatchObject({
      id: "cart",
      work_mode: "worktree",
      workflow: "pair",
      quality_mode: "strict",
      watchdog_timeout_minutes: 5,
      turn_timeout_minutes: 30,
      max_rounds: 8,
      commit_requires_approval: true,
      agents: { implementer: "codex", reviewer: "claude" },
      commands: {},
      notifications: { enabled: true },
    });
  });

  it("reads the specification's example as it is printed", () => {
    const config = parseBubbleToml(
      `id = "b_legal_search_01"
repo_path = "/abs/path/to/repo"
base_branch = "main"
bubble_branch = "bubble/b_legal_search_01"
work_mode = "worktree" # worktree|clone
quality_mode = "strict" # MVP: strict only
reviewer_context_mode = "fresh" # fresh|persistent (default: fresh)
watchdog_timeout_minutes = 5
max_rounds = 8
commit_requires_approval = true
open_command = "cursor {{worktree_path}}"

[agents]
implementer = "codex"
reviewer = "claude"

[commands]
test = "cd 05_finder && npm test"
typecheck = "cd 05_finder && npx tsc --noEmit"

[notifications]
enabled = true
waiting_human_sound = "/System/Library/Sounds/Ping.aiff"
converged_sound = "/System/Library/Sounds/Glass.aiff"
`,
      file,
    );
    expect(config.commands).toEqual({
      test: "cd 05_finder && npm test",
      typecheck: "cd 05_finder && npx tsc --noEmit",
    });
    expect(config.notifications.converged_sound).toBe("/System/Library/Sounds/Glass.aiff");
  });
});

describe("a wrong value is refused at its line", () => {
  const wrong: Record<keyof BubbleConfig, string> = {
    id: '"../up"',
    repo_path: '"relative/path"',
    base_branch: '""',
    bubble_branch: "7",
    work_mode: '"copy"',
    kind: '"prd"',
    workflow: '"../pair"',
    quality_mode: '"lax"',
    reviewer_context_mode: '"stale"',
    reviewer_sees_summary: '"no"',
    watchdog_timeout_minutes: "0",
    turn_timeout_minutes: '"long"',
    wait_for_quota: "1",
    max_rounds: "2.5",
    commit_requires_approval: '"yes"',
    open_command: "true",
    try_command: "true",
    setup: '["npm", "ci"]',
    setup_needs: '"docker"',
    final_gates: '"never"',
    base_gates: '"maybe"',
    worktrees: '"beside"',
    git_filters: '"lfs"',
    approval: '"never"',
    second_person: '"yes"',
    sandbox_home: '".npmrc"',
    implements: '"a/b"',
    require_document: "1",
    agents: '"codex"',
    agent: '"codex"',
    commands: '["npm test"]',
    scope: '["src/**"]',
    severity: "3",
    review: '"strict"',
    document: '"../cart.md"',
    budget: "100",
    notifications: "false",
  };

  it("for every setting there is", () => {
    expect(Object.keys(wrong)).toEqual(Object.keys(BubbleConfig.entries));
    expect(Object.keys(settings)).toEqual(Object.keys(BubbleConfig.entries));
  });

  it.each(Object.entries(wrong))("%s = %s", (key, value) => {
    const text = toml({ [key]: value });
    const line = text.split("\n").length;
    const error = thrownBy(() => parseBubbleToml(text, file));
    expect(error.code).toBe("config.bad-value");
    expect(error.message).toContain(`${file}:${line}:${key.length + 4}: ${key} must `);
    expect(error.details).toBeUndefined();
  });

  it.each([
    [
      "agents.implementer = 5\nagents.reviewer = 'x'",
      "agents.implementer must be the short name of an agent",
    ],
    ['agents = { implementer = "a b" }', "agents.implementer must be the short name"],
    ["[agent.codex]\nmodel = 'x'", "agent.codex.adapter is missing"],
    ["[agent.codex]\nadapter = ''", "agent.codex.adapter must be the name of an adapter"],
    ["[agent]\ncodex = 'x'", "agent.codex must be a table with an adapter"],
    ["[agent.'my agent']\nadapter = 'x'", '"my agent" is no name for an agent'],
    ["[agent.codex]\nadapter = 'x'\nsince = 2026-01-01", "agent.codex.since must be text, a number"],
    ["[agent.codex]\nadapter = 'x'\nheat = nan", "agent.codex.heat must be text, a number"],
    ["[commands]\ntest = ''", 'commands.test must be a command line, or a table with a command, not ""'],
    ["[commands]\ntest.unit = 'x'", "there is no setting commands.test.unit"],
    ["[commands]\ntest = { command = 'x', requird = true }", "commands.test.requird; did you mean required?"],
    ["[commands]\n'hook:pre-commit' = 'x'", '"hook:pre-commit" is no name for a gate'],
    ["[commands]\n'unit tests' = 'x'", '"unit tests" is no name for a gate'],
    ["[commands]\nconstructor = 'x'", "commands.constructor: this word is reserved"],
    ["scope.in = ['src/**', 4]", "scope.in[1] must be a glob such as src/**, not 4"],
    ["scope.out = 'src/**'", 'scope.out must be a list of globs such as src/**, not "src/**"'],
    ["[severity]\ncore_areas = [1]", "severity.core_areas[0] must be the name of an area"],
    ["[notifications]\nenabled = 'on'", 'notifications.enabled must be true or false, not "on"'],
    ["[notifications]\nconverged_sound = 1", "notifications.converged_sound must be the path of a sound"],
  ])("inside tables too: %s", (more, message) => {
    const start = more.startsWith("agents") ? toml({ agents: "" }).replace(/\nagents = $/, "") : toml({});
    const error = thrownBy(() => parseBubbleToml(`${start}\n${more}`, file));
    expect(error.message).toContain(message);
    expect(error.message).toMatch(/^bubble\.toml:\d+:\d+: /);
    expect(error.code).toMatch(/^config\./);
  });
});

describe("an unknown word is refused with the nearest known one", () => {
  it.each([
    ["max_ronds = 3", "6:1: there is no setting max_ronds; did you mean max_rounds?"],
    ["scope = { inn = [] }", "6:11: there is no setting scope.inn; did you mean in?"],
    ["scope.do_not_tuch = []", "6:1: there is no setting scope.do_not_tuch; did you mean do_not_touch?"],
    [
      "[notifications]\n\nenbled = true",
      "8:1: there is no setting notifications.enbled; did you mean enabled?",
    ],
    [
      "[severity]\n'core paths' = []",
      "7:1: there is no setting severity.core paths; did you mean core_paths?",
    ],
    ["[notification]\nenabled = true", "6:1: there is no setting notification; did you mean notifications?"],
    ["toString = 1", "6:1: there is no setting toString"],
    [
      "[scope]\nmax_rounds = 3",
      "7:1: there is no setting scope.max_rounds; it belongs above the first [table]",
    ],
  ])("%s", (more, message) => {
    const error = thrownBy(() => parseBubbleToml(`${toml({})}\n${more}\n`, file));
    expect(error.code).toBe("config.unknown-key");
    expect(error.message).toContain(`bubble.toml:${message}`);
  });

  it("but roles, gates and an agent's own settings are free words", () => {
    const text = `${toml({})}\n[agent.codex]\nadapter = "command"\nargv = ["x"]\nenv = { A = "b" }\n[commands]\n"e2e:web" = "npm run e2e"\n`;
    const config = parseBubbleToml(text, file);
    expect(config.agent.codex).toEqual({ adapter: "command", argv: ["x"], env: { A: "b" } });
    expect(config.commands).toEqual({ "e2e:web": "npm run e2e" });
  });
});

describe("settings that are refused on purpose", () => {
  it.each([
    ["quality_mode", '"balanced"'],
    ["commit_requires_approval", "false"],
  ] as const)("%s = %s says why", (key, value) => {
    const error = thrownBy(() => parseBubbleToml(toml({ [key]: value }), file));
    expect(error.code).toBe("config.refused-setting");
    expect(error.message).toContain(`bubble.toml:6:${key.length + 4}: ${key}: ${refusedSettings[key]}`);
  });
});

describe("the report", () => {
  it("names every problem at once, in the order of the file, what is missing last", () => {
    const text = 'id = "cart"\nquality_mode = "balanced"\nmax_ronds = 1\n\n[agents]\nimplementer = 1\n';
    const error = thrownBy(() => parseBubbleToml(text, file));
    expect(error.code).toBe("config.refused-setting");
    expect(linesOf(error).map((line) => line.split(":").slice(0, 2).join(":"))).toEqual([
      "bubble.toml:2",
      "bubble.toml:3",
      "bubble.toml:6",
      "bubble.toml: repo_path is missing; it must be an absolute path",
      "bubble.toml: base_branch is missing; it must be the name of a branch",
      "bubble.toml: bubble_branch is missing; it must be the name of a branch",
    ]);
  });

  it.each([
    ["id = \n", "1:6: invalid value"],
    ['id = "a"\nid = "b"\n', "2:1: trying to redefine"],
    ['id = "a"\n[agents\n', "2:"],
  ])("gives line and column of what is not TOML: %s", (text, message) => {
    const error = thrownBy(() => parseBubbleToml(text, file));
    expect(error.code).toBe("config.syntax");
    expect(error.message).toContain(`bubble.toml:${message}`);
    expect(error.details?.join("\n")).toContain("^");
  });

  it("speaks the same sentences about flags, without lines", () => {
    const values = {
      id: "cart",
      repo_path: "/x",
      base_branch: "main",
      bubble_branch: "b",
      agents: {},
      max_rounds: 0,
    };
    const error = thrownBy(() => completeConfigValues(values));
    expect(error.message).toBe("configuration: max_rounds must be a whole number from 1 to 1000, not 0");
  });
});
