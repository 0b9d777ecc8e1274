// pairflow promote: from exploring to a plan that is committed to.

import { requireRepo } from "../../../app/host/locate.ts";
import { openPlans, promote as promotePlan } from "../../../app/plans/change.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { buildCommittedResult } from "../../plan/committed.ts";
import { requireOneWord } from "../../plan/content.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const promote = defineVerb({
  words: "promote",
  about: "Commit to a plan: it is frozen from then on, and tasks are made of it",
  access: "operator",
  takes: "[slug]",
  takesName: "plan",
  example: "pairflow promote add-discounts",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags, words }) {
    const slug = requireOneWord("promote", words, "pairflow promote <slug>");
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    return buildCommittedResult(
      shell,
      repo,
      await promotePlan(openPlans(repo), slug, createRecordWorld(repo).clock.now()),
    );
  },
});
