// pipeline.config.json: read as printed, strict about the rest, and what it means for who plays what.
import { describe, expect, it } from "vitest";
import { noProject } from "../../src/app/config/project.ts";
import { buildCast } from "../../src/app/pipeline/cast.ts";
import { parsePipelineConfig } from "../../src/app/pipeline/config.ts";
import { thrownBy as thrown } from "../app/thrown.ts";

const file = "pipeline.config.json";
const read = (value: unknown) => parsePipelineConfig(JSON.stringify(value, null, 2), file);
const printed = `{
  "autonomy": {
    "mode": "ralph-loop",
    "planReviewLoopLimit": 10,
    "codeReviewLoopLimit": 15
  },
  "ralphLoop": {
    "defaultMode": "ralph-loop",
    "defaultMaxIterations": 10,
    "completionPromise": "<promise>IMPLEMENTATION_COMPLETE</promise>"
  }
}
`;

describe("the file", () => {
  it("is read as the specification prints it", () => {
    expect(parsePipelineConfig(printed, file).settings).toEqual({
      mode: "ralph-loop",
      default_mode: "ralph-loop",
      default_max_iterations: 10,
      completion_promise: "<promise>IMPLEMENTATION_COMPLETE</promise>",
      plan_review_limit: 10,
      code_review_limit: 15,
      models: {},
    });
  });

  it("leaves to plan and story what it does not say", () => {
    expect(read({}).settings).toEqual({ plan_review_limit: 10, code_review_limit: 15, models: {} });
  });

  it.each([
    [
      '{\n  "autonomy": {\n    "mod": "simple"\n  }\n}',
      "3:5: there is no key autonomy.mod; did you mean mode?",
    ],
    ['{ "autonomy": { "mode": "fast" } }', '1:25: autonomy.mode must be "ralph-loop" or "simple"'],
    ['{ "autonomy": { "planReviewLoopLimit": 0 } }', "1:40: autonomy.planReviewLoopLimit must be at least 1"],
    ['{ "ralphLoop": { "defaultMaxIterations": "10" } }', "must be a number"],
    ['{ "ralphLoop": { "completionPromise": " " } }', "must not be empty"],
    ['{ "models": { "code-reviewer": "opus" } }', "reviewers are named by their place: sonnet, opus, codex"],
    ['{ "autonomy": }', `${file}:1:15: no JSON value stands here`],
    [
      '{ "autonomy": {},\n  "autonomy": {} }',
      `${file}:2:3: the property "autonomy" stands twice in one object`,
    ],
    ["", `${file}: it is empty`],
    ["[]", "must be a table"],
  ])("%s is refused at its place", (text, message) => {
    expect(thrown(() => parsePipelineConfig(text, file))).toMatchObject({
      usage: true,
      code: "pipeline.bad-config",
      message: expect.stringContaining(message),
    });
  });

  it("tells all problems at once, in the order of the file", () => {
    const wrong = read.bind(null, { autonomy: { planReviewLoopLimit: 0, mode: "x" }, extra: 1 });
    expect(thrown(wrong)).toMatchObject({
      details: expect.arrayContaining([expect.stringContaining("extra")]),
    });
  });
});

describe("who plays what", () => {
  it("is the specified table where nobody says otherwise, and the gate is of another vendor", () => {
    expect(buildCast(noProject, read({}), {})).toEqual({
      agents: {
        "requirements-gatherer": "claude-opus",
        planner: "claude-opus",
        implementer: "claude-sonnet",
        sonnet: "sonnet",
        opus: "opus",
        codex: "codex",
        "plan-reviewer": "sonnet",
        "code-reviewer": "sonnet",
        developer: "claude-sonnet",
        integrator: "claude-sonnet",
        architect: "claude-opus",
        reviewer: "sonnet",
      },
      agent: {
        "claude-opus": { adapter: "claude", model: "opus" },
        "claude-sonnet": { adapter: "claude", model: "sonnet" },
        sonnet: { adapter: "claude", model: "sonnet" },
        opus: { adapter: "claude", model: "opus" },
      },
      warnings: [],
    });
  });

  it("keeps the other settings of the agent that a model is put to", () => {
    const project = { agents: { claude: { adapter: "claude", permission: "ask" } }, defaults: {} };
    expect(buildCast(project, read({}), {}).agent["claude-opus"]).toEqual({
      adapter: "claude",
      permission: "ask",
      model: "opus",
    });
  });

  it("flags come before the file, the file before the project", () => {
    const project = { agents: {}, defaults: { agents: { planner: "one", implementer: "one" } } };
    const { agents } = buildCast(project, read({ agents: { planner: "two", opus: "two" } }), {
      opus: "three",
    });
    expect(agents).toMatchObject({ implementer: "one", planner: "two", opus: "three" });
  });

  it("a model of the file is a critic's own agent, and a worker's setting", () => {
    const config = read({ models: { sonnet: "haiku", planner: "fable", codex: "gpt-5" } });
    const { agents, agent } = buildCast(noProject, config, {});
    expect(agents).toMatchObject({ sonnet: "sonnet", planner: "claude-fable", codex: "codex" });
    expect(agent).toMatchObject({ sonnet: { model: "haiku" }, codex: { adapter: "codex", model: "gpt-5" } });
    expect(config.settings.models).toEqual({ planner: "fable" });
  });

  it("gives a critic an agent of its own where a worker is the same", () => {
    const { agents, agent } = buildCast(noProject, read({}), { implementer: "codex" });
    expect(agents).toMatchObject({ implementer: "codex", codex: "codex-critic" });
    expect(agent["codex-critic"]).toEqual({ adapter: "codex" });
  });

  it("a critic may be another one in one phase alone", () => {
    const file = { agents: { "code-reviewer-opus": "kim" }, models: { "plan-reviewer-codex": "gpt-5" } };
    const { agents, agent } = buildCast(noProject, read(file), {});
    expect(agents).toMatchObject({
      opus: "opus",
      "code-reviewer-opus": "kim",
      "plan-reviewer-codex": "plan-reviewer-codex",
    });
    expect(agent["plan-reviewer-codex"]).toEqual({ adapter: "codex", model: "gpt-5" });
  });

  it("warns when the last word is of the same vendor", () => {
    const { warnings } = buildCast(noProject, read({ agents: { codex: "claude" } }), {});
    expect(warnings).toEqual([
      expect.stringMatching(/^the final gate claude is of the same vendor as .*opus/),
    ]);
    expect(buildCast(noProject, read({}), { implementer: "codex" }).warnings).toHaveLength(1);
  });
});
