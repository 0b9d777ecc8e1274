// A project whose bubbles speak a dialect, and reviewers that follow a script: what runs through the real command.
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Dialect } from "../../src/core/model/review/verdict.ts";
import type { StatusView } from "../../src/core/views/bubble/status.ts";
import { createScripted, fullPackage, type Rig } from "../acceptance/rig.ts";
import { cartCriteria, cartFile, cartText, TREE } from "../core/dialect-cart.ts";
import { type Approval, good, inDialect } from "./answers.ts";
import { written } from "./scene.ts";

const cart = written(cartText);
const criteria = cartCriteria.flatMap((criterion) => ["--criterion", criterion]);
const flags = ["--test", `grep -q totalOf ${cartFile}`, ...criteria];

/** Commits how reviews are said in this project, so that new bubbles start with it. */
export function speak(tool: Rig, review: { dialect?: Dialect; require_evidence?: boolean }): void {
  const settings = Object.entries(review).map(([key, value]) => `    ${key}: ${value}`);
  tool.write(".pairflow/config.yaml", ["defaults:", "  review:", ...settings, ""].join("\n"));
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "--allow-empty", "-m", `reviews: ${JSON.stringify(review)}`);
}

/** The approval as a reviewer writes it down; the tree's name is put in when it is handed in. */
export const asFile = (dialect: Dialect, change: Partial<Approval> = {}): { review: string } => ({
  review: inDialect(dialect, { ...good.criteria, ...change }).replaceAll(TREE, "{{tree}}"),
});

export const implementing = {
  role: "implementer",
  steps: [{ write: { path: cartFile, text: cart } }, { pass: { summary: "done", ...fullPackage } }],
};

export const reviewing = (...steps: object[]) => ({ role: "reviewer", steps });

/** The same reviewer, whose every step may be refused. */
export const stubborn = (...steps: object[]) =>
  reviewing(...steps.map((step) => ({ ...step, on_refused: "continue" })));

export interface Reviewers {
  readonly first: object;
  readonly second?: object;
}

/** Codex implements, claude reviews first, codex second. */
export function create(tool: Rig, id: string, { first, second }: Reviewers): Promise<string> {
  const implementer = [implementing, ...(second ? [second] : [])];
  return createScripted(tool, id, { implementer, reviewer: [first] }, ...flags);
}

/** Drives a bubble without a terminal until it waits for a person. */
export async function drive(tool: Rig, id: string): Promise<StatusView> {
  await tool.ok("bubble", "start", "--id", id, "--headless");
  return tool.status(id);
}

export async function runBubble(tool: Rig, id: string, reviewers: Reviewers): Promise<StatusView> {
  await create(tool, id, reviewers);
  return drive(tool, id);
}

/** The same with agents that answer on standard output instead of using a verb. */
export async function runAnswering(tool: Rig, id: string, answer: string): Promise<StatusView> {
  const text = join(tool.folder, `${id}.cart`);
  const said = join(tool.folder, `${id}.answer`);
  writeFileSync(text, cart);
  writeFileSync(said, answer);
  const program = join(tool.folder, `${id}.sh`);
  const done = JSON.stringify({ status: "completed", summary: "done", package: fullPackage });
  writeFileSync(
    program,
    `#!/bin/sh\nif [ "$PAIRFLOW_ROLE" = implementer ]; then cp ${text} ${cartFile}; echo '${done}'; else sed "s/{{tree}}/$PAIRFLOW_TREE/" ${said}; fi\n`,
  );
  chmodSync(program, 0o755);
  await tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", ...flags);
  const config = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  const agents = ["codex", "claude"].map(
    (name) => `\n[agent.${name}]\nadapter = "command"\ncommand = ${JSON.stringify(program)}\n`,
  );
  writeFileSync(config, readFileSync(config, "utf8") + agents.join(""));
  return drive(tool, id);
}

/** The codes of what the referee refused, in order. */
export const refusals = (tool: Rig, id: string): string[] =>
  tool
    .log(id)
    .flatMap(({ type, payload }) => (type === "WARNING" ? [(payload as { code: string }).code] : []));
