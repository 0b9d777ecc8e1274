// What the engine puts together for a turn: the role's text, the project's standards, the step's own words filled in.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeHash } from "../../../src/adapters/clock/node.ts";
import { readRoleText } from "../../../src/app/host/package-root.ts";
import { parseConstitution } from "../../../src/core/knowledge/constitution.ts";
import { createEmptyKnowledge, serializeKnowledge } from "../../../src/core/knowledge/knowledge.ts";
import type { State } from "../../../src/core/model/state.ts";
import { buildTurnPrompt } from "../../../src/engine/turns/prompt/build.ts";
import type { World } from "../../../src/engine/world/world.ts";
import { createMemoryRecords } from "../../memory/records.ts";
import { roundOf, type Scene, stateOf, taskOf, turnOf } from "../task-scene.ts";

const constitution = "## Purpose\n\nSell things.\n\n## Standards\n\n- every branch is tested\n";

const prompt = (role: string) =>
  readFileSync(resolve(import.meta.dirname, `../../../prompts/${role}.md`), "utf8");

/** The prompt of the turn that is due, from a world that holds only what a prompt is made of. */
async function told(scene: Scene, more: Partial<State> = {}): Promise<string> {
  const records = createMemoryRecords();
  const pinned = serializeKnowledge({
    ...createEmptyKnowledge("base"),
    constitution: [parseConstitution(".pairflow/constitution.md", constitution)],
  });
  await records.create("cart");
  await records.put("cart", "task.md", "Design the cart.\n");
  await records.put("cart", "round-001.diff", "+++ b/design.md\n+Three services\n");
  const { name } = await records.put("cart", "knowledge.json", pinned);
  const state = stateOf(scene, {
    knowledge: { artifact: name, sha256: nodeHash.sha256(pinned), sops: 0 },
    ...more,
  });
  const world = {
    records,
    hash: nodeHash,
    roleText: readRoleText,
    paths: {
      worktree: () => "/work/cart",
      output: () => "",
      hook: () => "",
      artifacts: () => "",
      out: () => "/out/cart",
      clean: () => "/clean",
    },
  } satisfies Partial<World>;
  return buildTurnPrompt(world as unknown as World, state, turnOf(state), { resumed: false, voice: "verbs" });
}

const agentic = taskOf({
  overlay: "agentic_review",
  roles: { coder: "alice", reviewer: "bob" },
  criteria: ["Each service has an owner"],
  loop: { ...taskOf().loop, producer: "coder", critic: "reviewer", dialect: "decision" },
});

describe("the standards of the constitution", () => {
  it("are in the prompt of the reviewer of an agentic_review task, with the acceptance criteria", async () => {
    const text = await told({ task: agentic, step: "design/review" });
    expect(text).toContain("### Standards");
    expect(text).toContain("- every branch is tested");
    expect(text).toContain("**C2** Each service has an owner");
  });

  it("are not in the coder's while it is blind", async () => {
    const blind = { review: { blind: true } };
    const text = await told({ task: agentic, step: "design", config: blind });
    expect(text).not.toContain("every branch is tested");
    expect(text).toContain("Sell things.");
  });
});

describe("the text of a role", () => {
  it.each(["driver", "challenger", "coder", "developer", "agent", "judge", "integrator", "author"])(
    "exists for the %s",
    (role) => {
      expect(prompt(role)).toMatch(new RegExp(`^You are the (\\*\\*)?${role}`));
      expect(prompt(role).length).toBeLessThan(2500);
    },
  );

  it.each(["requirements-gatherer", "planner", "plan-reviewer", "implementer", "code-reviewer", "architect"])(
    "exists for the %s of a pipeline or a refinement",
    (role) => {
      expect(prompt(role)).toContain(`You are the **${role.replaceAll("-", " ")}**`);
      expect(prompt(role).length).toBeLessThan(2500);
    },
  );

  it("of the challenger is the specified sentence", async () => {
    const sentence =
      "You are the challenger. Critique the following driver output and identify assumptions, gaps, and risks. Signal `challenger_approved: true` if the output is ready to lock.";
    expect(prompt("challenger").split("\n")[0]).toBe(sentence);
    expect(await told({ step: "design/review" })).toContain(sentence);
  });

  it("of a role the workflow made up is the one of its side", async () => {
    const loop = { ...taskOf().loop, producer: "architect", critic: "sceptic" };
    const task = taskOf({ loop, roles: { architect: "alice", sceptic: "bob" } });
    expect(await told({ task, step: "design" })).toContain("You are the **implementer**");
    expect(await told({ task, step: "design/review" })).toContain("You are the **reviewer**");
    expect(await told({ task, step: "design/judge" })).toContain("You are the **judge**");
  });
});

describe("the step's own words", () => {
  const words = "The output:\n${steps.design.output.result}\nIts author says: ${steps.design.output.summary}";
  const handed = {
    steps: { design: { outcome: "success", seq: 20, at: "", visits: 1, output: { tree: "T1" } } },
  };
  const progress = { history: [roundOf(1, { summary: "flawless, I promise" })] };

  it("are filled with the diff itself, and never with the author's prose", async () => {
    const text = await told({ prompt: words, step: "design/review", progress }, handed);
    expect(text).toContain(
      "## What this step asks\n\nThe output:\n```diff\n+++ b/design.md\n+Three services\n```",
    );
    expect(text).not.toContain("flawless");
    expect(text).toContain("(Without a value here: steps.design.output.summary.)");
  });

  it("have it where the bubble says so", async () => {
    const config = { reviewer_sees_summary: true };
    const text = await told({ prompt: words, step: "design/review", progress, config }, handed);
    expect(text).toContain("Its author says: flawless, I promise");
  });
});
