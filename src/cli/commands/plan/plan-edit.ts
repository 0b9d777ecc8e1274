// pairflow plan edit: changes an uncommitted plan, and settles what was edited by hand.
import { repoOf } from "../../../app/host/locate.ts";
import { openPlans } from "../../../app/plans/plans.ts";
import { readPlanMarkdown } from "../../../app/plans/reader.ts";
import { readGiven } from "../../../app/plans/tasks.ts";
import { slugOf, withSettings } from "../../plan/content.ts";
import { edited, editPlan } from "../../plan/edit.ts";
import { usage } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const planEdit = verb({
  words: "plan edit",
  about: "Change an uncommitted plan, or settle what was edited by hand",
  access: "operator",
  takes: "<slug>",
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
    const slug = slugOf("plan edit", words);
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const { file, set, use } = flags;
    const ways = [file !== undefined, set.length > 0, use !== undefined, flags["put-back"]].filter(Boolean);
    if (ways.length > 1)
      throw usage(
        "plan.two-ways",
        "--set, --file, --use and --put-back are different ways to edit; give one of them",
        "pairflow plan edit --help",
      );
    if (use !== undefined) return edited(await openPlans(repo).take(slug, use as "md" | "json"));
    if (flags["put-back"]) {
      const what = "plan.json and plan.md are as they were when they last agreed";
      return edited(await openPlans(repo).putBack(slug), what);
    }
    if (set.length > 0) return editPlan(shell, repo, slug, (document) => withSettings(document, set));
    if (file === undefined) return editPlan(shell, repo, slug);
    const given = readPlanMarkdown(readGiven(file, shell.cwd), file);
    return editPlan(shell, repo, slug, () => given);
  },
});
