// Two drivers of one bubble may live at once, one of them paused or cut off. The record names one; the other's word does not count.
import { describe, expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import type { Actor, Command, CommandOf } from "../../../src/core/model/command.ts";
import { completeRefs } from "../../../src/core/model/record/named-artifacts.ts";
import { isSameHost } from "../../../src/core/state/hosts.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { pair, underReview } from "../pair.ts";

const heir: Actor = { kind: "driver", id: "d2" };
const takenOver = (scene: Scenario, host = "here") =>
  scene.does({ type: "claim-driver", actor: heir, pid: 2, host, seat: "process" });
const atWork = () => pair().started().atWork();
const passed = (scene: Scenario) => scene.does(scene.pass());
const attempt = { turn: "t1", attempt: 1 } as const;
const handoff = (actor: Actor): Command => ({
  ...({ type: "handoff", actor, ...attempt } as const),
  ...{ tree: "T1", commit: "C1", ref: "r", files: [], problems: [], touched: [] },
});

const reports: readonly Command[] = [
  { type: "turn-ended", actor: driver, ...attempt, outcome: "crashed", detail: "exit 1" },
  { type: "turn-spawned", actor: driver, ...attempt, pid: 7 },
  { type: "turn-session", actor: driver, ...attempt, session: "other" },
  { type: "fail", actor: driver, code: "git.failed", message: "no" },
  { type: "warn", actor: driver, code: "x", message: "y" },
  { type: "pass", actor: { ...driver, ...attempt }, summary: "done", digest: "d" },
];

describe("a driver that was replaced", () => {
  it.each(reports.map((command) => [command.type, command] as const))(
    "is not heard: %s",
    (_type, command) => {
      atWork().tries(command).accepted();
      takenOver(atWork())
        .tries(command)
        .refuses("driver.replaced", {
          message: /is driven by process 2 on here since/,
          hint: /pairflow bubble status --id cart/,
        });
    },
  );

  it("hands nothing over that was claimed before", () => {
    const claimed = takenOver(passed(atWork()));
    claimed.tries(handoff(driver)).refuses("driver.replaced");
    claimed.tries(handoff(heir)).accepted();
  });

  it("may take the place again", () => {
    const again = takenOver(atWork()).does({
      type: "claim-driver",
      actor: driver,
      pid: 3,
      host: "here",
      seat: "process",
    });
    again.tries({ type: "warn", actor: driver, code: "x", message: "y" }).accepted();
    again.tries({ type: "warn", actor: heir, code: "x", message: "y" }).refuses("driver.replaced");
  });

  it("leaves agents and people as they were", () => {
    const scene = takenOver(atWork());
    scene.tries({ type: "pass", actor: scene.agent, summary: "done", digest: "d" }).accepted();
    scene.tries({ type: "stop", actor: operator, reason: "enough" }).accepted();
  });

  it("is not what a parent's or a child's driver is, nor who makes the first workspace", () => {
    const stranger: Actor = { kind: "driver", id: "of-another-bubble" };
    takenOver(atWork()).tries({ type: "check-budget", actor: stranger }).refuses("driver.not-due");
    const starting = pair().does({ type: "start", actor: operator, seat: "process" });
    const failed = { type: "workspace-failed", code: "git.failed", message: "no" } as const;
    const first: Actor = { kind: "driver", id: "operator" };
    starting.tries({ ...failed, actor: stranger }).accepted();
    takenOver(starting)
      .tries({ ...failed, actor: stranger })
      .refuses("driver.replaced");
    takenOver(starting)
      .tries({ ...failed, actor: first })
      .accepted();
    takenOver(atWork())
      .tries({ type: "warn", actor: first, code: "x", message: "y" })
      .refuses("driver.replaced");
  });
});

describe("a turn whose host is gone", () => {
  const elsewhere = (scene: Scenario) => takenOver(scene, "there");

  it("is adopted by a driver on the same machine", () => {
    takenOver(atWork()).has({ turn: { status: "running", host: "here" } });
    expect(takenOver(atWork()).state.turn?.ended).toBeUndefined();
  });

  it("ends with the claim of a driver on another one, and no failure of the agent", () => {
    atWork()
      .tries({ type: "claim-driver", actor: heir, pid: 2, host: "there", seat: "process" })
      .then([
        { type: "DRIVER_CLAIMED", payload: { host: "there" } },
        {
          type: "TURN_ENDED",
          payload: { ...attempt, outcome: "host-lost", next: { session: "fresh" }, detail: /it ran on here/ },
        },
      ])
      .state({ turn: { status: "due", attempt: 1, failures: 0, ended: "host-lost", startFresh: true } });
  });

  it("is never handed over after its claim: the role goes again from the recorded tree", () => {
    const lost = elsewhere(passed(atWork()));
    lost.has({ turn: { status: "due", attempt: 1, failures: 0, ended: "host-lost" } });
    expect(lost.last("TURN_ENDED").payload.detail).toContain("what it handed over was never looked at");
    expect(lost.state.turn).not.toHaveProperty("claim");
    expect(lost.state.turn).not.toHaveProperty("host");
    lost.tries(handoff(heir)).refuses("driver.not-due");
    lost.owesNo("snapshot");
  });

  it("counts its working time once", () => {
    const claimed = passed(atWork().minutesLater(5));
    expect(elsewhere(claimed.minutesLater(60)).state.spent).toEqual(claimed.state.spent);
  });

  it("is over for its agent, which may still live there", () => {
    const scene = atWork();
    const lost = elsewhere(scene);
    const late = { type: "pass", actor: scene.agent, summary: "done", digest: "d" } as const;
    lost.tries(late).refuses("turn.stale", { message: /driven on another machine/ });
    elsewhere(scene.does(late)).tries(late).refuses("turn.stale");
  });

  it("keeps an open question, whose answer goes into the next prompt", () => {
    const asked = elsewhere(pair().started().asks("Which?"));
    asked.has({ lifecycle: "WAITING_HUMAN", turn: { status: "due" }, questions: [{ kind: "agent" }] });
    asked.replies({ message: "the second" }).has({
      lifecycle: "RUNNING",
      turn: { status: "due", failures: 0 },
      deliveries: [{ text: /the second/ }],
    });
  });

  it("is nothing that anybody else can report", () => {
    const lost = {
      type: "turn-ended",
      actor: driver,
      ...attempt,
      outcome: "host-lost",
      detail: "x",
    } as const;
    atWork().tries(lost).refuses("driver.not-due");
  });

  it("is put to a human when one machine after the other is lost", () => {
    let scene = atWork();
    const hosts = ["b", "c", "d", "e", "f"];
    for (const host of hosts) {
      const there = moved(takenOver(scene, host));
      const { step: _step, role: _role, agent: _agent, ...started } = scene.last("TURN_STARTED").payload;
      const next = there.turn.attempt + 1;
      scene = there.does({ type: "turn-started", actor: heir, ...started, attempt: next });
      scene.has({ lifecycle: "RUNNING", turn: { failures: 0 } });
    }
    takenOver(scene, "g").has({
      lifecycle: "WAITING_HUMAN",
      questions: [{ kind: "lost-agent", text: /host-lost.*One machine after the other/s }],
    });
  });
});

/** The worktree is ready on the new host. */
const ready = (scene: Scenario): CommandOf<"workspace-ready"> => ({
  ...({ type: "workspace-ready", actor: heir } as const),
  ...{ path: "/elsewhere/cart", branch: "bubble/cart" },
  ...{ tree: "T0", notes: [], host: scene.state.driver?.host ?? "" },
});
const moved = (scene: Scenario) => scene.does(ready(scene));

describe("a worktree on another machine", () => {
  it("is brought to the recorded tree before anything else happens", () => {
    const there = takenOver(pair().started(), "there");
    expect(listDueEffects(there.state).map(({ kind }) => kind)).toEqual(["prepare"]);
    const brought = moved(there).has({ workspace: { path: "/elsewhere/cart", host: "there", tree: "T0" } });
    brought.owesNo("prepare").owes("start-turn");
    brought.tries(ready(brought)).refuses("driver.not-due");
  });

  it("keeps how it began, and says what was undone", () => {
    const there = takenOver(pair().startedOnBase(), "there");
    const undone = there.does({ ...ready(there), tree: "T9", put_back: "round-001.moved.patch" });
    undone.has({ workspace: { base: "B0", tree: "T0" } });
    expect(completeRefs(undone.last("WORKSPACE_READY"))).toEqual(["artifact://round-001.moved.patch"]);
  });

  it("is owed again on the first machine: what stands there is older by now", () => {
    const back = moved(takenOver(pair().started(), "there")).does({
      type: "claim-driver",
      actor: driver,
      pid: 1,
      host: "here",
      seat: "process",
    });
    expect(back.owes("prepare").key).toBe("prepare.moved.3");
  });

  it("is not owed while only a human can go on", () => {
    takenOver(underReview().asks("Which?"), "there").owesNo("prepare");
  });
});

describe("a host", () => {
  it("is one machine by its id, not by its name", () => {
    expect(isSameHost("build~1a", "build~1a")).toBe(true);
    expect(isSameHost("build~1a", "build~2b")).toBe(false);
    expect(isSameHost("build~1a", "other~1a")).toBe(false);
  });

  it("is known by its name alone on records of earlier versions", () => {
    expect(isSameHost("build", "build~1a")).toBe(true);
    expect(isSameHost("build~1a", "build")).toBe(true);
    expect(isSameHost("build", "other~1a")).toBe(false);
  });
});
