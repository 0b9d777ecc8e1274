// What an adapter is told about a turn that hands in a paper: read-only, and the schema of that paper.
import { describe, expect, it } from "vitest";
import { buildAnswerSchema, buildPaperAnswerSchema } from "../../../src/core/answer/schema.ts";
import { buildTurnRequest, type ChosenAdapter } from "../../../src/engine/turns/prompt/request.ts";
import type { World } from "../../../src/engine/world/world.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { pair } from "../pair.ts";
import { authoring, kindOf, paperUnderReview } from "../paper-scene.ts";

const world = {
  records: { here: async (_bubble: string, name: string) => `/record/${name}` },
  paths: { out: () => "/out", worktree: () => "/work/cart" },
} as unknown as World;
const chosen = { adapter: { voice: { pane: "verbs" } }, settings: {} } as unknown as ChosenAdapter;

function request({ state, turn }: Scenario) {
  return buildTurnRequest(world, state, turn, chosen, {
    session: "s",
    fresh: true,
    prompt: "p.md",
    text: "",
  });
}

describe("the request of a turn", () => {
  it("is read-only for the author of a paper, as for its critic, and not for whoever builds", async () => {
    expect((await request(authoring())).readOnly).toBe(true);
    expect((await request(paperUnderReview())).readOnly).toBe(true);
    expect((await request(pair().started())).readOnly).toBe(false);
  });

  it("asks for an answer of the paper's own form", async () => {
    for (const kind of ["plan", "user-story"])
      expect((await request(authoring(kind))).answerSchema).toEqual(buildPaperAnswerSchema(kindOf(kind)));
    expect((await request(paperUnderReview())).answerSchema).toEqual(buildAnswerSchema("findings"));
  });
});
