// pairflow promote: from exploring to a plan that is committed to.

import { repoOf } from "../../../app/host/locate.ts";
import { openPlans, promote as promotePlan } from "../../../app/plans/plans.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { committedResult } from "../../plan/committed.ts";
import { oneWord } from "../../plan/content.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const promote = verb({
  words: "promote",
  about: "Commit to a plan: it is frozen from then on, and tasks are made of it",
  access: "operator",
  takes: "[slug]",
  example: "pairflow promote add-discounts",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags, words }) {
    const slug = oneWord("promote", words, "pairflow promote <slug>");
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    return committedResult(
      shell,
      repo,
      await promotePlan(openPlans(repo), slug, recordWorld(repo).clock.now()),
    );
  },
});
