// A pipeline played in memory by agents of one's choice: from a given user story to a tree that its reviewers have passed.

import type { Scenario } from "../../src/testing/scenario.ts";
import { exampleOf } from "../core/paper-scene.ts";
import { builtIn, handsIn, running } from "../core/phase-scene.ts";

export const fourAgents = {
  ...{ "requirements-gatherer": "ada", planner: "ada", implementer: "ben" },
  ...{ "plan-reviewer": "cleo", "code-reviewer": "cleo", sonnet: "cleo", opus: "dan", codex: "dan" },
};

const withoutEvidence = { review: { require_evidence: false } } as const;

/** The story is given and approved; the planner has the turn. */
export const planning = (
  agents: Readonly<Record<string, string>> = fourAgents,
  config: object = withoutEvidence,
) =>
  running(builtIn("pipeline"), {
    payload: {
      papers: { "user-story": exampleOf("user-story") },
      request: "Codes",
      settings: { plan_review_limit: 1 },
    },
    config: { agents, ...config },
  });

export const handsPlan = (scene: Scenario): Scenario =>
  handsIn(scene, "plan-refined", { test_plan: { commands: ["npm test"] } });

export function planPassed(scene: Scenario): Scenario {
  let at = scene;
  while (at.state.turn?.role === "planner") at = handsPlan(at);
  while (at.state.turn?.role === "plan-reviewer") at = at.judges();
  return at;
}

const promise = "done <promise>IMPLEMENTATION_COMPLETE</promise>";
export const built = (scene: Scenario, tree = "T1"): Scenario => scene.hands(tree, { summary: promise });

export function codePassed(scene: Scenario): Scenario {
  let at = scene;
  while (at.state.turn?.role === "code-reviewer") at = at.judges();
  return at;
}
