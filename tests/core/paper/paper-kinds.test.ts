// The rules of each kind of paper, and what is decided when its author leaves something open.
import { describe, expect, it } from "vitest";
import { testGate } from "../pair.ts";
import { accepted, exampleOf, problemsOf } from "../paper-scene.ts";

describe("a user story", () => {
  const story = (more: object, around = {}) => problemsOf("user-story", more, around);

  it("has the fields of the seed, in its order", () => {
    expect(Object.keys(accepted("user-story"))).toEqual([
      ...["id", "title", "requirements", "acceptance_criteria", "scope", "test_criteria", "implementation"],
    ]);
    expect(accepted("user-story").id).toBe("story-20260221-090807");
  });

  it("keeps the id of its first version", () => {
    const papers = { "user-story": { id: "story-20200101-000000" } };
    expect(accepted("user-story", {}, { papers }).id).toBe("story-20200101-000000");
    expect(accepted("user-story", { id: "my story" }).id).toBe("story-20260221-090807");
  });

  it("is signed by nobody but a human", () => {
    for (const signed of [{ approved_at: "now" }, { approved_by: "user" }])
      expect(story(signed)).toEqual(["approved_at and approved_by are a human's to give: leave them out"]);
  });

  it("says what it does, and how that is seen", () => {
    const none = { functional: [], non_functional: [], constraints: [] };
    expect(story({ requirements: none })).toEqual([
      expect.stringMatching(/^requirements.functional is empty/),
    ]);
    expect(story({ acceptance_criteria: [] })).toEqual([
      expect.stringMatching(/^acceptance_criteria is empty/),
    ]);
    const [one] = exampleOf("user-story").acceptance_criteria as object[];
    expect(story({ acceptance_criteria: [one, one] })).toEqual(["two acceptance criteria are called AC1"]);
  });

  it("names a test command, unless the project has gates", () => {
    const untested = { test_criteria: null };
    expect(story(untested)).toEqual([expect.stringMatching(/^test_criteria.commands is empty/)]);
    expect(story(untested, { gates: [testGate] })).toEqual([]);
  });

  it("takes what it leaves open from the settings", () => {
    const open = { implementation: null };
    const payload = { settings: { mode: "simple", max_iterations: 3 } };
    expect(accepted("user-story", open).implementation).toEqual({ mode: "ralph-loop", max_iterations: 10 });
    expect(accepted("user-story", open, { payload }).implementation).toEqual({
      mode: "simple",
      max_iterations: 3,
    });
    expect(accepted("user-story", {}, { payload }).implementation).toEqual({
      mode: "ralph-loop",
      max_iterations: 10,
    });
    const defaults = { settings: { default_mode: "simple", default_max_iterations: 4 } };
    expect(accepted("user-story", open, { payload: defaults }).implementation).toEqual({
      mode: "simple",
      max_iterations: 4,
    });
  });

  it("does not take settings that are none", () => {
    const payload = { settings: { mode: "turbo", max_iterations: "many" } };
    expect(accepted("user-story", { implementation: null }, { payload }).implementation).toEqual({
      mode: "ralph-loop",
      max_iterations: 10,
    });
    expect(story({ implementation: { mode: "turbo" } })).toEqual([
      expect.stringMatching(/ralph-loop, simple/),
    ]);
  });
});

