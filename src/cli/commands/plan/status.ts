// pairflow plan status: how far the execution of a plan is, as a tree.
import { requireRepo } from "../../../app/host/locate.ts";
import { requireSlug } from "../../plan/content.ts";
import { planStatusOf } from "../../plan/status.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const planStatus = defineVerb({
  words: "plan status",
  about: "Show how far the execution of a plan is: phases, tasks, their bubbles and what waits for a person",
  access: "read",
  takes: "<slug>",
  takesName: "plan",
  example: "pairflow plan status add-discounts",
  flags: { repo: bubbleFlags.repo },
  run: (shell, { flags, words }) =>
    planStatusOf(shell, requireRepo(flags.repo, shell.cwd, shell.env), requireSlug("plan status", words)),
});
