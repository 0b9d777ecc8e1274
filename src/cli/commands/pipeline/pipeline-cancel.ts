// pairflow pipeline cancel: the running pipeline ends at once; its work and its record stay.
import { repoOf } from "../../../app/host/locate.ts";
import { stop } from "../../../app/operate/end.ts";
import { thePipeline } from "../../../app/pipeline/current.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { describeKeptWork } from "../../../core/state/code.ts";
import { openCall } from "../../operator/operator-call.ts";
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
      text: `Cancelled ${bubbleId}${kept}\nNext: pairflow pipeline recover   begins a new run from what was approved and made`,
      json: { bubble: bubbleId, state: handled.state?.lifecycle },
    };
  },
});
