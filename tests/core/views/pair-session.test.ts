// The view of a pair session: exactly the specified schema, from the record alone, with its hash on the record.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findPairContradiction } from "../../../src/core/state/pair-state.ts";
import { buildPairSessionView } from "../../../src/core/views/pair/session.ts";
import { writePairSession } from "../../../src/engine/views/pair-session.ts";
import { agrees, designing, hands, objects, running } from "../pair-session-scene.ts";
import { type Disk, disk } from "../pair-session-world.ts";
import { reviewOf, roundOf, stateOf, taskOf } from "../task-scene.ts";

const view = (scene: ReturnType<typeof designing>) =>
  buildPairSessionView(scene.state, "design-l1").pair_session;

describe("the pair session", () => {
  it("has the fields of the specified schema and no others, while the second iteration runs", () => {
    const scene = objects(hands(designing(), "T1", "Proposed microservices architecture with 4 services"));
    expect(buildPairSessionView(scene.state, "design-l1")).toEqual({
      pair_session: {
        driver_agent: "architect",
        challenger_agent: "pe",
        current_role_driver: "architect",
        role_switch: "session",
        iteration: 2,
        max_iterations: 5,
        history: [
          {
            iteration: 1,
            driver_output_summary: "Proposed microservices architecture with 4 services",
            challenger_critique: expect.stringContaining("Missing data consistency strategy"),
            challenger_approved: false,
          },
        ],
        challenger_approved: false,
      },
    });
  });

  it("tells an iteration only when its challenger has spoken or it is over", () => {
    expect(view(designing())).toMatchObject({ iteration: 1, history: [] });
    expect(view(hands(designing(), "T1"))).toMatchObject({ iteration: 1, history: [] });
    const red = designing().atWork();
    const handed = red
      .does(red.pass({ summary: "broken" }))
      .handsOver("T1")
      .gatesFail();
    expect(view(handed)).toMatchObject({
      iteration: 2,
      history: [
        {
          iteration: 1,
          driver_output_summary: "broken",
          challenger_critique: "",
          challenger_approved: false,
        },
      ],
    });
  });

  it("is approved when the challenger approves", () => {
    const scene = agrees(hands(objects(hands(designing(), "T1")), "T2"));
    expect(view(scene)).toMatchObject({
      iteration: 2,
      challenger_approved: true,
      history: [
        { challenger_approved: false },
        { challenger_approved: true, challenger_critique: "Ready to lock" },
      ],
    });
  });

  it("names who drives now when the roles have switched, and is not approved for the next part by the last one", () => {
    const document = {
      tasks: {
        "design-l1": {
          agent: "architect",
          subtasks: ["the data model", "the interface"],
          overlays: {
            paired_workflow: {
              enabled: true,
              driver_agent: "architect",
              challenger_agent: "pe",
              role_switch: "subtask",
              max_iterations: 5,
              exit_conditions: ["pair.challenger_approved == true"],
            },
          },
        },
      },
    };
    const scene = agrees(hands(running(document), "T1"));
    expect(view(scene)).toMatchObject({
      driver_agent: "architect",
      challenger_agent: "pe",
      current_role_driver: "pe",
      role_switch: "subtask",
      iteration: 2,
      challenger_approved: false,
      history: [{ iteration: 1, challenger_approved: true }],
    });
    expect(findPairContradiction(scene.state, "design-l1")).toBeUndefined();
  });

  it("counts granted rounds into the limit", () => {
    const scene = objects(hands(designing(), "T1"));
    const granted = { ...scene.state, extraRounds: 2 };
    expect(buildPairSessionView(granted, "design-l1").pair_session.max_iterations).toBe(7);
  });
});

