// pairflow pipeline dry-run: whether everything is there that a pipeline needs. Starts nothing and changes nothing.
import { requireRepo } from "../../../app/host/locate.ts";
import { readBoundAgents } from "../../../app/making/agents.ts";
import { checkPipeline } from "../../../app/pipeline/dry-run.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { newBubbleFlags } from "../../new-bubble/flags.ts";
import { renderChecks } from "../../render/pipeline.ts";
import { defineVerb } from "../../verb/declaration.ts";

const notReady = refuse("pipeline.not-ready", "something that a pipeline needs is not there");

export const pipelineDryRun = defineVerb({
  words: "pipeline dry-run",
  about:
    "Check what a pipeline needs: configuration, workflow, prompts, skills, docs, knowledge, agents, final gate",
  access: "read",
  flags: { repo: newBubbleFlags.repo, agent: newBubbleFlags.agent },
  async run(shell, { flags }) {
    const checks = await checkPipeline(
      requireRepo(flags.repo, shell.cwd, shell.env),
      readBoundAgents(flags.agent),
    );
    const isFine = checks.every(({ status }) => status !== "error");
    return {
      ...{ text: renderChecks(checks), json: { ok: isFine, checks } },
      ...(isFine ? {} : { refusal: notReady, isTold: true }),
    };
  },
});
