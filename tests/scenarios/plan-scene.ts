// plan-and-execute on stage: a developer, a reviewer, what they do in turn, and copies of its JSON with one thing
// changed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makes, Scene } from "./scene.ts";
import { BuiltIn, cart, developerAndReviewer, type Said } from "./steps-scene.ts";

/** The JSON as its specification prints it. */
export const specified = readFileSync(
  join(import.meta.dirname, "..", "fixtures", "workflows", "plan-and-execute.json"),
  "utf8",
);

/** The n-th try that mends nothing. */
export const wrong = (n: number) => makes(cart, `total: 3\ntry ${n}\n`, `try ${n}`);
export const right = makes(cart, "total: 2\n", "at last");
export const bad: Said = { feedback: "The total is three and must be two" };
export const still: Said = { feedback: "It is three still", prior: [{ id: "F1", status: "open" }] };
export const good: Said = { feedback: "The total is two now, as the task says" };
export const fixed: Said = { ...good, prior: [{ id: "F1", status: "fixed" }] };
export const words = ["--task", "Make the total two"];
export const flags = [...words, "--test", `grep -q total ${cart}`];

interface Cast {
  readonly dev: readonly object[];
  readonly rev: readonly object[];
}

const agents = ({ dev, rev }: Cast) => ({ dev, rev });

/** The built-in workflow, found by its name. */
export const play = (cast: Cast, more: { config?: string; files?: Record<string, string> } = {}) =>
  new BuiltIn("plan-and-execute", { agents: agents(cast), config: developerAndReviewer, ...more });

/** A file of the project: the JSON of the specification with one thing in it changed. */
export function changed(cast: Cast, from: string, to: string): Scene {
  if (!specified.includes(from)) throw new Error(`the JSON does not say ${from}`);
  const workflow = specified.replace(from, to);
  return new Scene({ workflow, file: "own.json", agents: agents(cast), config: developerAndReviewer });
}

export const attempts = (scene: Scene, agent: string): number =>
  scene.lines("TURN_STARTED").filter(({ payload }) => payload.agent === agent).length;
