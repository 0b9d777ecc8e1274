// The review loop on stage: its coder and its reviewer, what they do in turn, and the log of what was decided.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makes, Scene } from "./scene.ts";
import { cart, noGo, withEvidence } from "./steps-scene.ts";

/** The YAML as its specification prints it. */
export const specified = readFileSync(
  join(import.meta.dirname, "..", "fixtures", "workflows", "agentic-review.yaml"),
  "utf8",
);

export const first = makes(cart, "total: 3\n", "first try");
export const better = makes(cart, "total: 2\n", "wraps the auth flow");
/** The n-th try that mends nothing. */
export const same = (n: number) => makes(cart, `total: 3\nnote ${n}\n`, `try ${n}`);

interface Cast {
  readonly dev: readonly object[];
  readonly reviewer: readonly object[];
  readonly [other: string]: readonly object[];
}

export const play = (agents: Cast, more: { workflow?: string; files?: Record<string, string> } = {}) =>
  new Scene({ workflow: specified, agents, config: withEvidence, ...more });

export const flags = ["--task", "Handle errors of the auth flow", "--criterion", "Every error is caught"];

export const authFlow = "missing error handling on auth flow";
export const refusesThrice = [
  noGo({ feedback: authFlow }),
  noGo({ feedback: "still not caught", prior: [{ id: "F1", status: "open" }] }),
  noGo({ feedback: "not caught yet either", prior: [{ id: "F1", status: "open" }] }),
];

export const log = (scene: Scene) => JSON.parse(scene.artifact("review-logs/implement.json"));
export const decisions = (scene: Scene): string[] =>
  log(scene).iterations.map(({ decision }: { decision: string }) => decision);
