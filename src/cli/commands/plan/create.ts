// pairflow plan: a committed plan at once, or one that takes the place of another.

import { requireRepo } from "../../../app/host/locate.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { createPlan, openPlans, requireSupersedable, supersede } from "../../../app/plans/change.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { emptyText } from "../../../core/plan/sections.ts";
import { findNearestWord } from "../../../core/text/nearest.ts";
import { buildCommittedResult } from "../../plan/committed.ts";
import { contentFlags, requireDocument, requireOneWord } from "../../plan/content.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const plan = defineVerb({
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
    const title = requireOneWord("plan", words, 'pairflow plan "Add discounts"')?.trim() || undefined;
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const plans = openPlans(repo);
    const now = createRecordWorld(repo).clock.now();
    const slug = flags.slug === undefined ? {} : { slug: flags.slug };
    if (flags.supersede !== undefined) {
      const old = await requireSupersedable(plans, flags.supersede);
      const document = await requireDocument(shell, flags, { ...old, title: title ?? old.title }, title);
      return buildCommittedResult(shell, repo, await supersede(plans, old.slug, { document, now, ...slug }));
    }
    if (title === undefined && flags.file === undefined) throw refuseNoTitle();
    const document = await requireDocument(shell, flags, { ...emptyText, title: title ?? "" }, title);
    return buildCommittedResult(
      shell,
      repo,
      await createPlan(plans, { document, now, committed: true, ...slug }),
    );
  },
});

/** `plan shwo add-discounts`: two words of which the first is nearly one of its own. */
function refuseMistyped([first = "", slug]: readonly string[]): void {
  const meant = slug === undefined ? undefined : findNearestWord(first, ["list", "show", "edit", "status"]);
  if (meant === undefined) return;
  throw buildUsageError(
    "usage.unknown-command",
    `there is no command plan ${first}`,
    `pairflow plan ${meant} ${slug}`,
  );
}

const refuseNoTitle = () =>
  buildUsageError("plan.no-title", "a plan needs a title", 'pairflow plan "Add discounts" --file plan.md');