describe("its file", () => {
  let place: Disk;
  beforeEach(() => {
    place = disk();
  });
  afterEach(() => place.close());

  it("is written in place, with its hash and iteration on the record", async () => {
    const state = await place.plays(objects(hands(designing(), "T1")));
    const text = readFileSync(place.artifact("pair-sessions/design-l1.json"), "utf8");
    expect(JSON.parse(text)).toEqual(buildPairSessionView(state, "design-l1"));
    const written = (await place.lines()).findLast(({ type }) => type === "PAIR_SESSION");
    expect(written?.payload).toEqual({
      task: "design-l1",
      artifact: "pair-sessions/design-l1.json",
      sha256: place.world.hash.sha256(text),
      iteration: 2,
    });
    expect(state.tasks?.["design-l1"]?.view?.sha256).toBe(place.world.hash.sha256(text));
    await writePairSession(place.world, state, "design-l1", "d1");
    expect(readFileSync(place.artifact("pair-sessions/design-l1.json"), "utf8")).toBe(text);
  });

  it("that cannot be written is a warning, once, and the run continues without a hash to compare with", async () => {
    mkdirSync(place.artifact(""), { recursive: true });
    rmSync(place.artifact("pair-sessions"), { recursive: true, force: true });
    writeFileSync(place.artifact("pair-sessions"), "in the way");
    const state = await place.plays(objects(hands(designing(), "T1")));
    await writePairSession(place.world, state, "design-l1", "d1");
    const said = (await place.lines()).flatMap((line) =>
      line.type === "WARNING" ? [line.payload.code] : [],
    );
    expect(said).toEqual(["test.note", "view.unwritable"]);
    expect(state.tasks?.["design-l1"]?.view?.sha256).toBe("");
  });
});

describe("a pair's state contradicts itself", () => {
  const exit = taskOf({ loop: { ...taskOf().loop, exit: ["pair.challenger_approved == true"] } });
  const at = (history: ReturnType<typeof roundOf>[], more: Parameters<typeof stateOf>[1] = {}) =>
    stateOf({ task: exit, progress: { history } }, { round: 3, ...more });

  it.each([
    ["a gap", at([roundOf(1), roundOf(3)]), /iteration 3 where iteration 2 belongs/],
    ["a double", at([roundOf(1), roundOf(1)]), /iteration 1 where iteration 2 belongs/],
    ["another order", at([roundOf(2), roundOf(1)]), /iteration 2 where iteration 1 belongs/],
    ["an iteration that has not come yet", at([roundOf(1), roundOf(2)], { round: 1 }), /this is iteration 1/],
    [
      "an approval that was not the end",
      at([roundOf(1, { approved: true }), roundOf(2)]),
      /yet iteration 2 follows/,
    ],
    [
      "an approval by its own driver",
      at([roundOf(1, { approved: true, critic: "alice" })]),
      /nobody except its driver/,
    ],
    [
      "an approval that the newest review does not give",
      at([roundOf(1, { approved: true })], {
        lastReview: { agent: "bob", tree: "T1", seq: 30, approved: false, feedback: "" },
      }),
      /newest review says not approved/,
    ],
  ])("in %s", (_name, state, problem) => {
    expect(findPairContradiction(state, "design")).toMatch(problem);
  });

  it.each([
    ["nothing has happened", at([])],
    ["the rounds are in order", at([roundOf(1), roundOf(2), roundOf(3, { approved: true })])],
    [
      "a human sent it back after an approval",
      at([roundOf(1, { approved: true }), roundOf(2)], {
        steps: { "design/sign-off": { outcome: "rework", seq: 33, at: "", visits: 1 } },
      }),
    ],
    [
      "another task ran between two of its rounds",
      {
        ...at([roundOf(1), roundOf(3)]),
        tasks: {
          ...at([roundOf(1), roundOf(3)]).tasks,
          build: {
            status: "completed",
            seq: 20,
            firstRound: 2,
            subtask: 0,
            switches: 0,
            changed: 20,
            history: [],
          },
        },
      } as ReturnType<typeof at>,
    ],
    ["the task has not begun", { ...at([]), tasks: {} }],
    [
      "its review agrees",
      at([roundOf(1, { approved: true })], {
        reviews: [reviewOf()],
        lastReview: { agent: "bob", tree: "T1", seq: 30, approved: true, feedback: "" },
      }),
    ],
  ])("not when %s", (_name, state) => {
    expect(findPairContradiction(state, "design")).toBeUndefined();
  });
});
