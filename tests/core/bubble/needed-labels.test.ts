// What a machine must have to continue a bubble: asked for by the next turn's agent, by the gates that are owed, and by the setup.
import { describe, expect, it } from "vitest";
import { listLabelsOfBubble, listNeededLabels } from "../../../src/core/bubble/needed-labels.ts";
import type { Gate } from "../../../src/core/model/gate.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { operator } from "../../../src/testing/scenario-actors.ts";
import { beforeFinalGates, pair, readyForApproval, testGate, underReview } from "../pair.ts";

const gates: readonly Gate[] = [{ ...testGate, needs: ["docker", "linux"] }];
const config = {
  agent: { alice: { adapter: "codex", needs: ["gpu"] }, bob: { adapter: "claude" } },
  setup_needs: ["linux"],
};
const wanted = { config, gates: [...gates] };
const labelsOf = ({ state }: Scenario) => listNeededLabels(state).sort();

describe("a machine", () => {
  it("that makes the worktree has what the setup needs", () => {
    expect(labelsOf(pair(wanted).does({ type: "start", actor: operator, seat: "tmux" }))).toEqual(["linux"]);
  });

  it("that runs a turn has what its agent and the setup need, and not what gates do", () => {
    expect(labelsOf(pair(wanted).started())).toEqual(["gpu", "has-codex", "linux"]);
    expect(labelsOf(pair(wanted).started().atWork())).toEqual(["gpu", "has-codex", "linux"]);
    expect(labelsOf(underReview(wanted))).toEqual(["has-claude", "linux"]);
  });

  it("that runs gates has what each of them needs, and no agent", () => {
    expect(labelsOf(pair(wanted).startedOnBase())).toEqual(["docker", "linux"]);
    const handedOver = pair(wanted).started().atWork();
    expect(labelsOf(handedOver.does(handedOver.pass()).handsOver("T1"))).toEqual(["docker", "linux"]);
    expect(labelsOf(beforeFinalGates(wanted))).toEqual(["docker", "linux"]);
  });

  it("that has taken over for the gates, and makes the worktree anew first, still has what the gates need", () => {
    const { state } = pair(wanted).startedOnBase();
    const { workspace, driver } = state;
    if (!workspace || !driver) throw new Error("nobody drives it");
    const moved = { ...state, workspace: { ...workspace, host: "a~1" }, driver: { ...driver, host: "b~2" } };
    expect(listNeededLabels(moved).sort()).toEqual(["docker", "linux"]);
  });

  it("may be any while a person decides, or where nothing was asked for", () => {
    expect(labelsOf(readyForApproval(wanted))).toEqual([]);
    expect(labelsOf(beforeFinalGates())).toEqual([]);
  });

  it("is found for a whole bubble only where somebody has each label", () => {
    expect(listLabelsOfBubble(pair(wanted).state).sort()).toEqual([
      ...["docker", "gpu", "has-claude", "has-codex", "linux"],
    ]);
  });
});
