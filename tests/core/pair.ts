// The pair workflow as it is shipped, and bubbles that run it in memory.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as v from "valibot";
import { parse } from "yaml";
import { BubbleConfig } from "../../src/core/model/config.ts";
import type { Gate } from "../../src/core/model/gate.ts";
import type { Program } from "../../src/core/model/program.ts";
import type { NewFinding } from "../../src/core/model/review/finding.ts";
import { loadWorkflow } from "../../src/core/workflow/load.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import type { BubbleOptions } from "../../src/testing/scenario-commands.ts";

export const pairDocument: unknown = parse(
  readFileSync(resolve(import.meta.dirname, "../../workflows/pair.yaml"), "utf8"),
);

export function configOf(overrides: Partial<v.InferInput<typeof BubbleConfig>> = {}): BubbleConfig {
  return v.parse(BubbleConfig, {
    id: "cart",
    repo_path: "/repo",
    base_branch: "main",
    bubble_branch: "bubble/cart",
    agents: { implementer: "alice", reviewer: "bob" },
    // Evidence has tests of its own; here a clean pass is a clean pass.
    review: { require_evidence: false },
    ...overrides,
  });
}

export function pairProgram(config: BubbleConfig): Program {
  const loaded = loadWorkflow(pairDocument, config);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.program;
}

export const testGate: Gate = { name: "test", command: "npm test", required: true, timeout_seconds: 600 };

type PairOptions = Partial<Omit<BubbleOptions, "config">> & {
  config?: Partial<v.InferInput<typeof BubbleConfig>>;
};

/** A created bubble: alice implements, bob reviews, one required gate called test. */
export function pair({ config: overrides, ...options }: PairOptions = {}): Scenario {
  const config = configOf(overrides);
  return createScenarioBubble({
    gates: [testGate],
    ...options,
    config,
    program: options.program ?? pairProgram(config),
  });
}

export const p1: NewFinding = {
  severity: "P1",
  title: "Total ignores discount",
  file: "src/cart.ts",
  line: 41,
  evidence: "sum += price",
};
export const p3: NewFinding = {
  severity: "P3",
  title: "Name is vague",
  file: "README.md",
  line: 2,
  evidence: "let x",
};

/** Alice has built T1, its gates are green, and bob is about to review it. */
export const underReview = (options: PairOptions = {}): Scenario => pair(options).started().implements("T1");
/** Bob found nothing in T1, the roles are swapped, and alice is about to review the same tree. */
export const afterSwap = (options: PairOptions = {}): Scenario => underReview(options).reviews();
/** Both found nothing: the bubble asks for approval of T1. */
export const readyForApproval = (options: PairOptions = {}): Scenario =>
  beforeFinalGates(options).packageWritten();
/** Both found nothing; the gates on a clean checkout are still to come. */
export const beforeFinalGates = (options: PairOptions = {}): Scenario =>
  afterSwap(options).reviewerConverges().handsOver();
