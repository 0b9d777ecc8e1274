// pairflow pipeline reset: back to idle. What runs is cancelled, and the record is put into the archive, where it stays
// readable under its id.
import { requireRepo } from "../../../app/host/locate.ts";
import { stopBubble } from "../../../app/operate/end.ts";
import { archive, archiveEnded, findPipeline, runAlone } from "../../../app/pipeline/current.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { isFinal } from "../../../core/bubble/lifecycle.ts";
import { openCall } from "../../operator/operator-call.ts";
import { formatCount } from "../../render/table.ts";
import { type CommandResult, defineVerb, type Shell } from "../../verb/declaration.ts";
import { pipelineIdFlags } from "./status.ts";

export const pipelineReset = defineVerb({
  words: "pipeline reset",
  about: "Back to idle: cancels the pipeline if it runs, and archives it; nothing is lost",
  access: "operator",
  flags: pipelineIdFlags,
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    return runAlone(repo, () => reset(shell, repo, flags.id));
  },
});

async function reset(shell: Shell, repo: string, id: string | undefined): Promise<CommandResult> {
  const world = createRecordWorld(repo);
  const state = await findPipeline(world, id);
  if (!state) return { text: "The pipeline is idle already", json: { state: "idle", archived: null } };
  const { bubbleId } = state;
  if (!isFinal(state.lifecycle)) {
    const { refusal } = await stopBubble(
      await openCall(shell, { id: bubbleId, repo }),
      "the pipeline was reset",
    );
    if (refusal) return { refusal };
  }
  await archive(world, bubbleId);
  // An old one that has failed would be the pipeline again; who names one means that one alone.
  const earlier = id === undefined ? await archiveEnded(world) : 0;
  const left = await findPipeline(world);
  const next = left
    ? `${left.bubbleId} is the pipeline now; it is ${left.lifecycle}`
    : "The pipeline is idle";
  return {
    text: [
      `Archived ${bubbleId}: pairflow pipeline status --id ${bubbleId} still shows it`,
      ...(earlier > 0
        ? [`Archived ${formatCount(earlier, "earlier pipeline")} that ${earlier === 1 ? "was" : "were"} over`]
        : []),
      next,
    ].join("\n"),
    json: { state: left ? undefined : "idle", archived: bubbleId, current: left?.bubbleId ?? null },
  };
}
