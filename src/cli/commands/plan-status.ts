// pairflow plan status: how far the execution of a plan is, as a tree.
import { repoOf } from "../../app/locate.ts";
import { slugOf } from "../plan/content.ts";
import { planStatusOf } from "../plan/status.ts";
import { bubbleFlags } from "../spoken-flags.ts";
import { verb } from "../verb.ts";

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
