// pairflow pipeline report: what was asked, what was made, who passed it, what it took.
import { repoOf } from "../../../app/host/locate.ts";
import { thePipeline } from "../../../app/pipeline/current.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { pipelineReport } from "../../../core/views/pipeline-report.ts";
import { readPipeline } from "../../../engine/views/pipeline-views.ts";
import { renderReport } from "../../render/pipeline.ts";
import { verb } from "../../verb/verb.ts";
import { pipelineIdFlags } from "./pipeline-status.ts";

export const pipelineReportVerb = verb({
  words: "pipeline report",
  about: "Show the pipeline's report: request, result, reviews, tests, files, cost",
  access: "read",
  flags: pipelineIdFlags,
  async run(shell, { flags }) {
    const world = recordWorld(repoOf(flags.repo, shell.cwd, shell.env));
    const { bubbleId } = await thePipeline(world, flags.id);
    const report = pipelineReport(await readPipeline(world, bubbleId));
    return { text: report ? renderReport(report) : "", json: report };
  },
});
