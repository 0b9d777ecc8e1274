// Files beside the record, and the trail of reviews behind them.
export { readPipeline, writePipelineViews } from "../views/pipeline.ts";
export { readReviewTrail, writeReviewViews } from "../views/reviews.ts";
