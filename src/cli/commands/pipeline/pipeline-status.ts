// pairflow pipeline status: the state by its name, the phases with their counts and limits, every review, what waits for a human.
import { repoOf } from "../../../app/host/locate.ts";
import { currentPipeline } from "../../../app/pipeline/current.ts";
import { pipelineView } from "../../../app/pipeline/view.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { renderPipeline } from "../../render/pipeline.ts";
import { lookOf } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const pipelineIdFlags = {
  id: { kind: "text", value: "<id>", about: "another pipeline than the newest" },
  repo: bubbleFlags.repo,
} as const;

export const pipelineStatusVerb = verb({
  words: "pipeline status",
  about: "Show the pipeline: state, phases with their limits, whose turn, reviews, questions, cost",
  access: "read",
  example: "pairflow pipeline status",
  flags: pipelineIdFlags,
  async run(shell, { flags }) {
    const world = recordWorld(repoOf(flags.repo, shell.cwd, shell.env));
    const state = await currentPipeline(world, flags.id);
    const view = await pipelineView(world, state);
    return { text: renderPipeline(view, lookOf(shell, world.clock.now())), json: view };
  },
});
