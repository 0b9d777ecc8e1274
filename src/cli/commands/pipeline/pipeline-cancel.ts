// pairflow pipeline cancel: the running pipeline ends at once; its work and its record stay.

import { repoOf } from "../../../app/host/locate.ts";
import { stop } from "../../../app/operate/end.ts";
import { thePipeline } from "../../../app/pipeline/current.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { describeKeptWork } from "../../../core/state/code.ts";
import { openCall } from "../../operator/operator-call.ts";
import { screenWidth, wrap } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";
import { pipelineIdFlags } from "./pipeline-status.ts";

export const pipelineCancel = verb({
  words: "pipeline cancel",
  about: "Cancel the pipeline: its turns and tests end; its work and its record stay",
  access: "operator",
  flags: { ...pipelineIdFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const { bubbleId } = await thePipeline(recordWorld(repo), flags.id);
    const handled = await stop(await openCall(shell, { id: bubbleId, repo }), flags.reason?.trim() ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    const kept = handled.state ? `; ${describeKeptWork(handled.state)}` : "";
    return {
      text: `${wrap(`Cancelled ${bubbleId}${kept}`, screenWidth(), 2)}\nNext: pairflow pipeline recover   starts again from what was approved`,
      json: { bubble: bubbleId, state: handled.state?.lifecycle },
    };
  },
});
