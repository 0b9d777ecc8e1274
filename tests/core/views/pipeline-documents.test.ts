// The documents of a pipeline: field by field as the specification prints them, and what they say of tests and of workers.
import { describe, expect, it } from "vitest";
import type { GateResult } from "../../../src/core/model/gate.ts";
import type { State } from "../../../src/core/model/state.ts";
import { buildPipelineDocuments } from "../../../src/core/views/pipeline/documents.ts";
import { noTrail } from "../../../src/core/views/review/trail.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { chained, passes } from "../phase-scene.ts";

const documentOf = (name: string, state: State) =>
  buildPipelineDocuments({
    trail: { ...noTrail, state },
    state: "implementing_loop",
    since: "2026-02-21T09:08:07.000Z",
    reviews: [],
    begun: {},
  }).find((one) => one.name === name)?.value;

const result = (status: GateResult["status"], tests?: GateResult["tests"]): GateResult => ({
  name: "test",
  command: "npm test",
  required: true,
  status,
  exit_code: status === "passed" ? 0 : 1,
  duration_ms: 1,
  excerpt: "",
  ...(tests ? { tests } : {}),
});

/** The work of the scene, as the pipeline's own phase. */
function built(results: readonly GateResult[]): State {
  const { state } = chained().hands("T1");
  const [progress] = Object.values(state.tasks ?? {});
  if (!progress || !state.tree || !state.gates) throw new Error("the scene has handed nothing over");
  return {
    ...state,
    tasks: { implementing_loop: progress },
    gates: { ...state.gates, tree: state.tree.id, results: [...results] },
  };
}

const testsIn = (...results: GateResult[]) =>
  (documentOf("impl-result.json", built(results)) as { tests: unknown }).tests;

describe("tests in impl-result.json", () => {
  it("are those that the runners tell of", () => {
    const unit = result("passed", { passed: 40, failed: 0 });
    expect(testsIn(unit, result("passed", { passed: 2, failed: 0 }), result("passed"))).toMatchObject({
      passing: 42,
      failing: 0,
    });
    expect(testsIn(unit, result("failed", { passed: 1, failed: 3 }))).toMatchObject({
      passing: 41,
      failing: 3,
    });
  });

  it("fail at least once where a command fails, whatever its runner tells", () => {
    expect(testsIn(result("passed", { passed: 4, failed: 0 }), result("failed"))).toMatchObject({
      failing: 1,
    });
    expect(testsIn(result("timeout", { passed: 4, failed: 0 }))).toMatchObject({ passing: 4, failing: 1 });
  });

  it("are the commands where no runner tells of any; what was skipped is neither", () => {
    expect(testsIn(result("passed"), result("failed"), result("skipped"))).toMatchObject({
      passing: 1,
      failing: 1,
    });
  });
});

describe("loop-state.json", () => {
  const loopOf = (state: State) => {
    const [progress] = Object.values(state.tasks ?? {});
    const named = { ...state, tasks: { implementing_loop: progress } } as State;
    return documentOf("loop-state.json", named) as { iteration: number; max_iterations: number };
  };

  it("counts the turns of the implementer through its reviews, and the limit from the last one", () => {
    const first = chained().hands("T1").state;
    expect(loopOf(first)).toMatchObject({ iteration: 1, max_iterations: 10 });
    const [[key, progress] = []] = Object.entries(first.tasks ?? {});
    if (!key || !progress) throw new Error("the scene has no phase");
    const third = {
      ...progress,
      attempts: 0,
      history: progress.history.map((one) => ({ ...one, iteration: 3 })),
    };
    expect(loopOf({ ...first, tasks: { [key]: third } })).toMatchObject({ iteration: 3, max_iterations: 12 });
  });
});

describe("worker-signal.json", () => {
  const signal = ({ state }: Scenario) => documentOf("worker-signal.json", state);

  it("names the worker by its role and its agent's id, and the phase it works in", () => {
    const at = chained().atWork();
    const told = signal(at) as { agent_id: string };
    expect(Object.keys(told)).toEqual(["worker_id", "phase", "status", "questions", "agent_id", "timestamp"]);
    expect(told).toMatchObject({
      worker_id: `worker-${told.agent_id}`,
      phase: "build",
      status: "in_progress",
      questions: [],
    });
  });

  it("keeps the phase when all is over", () => {
    const done = passes(passes(passes(chained().hands("T1"))));
    expect(done.state.position.step).toBe("approval");
    expect(signal(done)).toMatchObject({ phase: "build", status: "completed" });
  });

  it("tells of an error when the worker is lost, until a human lets it try again", () => {
    const lost = chained().atWork().turnEnds("auth");
    expect(lost.state.questions).toMatchObject([{ kind: "lost-agent" }]);
    expect(signal(lost)).toMatchObject({ status: "error", questions: [] });
    expect(signal(lost.replies({ choice: "retry" }))).toMatchObject({ status: "in_progress" });
  });

  it("tells of an error when the turn was cut off", () => {
    const at = chained().atWork();
    const stopped = at.does({ type: "stop", actor: operator, reason: "enough" });
    expect(stopped.state.lifecycle).toBe("CANCELLED");
    expect(signal(stopped)).toMatchObject({ status: "error" });
  });
});
