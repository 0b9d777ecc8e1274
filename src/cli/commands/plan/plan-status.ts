// pairflow plan status: how far the execution of a plan is, as a tree.
import { repoOf } from "../../../app/host/locate.ts";
import { slugOf } from "../../plan/content.ts";
import { planStatusOf } from "../../plan/status.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const planStatus = verb({
  words: "plan status",
  about: "Show how far the execution of a plan is: phases, tasks, their bubbles and what waits for a person",
  access: "read",
  takes: "<slug>",
  example: "pairflow plan status add-discounts",
  flags: { repo: bubbleFlags.repo },
  run: (shell, { flags, words }) =>
    planStatusOf(shell, repoOf(flags.repo, shell.cwd, shell.env), slugOf("plan status", words)),
});
