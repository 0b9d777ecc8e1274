// pairflow pipeline cancel: the running pipeline ends at once; its work and its record stay.

import { requireRepo } from "../../../app/host/locate.ts";
import { stopBubble } from "../../../app/operate/end.ts";
import { requirePipeline } from "../../../app/pipeline/current.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { describeKeptWork } from "../../../core/state/code-tree.ts";
import { openCall } from "../../operator/operator-call.ts";
import { getScreenWidth, wrap } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { pipelineIdFlags } from "./status.ts";

export const pipelineCancel = defineVerb({
  words: "pipeline cancel",
  about: "Cancel the pipeline: its turns and tests end; its work and its record stay",
  access: "operator",
  flags: { ...pipelineIdFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const { bubbleId } = await requirePipeline(createRecordWorld(repo), flags.id);
    const handled = await stopBubble(
      await openCall(shell, { id: bubbleId, repo }),
      flags.reason?.trim() ?? "",
    );
    if (handled.refusal) return { refusal: handled.refusal };
    const kept = handled.state ? `; ${describeKeptWork(handled.state)}` : "";
    return {
      text: `${wrap(`Cancelled ${bubbleId}${kept}`, getScreenWidth(), 2)}\nNext: pairflow pipeline recover   starts again from what was approved`,
      json: { bubble: bubbleId, state: handled.state?.lifecycle },
    };
  },
});
