// What bubble.toml may still change: little once created, less once started; a change that would do nothing is refused.
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { BubbleConfig } from "../../../src/core/model/config.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { configOf, pair, readyForApproval } from "../pair.ts";

const configure = (overrides: Parameters<typeof configOf>[0]) =>
  ({ type: "configure", actor: operator, config: configOf(overrides) }) as const;

/** As `bubble create` makes one: its settings list the confirmed gates. */
const written = () => pair({ config: { commands: { test: "npm test" } }, profile: testProfile });
const testProfile = {
  gates: [{ name: "test", command: "npm test", required: true, timeout_seconds: 600 }],
  source: "given by flag",
  confirmed: true,
};

describe("a bubble that has not started", () => {
  it("takes other agents, scope and limits of time", () => {
    const agents = { implementer: "carol", reviewer: "dave" };
    pair()
      .tries(configure({ agents, scope: { in: ["src/**"] }, watchdog_timeout_minutes: 9 }))
      .then([
        {
          type: "CONFIGURED",
          sender: "orchestrator",
          payload: { changed: ["watchdog_timeout_minutes", "agents", "scope"] },
        },
      ])
      .state({ roles: agents });
  });

  it.each([
    ["id", { id: "other" }],
    ["repo_path", { repo_path: "/elsewhere" }],
    ["base_branch", { base_branch: "develop" }],
    ["max_rounds", { max_rounds: 3 }],
    ["workflow", { workflow: "review" }],
  ])("has pinned %s: changing it would do nothing, so it is refused", (key, overrides) => {
    pair()
      .tries(configure(overrides))
      .refuses("config.frozen", { message: new RegExp(key) });
  });

  it("takes other gates, and runs exactly those", () => {
    const commands = { test: "make test", lint: { command: "make lint", required: false, timeout: 90 } };
    const gates = [
      { name: "test", command: "make test", required: true, timeout_seconds: 600 },
      { name: "lint", command: "make lint", required: false, timeout_seconds: 90 },
    ];
    written()
      .tries(configure({ commands }))
      .then([{ type: "CONFIGURED", payload: { changed: ["commands"], gates } }])
      .state({ profile: { gates, source: "bubble.toml", confirmed: true } });
  });

  it("must keep a gate", () => {
    written()
      .tries(configure({ commands: {} }))
      .refuses("config.no-gates", { hint: /test = "npm test"/ });
  });

  it("has pinned the gates of a record that does not list them all", () => {
    const before = pair({ config: { commands: {} } });
    before
      .tries(configure({ commands: { more: "make more" } }))
      .refuses("config.frozen", { message: /commands/ });
  });

  it("needs an agent for every role", () => {
    pair()
      .tries(configure({ agents: { implementer: "alice" } }))
      .refuses("workflow.role-unbound", { message: /reviewer/ });
  });
});

describe("a bubble that has started", () => {
  it.each([
    ["watchdog_timeout_minutes", { watchdog_timeout_minutes: 1 }],
    ["turn_timeout_minutes", { turn_timeout_minutes: 90 }],
    ["reviewer_sees_summary", { reviewer_sees_summary: true }],
    ["reviewer_context_mode", { reviewer_context_mode: "persistent" as const }],
    ["notifications", { notifications: { enabled: false } }],
    ["agent", { agent: { alice: { adapter: "scripted" } } }],
    ["open_command", { open_command: "vim" }],
  ])("takes %s", (key, overrides) => {
    pair()
      .started()
      .tries(configure(overrides))
      .then([{ type: "CONFIGURED", payload: { changed: [key] } }]);
  });

  it.each([
    ["agents", { agents: { implementer: "bob", reviewer: "alice" } }],
    ["scope", { scope: { in: ["src/**"] } }],
    ["severity", { severity: { core_paths: ["**"] } }],
    ["max_rounds", { max_rounds: 100 }],
    ["commands", { commands: { test: "make test" } }],
  ])("has pinned %s", (key, overrides) => {
    const outcome = pair().started().tries(configure(overrides));
    outcome.refuses("config.frozen", {
      message: new RegExp(key),
      hint: /changeable now: .*watchdog_timeout_minutes/,
    });
  });

  it("notes nothing when nothing changed", () => {
    readyForApproval().tries(configure({})).then([]);
  });
});

describe("the configuration", () => {
  it("fills in the specification's defaults", () => {
    expect(configOf()).toMatchObject({
      work_mode: "worktree",
      quality_mode: "strict",
      reviewer_context_mode: "fresh",
      watchdog_timeout_minutes: 5,
      max_rounds: 8,
      commit_requires_approval: true,
    });
  });

  it.each([
    ["quality_mode", "balanced"],
    ["commit_requires_approval", false],
    ["max_rounds", 0],
    ["watchdog_timeout_minutes", -1],
    ["id", "../up"],
    ["id", "a;rm"],
    ["repo_path", "relative"],
    ["unknown_key", 1],
  ])("refuses %s = %s", (key, value) => {
    expect(v.safeParse(BubbleConfig, { ...configOf(), [key]: value }).success).toBe(false);
  });

  it.each(["orchestrator", "human", "Human"])(
    "refuses an agent called %s, which would speak with another's voice",
    (name) => {
      expect(
        v.safeParse(BubbleConfig, { ...configOf(), agents: { implementer: name, reviewer: "bob" } }).success,
      ).toBe(false);
    },
  );
});

describe("create", () => {
  it("pins configuration, workflow and profile in the first line", () => {
    const [first] = pair().log;
    expect(first).toMatchObject({
      type: "BUBBLE_CREATED",
      seq: 1,
      sender: "human",
      refs: ["artifact://task.md", "artifact://workflow.json"],
    });
  });

  it("happens once", () => {
    const { config, program, profile, base_commit, task, workflow_artifact } =
      pair().last("BUBBLE_CREATED").payload;
    pair()
      .tries({
        type: "create",
        actor: operator,
        config,
        program,
        profile,
        base_commit,
        task,
        workflow_artifact,
      })
      .refuses("bubble.exists");
  });

  it("needs an agent for every role of the workflow", () => {
    expect(() => pair({ config: { agents: { implementer: "alice" } } })).toThrow(/workflow\.role-unbound/);
  });
});
