// pairflow pipeline status: the state by its name, the phases with their counts and limits, every review, what waits for a human.
import { requireRepo } from "../../../app/host/locate.ts";
import { findPipeline } from "../../../app/pipeline/current.ts";
import { buildPipelineView } from "../../../app/pipeline/view.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { renderPipeline } from "../../render/pipeline.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const pipelineIdFlags = {
  id: { kind: "text", value: "<id>", about: "another pipeline than the newest" },
  repo: bubbleFlags.repo,
} as const;

export const pipelineStatusVerb = defineVerb({
  words: "pipeline status",
  about: "Show the pipeline: state, phases with their limits, whose turn, reviews, questions, cost",
  access: "read",
  example: "pairflow pipeline status",
  flags: pipelineIdFlags,
  async run(shell, { flags }) {
    const world = createRecordWorld(requireRepo(flags.repo, shell.cwd, shell.env));
    const state = await findPipeline(world, flags.id);
    const view = await buildPipelineView(world, state);
    return { text: renderPipeline(view, buildLook(shell, world.clock.now())), json: view };
  },
});
