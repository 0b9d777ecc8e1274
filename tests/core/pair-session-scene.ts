// Workflows with tasks played in memory: a pair that designs and a coder under review, by the documents of their specifications.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { BubbleConfig } from "../../src/core/model/config.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { wholePackage } from "../../src/testing/scenario-actors.ts";
import { configOf, p1, testGate } from "./pair.ts";

type Settings = Parameters<typeof configOf>[0];

const documentOf = (name: "paired-workflow" | "agentic-review"): unknown =>
  parse(readFileSync(resolve(import.meta.dirname, `../fixtures/workflows/${name}.yaml`), "utf8"));

const agents = {
  implementer: "alice",
  reviewer: "bob",
  architect: "architect",
  pe: "pe",
  dev: "dev",
};

/** A started bubble that runs this document. */
export function running(document: unknown, settings: Settings = {}): Scenario {
  const config: BubbleConfig = configOf({ agents, ...settings });
  const loaded = loadWorkflow(document, config, {}, "designs");
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return createScenarioBubble({ config, program: loaded.program, gates: [testGate] }).started();
}

/** The producer of the task hands over a tree whose gates are green. */
export function hands(scene: Scenario, tree: string, summary = `made ${tree}`): Scenario {
  const ready = scene.atWork();
  const handed = ready.does(ready.pass({ summary, package: wholePackage })).handsOver(tree);
  return handed.state.gates?.tree === tree ? handed : handed.gatesPass();
}

/** The critic finds something. */
export function objects(scene: Scenario, summary = "Missing data consistency strategy"): Scenario {
  const ready = scene.atWork();
  return ready.does(ready.pass({ summary, findings: [p1] })).handsOver();
}

/** The critic finds nothing any more. */
export function agrees(scene: Scenario, summary = "Ready to lock"): Scenario {
  const ready = scene.atWork();
  const answers = ready.state.findings
    .filter(({ status }) => status === "open")
    .map(({ id }) => ({ id, status: "fixed" as const }));
  return ready.does(ready.pass({ summary, noFindings: true, answers })).handsOver();
}

export const designing = (settings: Settings = {}): Scenario =>
  running(documentOf("paired-workflow"), settings);
export const coding = (settings: Settings = {}): Scenario => running(documentOf("agentic-review"), settings);
