// pairflow pipeline dry-run: is everything there that a pipeline stands on? Starts nothing and changes nothing.
import { repoOf } from "../../../app/host/locate.ts";
import { pipelineChecks } from "../../../app/pipeline/dry-run.ts";
import { boundByFlags } from "../../../app/workflows/run.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { renderChecks } from "../../render/pipeline.ts";
import { verb } from "../../verb/verb.ts";

export const pipelineDryRun = verb({
  words: "pipeline dry-run",
  about:
    "Check what a pipeline needs: configuration, workflow, prompts, skills, docs, knowledge, agents, final gate",
  access: "read",
  flags: { repo: newBubbleFlags.repo, agent: newBubbleFlags.agent },
  async run(shell, { flags }) {
    const checks = await pipelineChecks(repoOf(flags.repo, shell.cwd, shell.env), boundByFlags(flags.agent));
    const isFine = checks.every(({ status }) => status !== "error");
    return { text: renderChecks(checks), json: { ok: isFine, checks }, exitCode: isFine ? 0 : 1 };
  },
});
