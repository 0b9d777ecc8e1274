// As much of a world as a prompt is put together from: the project's own role texts, and texts of the record in memory.
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { buildTurnNotice } from "../../src/core/briefing/prompt.ts";
import { chooseSession } from "../../src/core/judge/sessions.ts";
import type { Knowledge } from "../../src/core/knowledge/knowledge.ts";
import { serializeKnowledge } from "../../src/core/knowledge/knowledge.ts";
import { getCurrentStep } from "../../src/core/state/workflow-position.ts";
import { buildTurnPrompt } from "../../src/engine/turns/prompt/build.ts";
import type { World } from "../../src/engine/world/world.ts";
import type { Scenario } from "../../src/testing/scenario.ts";

const root = resolve(import.meta.dirname, "../..");
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export const task = `# Fix cart totals

Totals are wrong: the discount is taken off after the tax.

## Acceptance criteria

- The discount is taken off before the tax
- A cart without items totals 0
`;

export const diff = `diff --git a/src/cart.ts b/src/cart.ts
--- a/src/cart.ts
+++ b/src/cart.ts
@@ -39,3 +39,5 @@
   let net = 0;
-  for (const line of lines) net += line.price;
+  for (const line of lines) net += line.price;
+  const discounted = net - discount;
+  return discounted + taxOf(discounted);
`;

/** One rule, one habit and one article, so that every section of a project's knowledge is told somewhere. */
export const knowledge: Knowledge = {
  v: 1,
  commit: "base",
  sops: [
    {
      id: "source.doc.sops.money",
      file: ".pairflow/sources/docs/sops/money.md",
      title: "Money is whole cents",
      severity: "error",
      applies_to: ["src/**"],
      requirements: ["No floating point amount is stored or compared"],
      body: "Amounts are integers in cents. Rounding happens once, in `round()`.",
    },
  ],
  constitution: [],
  conventions: [],
  hidden: [],
};

const artifacts = (): Readonly<Record<string, string>> => ({
  "task.md": task,
  "knowledge.json": serializeKnowledge(knowledge),
});

const artifactsFolder = "/repo/.pairflow/bubbles/cart/artifacts";

export const world = {
  records: {
    get: async (_bubble: string, name: string) => {
      const text = name.endsWith(".diff") ? diff : artifacts()[name];
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    path: (_bubble: string, name: string) => `${artifactsFolder}/${name}`,
    here: async (_bubble: string, name: string) => `${artifactsFolder}/${name}`,
  },
  hash: { sha256 },
  paths: {
    worktree: () => "/repo/.pairflow/worktrees/cart",
    out: (place: string, turn: string) => `${place}/.pairflow-out/${turn}`,
  },
  roleText: (role: string) => {
    const file = `${root}/prompts/${role}.md`;
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  },
} as unknown as World;

/** The prompt of the turn that is due, as the engine writes it. */
export async function promptOf(scene: Scenario, voice: "json" | "tools" | "verbs"): Promise<string> {
  const { state, turn } = scene;
  const step = getCurrentStep(state);
  if (step?.kind !== "turn") throw new Error(`${state.position.step} is no turn`);
  const resumed = chooseSession(state, turn, step).resume !== undefined;
  const changes =
    resumed && step.last_session !== undefined ? { changes: "- modified src/cart.ts (+2 −1)" } : {};
  return buildTurnPrompt(world, state, turn, { resumed, voice, ...changes });
}

export const noticeOf = ({ state, turn }: Scenario): string =>
  buildTurnNotice(
    state,
    turn,
    `${artifactsFolder}/prompts/${turn.id}.${turn.attempt + 1}-${turn.agent}.md`,
    "tools",
  );
