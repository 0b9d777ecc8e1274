// Tasks of a workflow in memory: their order, their loops, what ends them, and what does not.
import { describe, expect, it } from "vitest";
import { findPairContradiction } from "../../../src/core/state/pair-state.ts";
import { p1, p3 } from "../pair.ts";
import { endsOf, opinion, pairDocument, playing, turnsOf } from "../tasks-play.ts";

const rejects = { findings: [p1], opinion: opinion("revise") };

describe("a pair", () => {
  it("ends with the challenger's approval: the artifact is locked, and a human signs", () => {
    const done = playing(pairDocument())
      .hands("T1")
      .judges(rejects)
      .hands("T2")
      .judges({ opinion: opinion("approve") })
      .locks()
      .packageWritten();
    done.has({
      lifecycle: "READY_FOR_APPROVAL",
      locks: [{ path: "src/cart.ts", sha256: "src/cart.ts in T2", task: "design", decidedBy: "architect" }],
      tasks: { design: { status: "completed", iterations: 2 } },
      result: { result: "approved" },
    });
    expect(done.approves().commits().state.lifecycle).toBe("DONE");
  });

  it("does not take a rejection for an approval because it leaves only little open", () => {
    const judged = playing(pairDocument())
      .hands("T1")
      .judges({ findings: [p1, p3], opinion: opinion("revise") })
      .hands("T2")
      .judges({
        noFindings: true,
        answers: [
          { id: "F1", status: "fixed" },
          { id: "F2", status: "open" },
        ],
        opinion: opinion("revise"),
      });
    judged.has({ position: { step: "design", why: /F2/ }, round: 3 });
    expect(judged.state.tasks?.design?.history.map(({ approved }) => approved)).toEqual([false, false]);
  });

  it("does not take a taste that was named by flags for an approval", () => {
    playing(pairDocument())
      .hands("T1")
      .judges({ findings: [p3] })
      .has({ position: { step: "design", outcome: "revise" }, round: 2 });
  });

  it("takes an approval with a matter of taste beside it", () => {
    playing(pairDocument())
      .hands("T1")
      .judges({ findings: [p3], opinion: opinion("approve") })
      .has({ position: { step: "design/lock" } });
  });

  it("continues counting what was granted after its iterations were used up", () => {
    const spent = playing(pairDocument({ pair: "max_iterations: 1" }))
      .hands("T1")
      .judges(rejects);
    spent.has({ lifecycle: "WAITING_HUMAN", position: { step: "design/exhausted" } });
    const more = spent
      .replies({ choice: "continue", rounds: 2, message: "try caching" })
      .hands("T2")
      .judges(rejects)
      .hands("T3")
      .judges(rejects);
    more.has({ lifecycle: "WAITING_HUMAN", position: { step: "design/exhausted" }, round: 3 });
    const accepted = more.replies({ choice: "accept", message: "it will do" }).locks();
    expect(accepted.last("LOCKED").payload.decided_by).toBe("a human");
    expect(endsOf(accepted)).toEqual(["design accepted"]);
  });

  it("whose gates stay red is exhausted too; accepting it needs the gate waived", () => {
    const handed = playing(pairDocument({ pair: "max_iterations: 1" })).atWork();
    const red = handed.does(handed.pass({})).handsOver("T1").gatesFail();
    red.has({ lifecycle: "WAITING_HUMAN", position: { step: "design/exhausted" } });
    const accept = { type: "reply", actor: { kind: "operator", via: "terminal" }, choice: "accept" } as const;
    red.tries({ ...accept, message: "known" }).refuses("reply.red-gates");
    red
      .replies({ choice: "accept", message: "known", waiveGates: ["test"] })
      .has({ position: { step: "design/lock" } });
  });

  it("sent back by the human who should sign continues in the same task, with its lock taken off", () => {
    const back = playing(pairDocument())
      .hands("T1")
      .judges()
      .locks()
      .packageWritten()
      .reworks("name the owners")
      .atWork();
    back.has({ turn: { role: "driver", agent: "pe" }, locks: [], tasks: { design: { status: "running" } } });
    const again = back.hands("T2").judges().locks().packageWritten();
    again.has({ lifecycle: "READY_FOR_APPROVAL", tasks: { design: { status: "completed", iterations: 2 } } });
    expect(findPairContradiction(again.state, "design")).toBeUndefined();
  });

  it("knows when history, iteration and approval disagree", () => {
    const { state } = playing(pairDocument()).hands("T1").judges(rejects).hands("T2");
    expect(findPairContradiction(state, "design")).toBeUndefined();
    const design = state.tasks?.design;
    const [first, second] = design?.history ?? [];
    if (!design || !first || !second) throw new Error("two iterations");
    const told = (history: readonly (typeof first)[]) =>
      findPairContradiction({ ...state, tasks: { design: { ...design, history } } }, "design");
    expect(told([{ ...first, approved: true }, second])).toMatch(/was approved, and yet/);
    expect(told([second])).toMatch(/iteration 2 where iteration 1 belongs/);
    expect(told([first, { ...second, iteration: 3 }])).toMatch(/iteration 3 where iteration 2 belongs/);
    expect(told([first, { ...second, approved: true, critic: "pe" }])).toMatch(/nobody except its driver/);
  });
});

