// pairflow bubble list: all bubbles of the repository, one line each.

import { repoOf } from "../../../app/host/locate.ts";
import { uncommittedPlans } from "../../../app/plans/uncommitted.ts";
import { hasEnded, type ListedBubble, listBubbles } from "../../../app/record/listing.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { lifecycleStates } from "../../../core/model/state.ts";
import { renderList } from "../../render/list.ts";
import { troubleField } from "../../render/trouble.ts";
import { lookOf } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleList = verb({
  words: "bubble list",
  about: "List the bubbles of this repository",
  access: "read",
  example: "pairflow bubble list --state WAITING_HUMAN",
  flags: {
    repo: bubbleFlags.repo,
    state: { kind: "text", value: "<state>", about: "only bubbles in this state", oneOf: lifecycleStates },
    all: { kind: "switch", about: "also those that have ended" },
  },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const everything = await listBubbles(world);
    const wanted = flags.state
      ? everything.filter((bubble) => bubble.summary?.state === flags.state)
      : everything;
    const shown = flags.all || flags.state ? wanted : wanted.filter((bubble) => !hasEnded(bubble));
    const hidden = wanted.length - shown.length;
    const plans = flags.state ? [] : uncommittedPlans(repo);
    if (shell.json) return { json: { bubbles: shown.map(asJson), hidden, uncommitted_plans: plans } };
    return { text: renderList(shown, hidden, plans, lookOf(shell, world.clock.now())) };
  },
});

function asJson({ id, summary, problem, trouble, driven }: ListedBubble) {
  return summary ? { ...summary, driven } : { id, state: null, problem, ...troubleField(trouble) };
}
