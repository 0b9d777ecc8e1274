// pairflow pipeline report: what was asked, what was made, who passed it, what it took.
import { requireRepo } from "../../../app/host/locate.ts";
import { requirePipeline } from "../../../app/pipeline/current.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { buildPipelineReport } from "../../../core/views/pipeline/report.ts";
import { readPipeline } from "../../../engine/front/views.ts";
import { renderReport } from "../../render/pipeline.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { pipelineIdFlags } from "./status.ts";

export const pipelineReportVerb = defineVerb({
  words: "pipeline report",
  about: "Show the pipeline's report: request, result, reviews, tests, files, cost",
  access: "read",
  flags: pipelineIdFlags,
  async run(shell, { flags }) {
    const world = createRecordWorld(requireRepo(flags.repo, shell.cwd, shell.env));
    const { bubbleId } = await requirePipeline(world, flags.id);
    const report = buildPipelineReport(await readPipeline(world, bubbleId));
    return { text: report ? renderReport(report) : "", json: report };
  },
});