describe("roles", () => {
  const subtasks = { pair: "role_switch: subtask", task: "subtasks: [Draw it, Name it]" };

  it("switch when a subtask is done, and not before", () => {
    const done = playing(pairDocument(subtasks))
      .hands("T1")
      .judges(rejects)
      .hands("T2")
      .judges()
      .hands("T3")
      .judges()
      .locks();
    expect(turnsOf(done)).toEqual([
      "driver pe",
      "challenger architect",
      "driver pe",
      "challenger architect",
      "driver architect",
      "challenger pe",
    ]);
    done.has({ tasks: { design: { subtask: 1, switches: 1, status: "completed" } } });
  });

  it("of a subtask that changes nothing are played all the same: what was approved was the part before", () => {
    const handed = playing(pairDocument(subtasks))
      .hands("T1")
      .judges()
      .hands("T1", { noChange: "it is named" });
    handed.has({ turn: { role: "challenger", agent: "pe", step: "design/review" } });
  });

  it("switch at the checkpoint that is named, once", () => {
    const switched = playing(pairDocument({ pair: "role_switch: checkpoint\ncheckpoints: [1]" }))
      .hands("T1")
      .judges(rejects)
      .hands("T2")
      .judges(rejects)
      .atWork();
    expect(turnsOf(switched)).toEqual([
      "driver pe",
      "challenger architect",
      "driver architect",
      "challenger pe",
      "driver architect",
    ]);
  });

  it("switch at a claimed checkpoint also after the human granted the round", () => {
    const document = pairDocument({ pair: "role_switch: checkpoint\ncheckpoints: claim\nmax_iterations: 1" });
    const spent = playing(document).hands("T1", { checkpoint: "schema agreed" }).judges(rejects);
    spent.has({ lifecycle: "WAITING_HUMAN", position: { held: { to: "design", swap: true } } });
    spent
      .replies({ choice: "continue", message: "" })
      .has({ turn: { role: "driver", agent: "architect" }, round: 2 });
  });

  it("stay as they are for a session", () => {
    const done = playing(pairDocument()).hands("T1").judges(rejects).hands("T2").judges();
    expect(done.state.roles).toMatchObject({ driver: "pe", challenger: "architect" });
  });
});

describe("several tasks", () => {
  const two = (overlays = "") =>
    pairDocument({
      pair: "max_iterations: 1",
      overlays,
      tasks: "build:\n  agent: dev\n  depends_on: [design]\nnotes:\n  agent: dev",
    });

  it("run in the order of what they rest on, each with a budget of its own", () => {
    const done = playing(two()).hands("T1").judges().locks().hands("T2").hands("T3").packageWritten();
    expect(endsOf(done)).toEqual(["design completed", "build completed", "notes completed"]);
    expect(turnsOf(done)).toEqual(["driver pe", "challenger architect", "agent dev", "agent dev"]);
    done.has({ round: 3, tasks: { notes: { iterations: 1 } } });
  });

  it("do not start after one that was not completed; others run, and nothing is signed", () => {
    const over = playing(two("hil: { enabled: false }")).hands("T1").judges(rejects).hands("T2");
    expect(endsOf(over)).toEqual(["design exceeded", "build skipped", "notes completed"]);
    over.has({
      lifecycle: "FAILED",
      end: { code: "max_iterations_exceeded" },
      result: { result: "exceeded" },
      tasks: { design: { flag: "max_iterations_exceeded" } },
    });
    expect(over.types).not.toContain("HUMAN_QUESTION");
    expect(over.types).not.toContain("APPROVAL_REQUEST");
  });

  it("refuse a change of what an earlier one has locked, until a human unlocks it", () => {
    const locked = playing(two()).hands("T1").judges().locks().atWork();
    const claimed = locked.does(locked.pass({}));
    const changed = claimed.handsOver("T2", { locked: { "src/cart.ts": "other" } });
    changed.has({ position: { step: "build", outcome: "refused" } });
    expect(changed.last("HANDOFF").payload.problems).toEqual([
      expect.stringContaining("src/cart.ts was changed, but it is locked with design"),
    ]);
  });
});
