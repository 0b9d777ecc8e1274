// pairflow plan: a committed plan at once, or one that takes the place of another.

import { repoOf } from "../../../app/host/locate.ts";
import { newPlan, openPlans, supersedable, supersede } from "../../../app/plans/plans.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { emptyText } from "../../../core/plan/sections.ts";
import { nearestWord } from "../../../core/text/nearest.ts";
import { committedResult } from "../../plan/committed.ts";
import { contentFlags, documentFor, oneWord } from "../../plan/content.ts";
import { usage } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const plan = verb({
  words: "plan",
  about: "Make a committed plan: from a file, from flags, or in your editor",
  access: "operator",
  takes: "[title]",
  example: 'pairflow plan "Add discounts" --file plan.md',
  flags: {
    repo: bubbleFlags.repo,
    slug: { kind: "text", value: "<slug>", about: "short name of the plan; made from the title if left out" },
    ...contentFlags,
    supersede: {
      kind: "text",
      value: "<slug>",
      about: "take the place of this committed plan, which stays as it is",
    },
  },
  async run(shell, { flags, words }) {
    refuseMistyped(words);
    const title = oneWord("plan", words, 'pairflow plan "Add discounts"')?.trim() || undefined;
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const now = recordWorld(repo).clock.now();
    const slug = flags.slug === undefined ? {} : { slug: flags.slug };
    if (flags.supersede !== undefined) {
      const old = await supersedable(plans, flags.supersede);
      const document = await documentFor(shell, flags, { ...old, title: title ?? old.title }, title);
      return committedResult(shell, repo, await supersede(plans, old.slug, { document, now, ...slug }));
    }
    if (title === undefined && flags.file === undefined) throw noTitle();
    const document = await documentFor(shell, flags, { ...emptyText, title: title ?? "" }, title);
    return committedResult(shell, repo, await newPlan(plans, { document, now, committed: true, ...slug }));
  },
});

/** `plan shwo add-discounts`: two words of which the first is nearly one of its own. */
function refuseMistyped([first = "", slug]: readonly string[]): void {
  const meant = slug === undefined ? undefined : nearestWord(first, ["list", "show", "edit", "status"]);
  if (meant === undefined) return;
  throw usage("usage.unknown-command", `there is no command plan ${first}`, `pairflow plan ${meant} ${slug}`);
}

const noTitle = () =>
  usage("plan.no-title", "a plan needs a title", 'pairflow plan "Add discounts" --file plan.md');
