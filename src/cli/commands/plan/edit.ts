// pairflow plan edit: changes an uncommitted plan, and settles what was edited by hand.

import { readPlanMarkdown } from "../../../app/files/plan.ts";
import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { openPlans } from "../../../app/plans/change.ts";
import { readGiven } from "../../../app/plans/tasks.ts";
import { applySettings, requireSlug } from "../../plan/content.ts";
import { buildEditedResult, editPlan } from "../../plan/edit.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const planEdit = defineVerb({
  words: "plan edit",
  about: "Change an uncommitted plan, or settle what was edited by hand",
  access: "operator",
  takes: "<slug>",
  takesName: "plan",
  example: 'pairflow plan edit add-discounts --set mission="Customers get discounts"',
  flags: {
    repo: bubbleFlags.repo,
    set: {
      kind: "list",
      value: "<part>=<text>",
      about: "title, situation, mission, execution, coordination, in, out, do_not_touch",
    },
    file: { kind: "text", value: "<plan.md>", about: "the whole plan as Markdown" },
    use: {
      kind: "text",
      value: "md|json",
      about: "after two edits: the file that counts",
      oneOf: ["md", "json"],
    },
    "put-back": { kind: "switch", about: "undo what was edited by hand in plan.json and plan.md" },
  },
  async run(shell, { flags, words }) {
    const slug = requireSlug("plan edit", words);
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const { file, set, use } = flags;
    const ways = [file !== undefined, set.length > 0, use !== undefined, flags["put-back"]].filter(Boolean);
    if (ways.length > 1)
      throw buildUsageError(
        "plan.two-ways",
        "--set, --file, --use and --put-back are different ways to edit; give one of them",
        "pairflow plan edit --help",
      );
    if (use !== undefined) return buildEditedResult(await openPlans(repo).take(slug, use as "md" | "json"));
    if (flags["put-back"]) {
      const what = "plan.json and plan.md are as they were when they last agreed";
      return buildEditedResult(await openPlans(repo).putBack(slug), what);
    }
    if (set.length > 0) return editPlan(shell, repo, slug, (document) => applySettings(document, set));
    if (file === undefined) return editPlan(shell, repo, slug);
    const given = readPlanMarkdown(readGiven(file, shell.cwd), file);
    return editPlan(shell, repo, slug, () => given);
  },
});