describe("a refined plan", () => {
  const plan = (more: object, around = {}) => problemsOf("plan-refined", more, around);
  const step = { id: 1, phase: "implementation", file: "src/a.ts", action: "modify", description: "d" };

  it("has the fields of the seed, in its order", () => {
    expect(Object.keys(accepted("plan-refined"))).toEqual([
      ...["id", "title", "technical_approach", "steps", "files_to_modify", "files_to_create", "test_plan"],
      ...["implementation", "completion_promise"],
    ]);
    expect(accepted("plan-refined").id).toBe("plan-20260221-090807");
  });

  it("has steps, each with an id of its own", () => {
    expect(plan({ steps: [] })).toEqual(["steps is empty: say at least one"]);
    expect(plan({ steps: [step, step], files_to_modify: ["src/a.ts"] })).toEqual(["two steps have the id 1"]);
  });

  it("announces every file that a step changes", () => {
    const files = { files_to_modify: ["src/a.ts"], files_to_create: ["src/b.ts"] };
    const steps = (...given: object[]) =>
      plan({ ...files, steps: given.map((one, i) => ({ ...step, id: i + 1, ...one })) });
    expect(steps({}, { file: "src/b.ts" }, { file: "src/b.ts", action: "create" })).toEqual([]);
    expect(steps({ file: "src/c.ts" })).toEqual([
      "step 1: src/c.ts is not in files_to_modify or files_to_create",
    ]);
    expect(steps({ action: "Create" })).toEqual(["step 1: src/a.ts is not in files_to_create"]);
    expect(steps({ file: null })).toEqual(["step 1 (modify) names no file"]);
    expect(steps({ file: null, action: "run" }, { file: "src/old.ts", action: "delete" })).toEqual([]);
  });

  it.each(["/etc/passwd", "../x.ts", "src/../../x.ts", "C:\\x", "~/x"])(
    "stays inside the tree, not %s",
    (path) => {
      expect(plan({ files_to_modify: ["src/cart.ts", path] })).toEqual([
        `${path} is not a path inside the tree`,
      ]);
    },
  );

  it("names a test command or has gates", () => {
    expect(plan({ test_plan: { commands: [] } })).toEqual([
      expect.stringMatching(/^test_plan.commands is empty/),
    ]);
    expect(plan({ test_plan: null }, { gates: [testGate] })).toEqual([]);
  });

  it("takes commands with patterns of their own, and keeps those without as their line", () => {
    const commands = [
      "npm test",
      { command: "npm run lint", success_pattern: null },
      { command: "x", failure_pattern: "^E" },
    ];
    expect(
      accepted("plan-refined", { test_plan: { commands, success_pattern: "passed" } }).test_plan,
    ).toEqual({
      commands: ["npm test", "npm run lint", { command: "x", failure_pattern: "^E" }],
      success_pattern: "passed",
    });
  });

  it.each(["(", "x".repeat(201), ".*"])("takes no pattern like %s", (pattern) => {
    const expected = [expect.stringMatching(/^test_plan: the failure_pattern .* cannot be used: /)];
    expect(plan({ test_plan: { commands: [{ command: "x", failure_pattern: pattern }] } })).toEqual(expected);
    expect(plan({ test_plan: { commands: ["x"], failure_pattern: pattern } })).toEqual(expected);
  });

  describe("is implemented", () => {
    const decided = (own: object | null, settings: object = {}, story?: object) =>
      accepted(
        "plan-refined",
        { implementation: own },
        {
          payload: { settings },
          papers: story ? { "user-story": { implementation: story } } : {},
        },
      ).implementation;
    const simple = { mode: "simple" };

    it("in the mode that the settings decide, then the plan, the story, the default", () => {
      expect(decided({ mode: "ralph-loop" }, simple)).toMatchObject(simple);
      expect(decided(simple, {}, { mode: "ralph-loop" })).toMatchObject(simple);
      expect(decided(null, { default_mode: "ralph-loop" }, simple)).toMatchObject(simple);
      expect(decided(null, { default_mode: "simple" })).toMatchObject(simple);
      expect(decided(null)).toEqual({ mode: "ralph-loop", max_iterations: 10 });
    });

    it("with as many iterations as the plan says, then the story, the default", () => {
      const story = { max_iterations: 5 };
      expect(decided({ max_iterations: 3 }, {}, story)).toMatchObject({ max_iterations: 3 });
      expect(decided(null, { default_max_iterations: 7 }, story)).toMatchObject({ max_iterations: 5 });
      expect(decided(null, { default_max_iterations: 7 })).toMatchObject({ max_iterations: 7 });
    });

    it("until the promise is given that the settings name, then the plan", () => {
      const promised = (own: string | null, settings: object) =>
        accepted("plan-refined", { completion_promise: own }, { payload: { settings } }).completion_promise;
      expect(promised("DONE", { completion_promise: "READY" })).toBe("READY");
      expect(promised("DONE", {})).toBe("DONE");
      expect(promised(null, {})).toBe("<promise>IMPLEMENTATION_COMPLETE</promise>");
    });
  });
});

describe("a plan", () => {
  it("has a mission with success criteria, and says how", () => {
    expect(problemsOf("plan", { mission: " ", execution: "" })).toEqual([
      "mission is empty: say what is done and why",
      "execution is empty: say how it is done",
    ]);
    expect(problemsOf("plan", { mission: "Users sign in." })).toEqual([
      expect.stringMatching(/^mission names no success criterion/),
    ]);
  });

  it("may leave out the rest", () => {
    expect(accepted("plan", { situation: null, constraints: null, coordination: "" })).toMatchObject({
      situation: "",
      constraints: { in: [], out: [], do_not_touch: [] },
      coordination: "",
    });
  });
});

describe("tasks", () => {
  const tasks = exampleOf("tasks").tasks as Record<string, unknown>[];
  const changed = (i: number, more: object) => ({
    tasks: tasks.map((task, at) => (at === i ? { ...task, ...more } : task)),
  });
  const plan = exampleOf("plan");

  it("cover the success criteria of the plan, from a paper or from what the run was started with", () => {
    const uncovered = changed(1, { covers: [] });
    const expected = ["no task covers the success criterion S2: An unknown code gets 404"];
    expect(problemsOf("tasks", uncovered, { papers: { plan } })).toEqual(expected);
    expect(problemsOf("tasks", uncovered, { payload: { plan } })).toEqual(expected);
  });

  it("do not wait for one another, and stay inside the tree", () => {
    expect(problemsOf("tasks", changed(0, { depends_on: ["t2"] }), { papers: { plan } })).toEqual([
      expect.stringMatching(/^tasks wait for one another/),
    ]);
    expect(problemsOf("tasks", changed(0, { files: ["../x"] }), { papers: { plan } })).toEqual([
      "../x is not a path inside the tree",
    ]);
  });
});

describe("a refinement", () => {
  const task = exampleOf("refinement").task as { description: string };

  it("says something else than the task that was sent back", () => {
    const payload = { task_description: ` ${task.description.replaceAll(" ", "\n")} ` };
    expect(problemsOf("refinement", {}, { payload })).toEqual([
      expect.stringMatching(/^task.description is the one/),
    ]);
  });

  it("keeps what must not be touched", () => {
    const constraints = { in: ["src/**"], out: [], do_not_touch: ["src/a/**"] };
    const expected = ["constraints.do_not_touch must keep src/billing/**: a refinement only narrows"];
    expect(problemsOf("refinement", { constraints }, { payload: { plan: exampleOf("plan") } })).toEqual(
      expected,
    );
    expect(
      problemsOf(
        "refinement",
        { constraints },
        { payload: { constraints: { do_not_touch: ["src/billing/**"] } } },
      ),
    ).toEqual(expected);
    const kept = { ...constraints, do_not_touch: ["src/a/**", "src/billing/**"] };
    expect(problemsOf("refinement", { constraints: kept }, { payload: { plan: exampleOf("plan") } })).toEqual(
      [],
    );
    expect(problemsOf("refinement", {}, { payload: { plan: exampleOf("plan") } })).toEqual([]);
  });
});

describe("a decomposition", () => {
  const [first, second] = exampleOf("decomposition").tasks as {
    id: string;
    description: string;
    files: string[];
  }[];

  it("has at least two tasks, with ids of their own, that do not wait for one another", () => {
    expect(problemsOf("decomposition", { tasks: [first] })).toEqual([
      "one task is no decomposition: give at least two",
    ]);
    expect(problemsOf("decomposition", { tasks: [first, { ...second, id: "t1", depends_on: [] }] })).toEqual([
      "two tasks are called t1",
    ]);
    expect(problemsOf("decomposition", { tasks: [{ ...first, depends_on: ["t2"] }, second] })).toEqual([
      expect.stringMatching(/^tasks wait for one another/),
    ]);
  });

  it("has tasks that are smaller than the whole, by words or by files", () => {
    const whole = "w".repeat(300);
    const big = { ...second, description: "x".repeat(400), files: ["src/a.ts", "src/b.ts"] };
    const problems = (payload: object) =>
      problemsOf("decomposition", { tasks: [first, big] }, { payload: { ...payload } });
    expect(problems({ task_description: whole })).toEqual(["t2 is as big as the task it is a part of"]);
    expect(problems({ task_description: whole, files: ["a", "b"] })).toEqual([
      "t2 is as big as the task it is a part of",
    ]);
    expect(problems({ task_description: whole, files: ["a", "b", "c"] })).toEqual([]);
    expect(problems({})).toEqual([]);
  });

  it("can split a task that was told in a few words, but does not say it again", () => {
    expect(problemsOf("decomposition", {}, { payload: { task_description: "Prices" } })).toEqual([]);
    expect(problemsOf("decomposition", {}, { payload: { task_description: first?.description } })).toEqual([
      "t1 is as big as the task it is a part of",
    ]);
  });
});
