// pairflow bubble list: all bubbles of the repository, one line each.

import { requireRepo } from "../../../app/host/locate.ts";
import { listUncommittedPlans } from "../../../app/plans/uncommitted.ts";
import { hasEnded, listBubbles } from "../../../app/record/listing.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { lifecycleStates } from "../../../core/model/state.ts";
import { buildListRow } from "../../render/overview/bubble-row.ts";
import { renderList } from "../../render/overview/list.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleList = defineVerb({
  words: "bubble list",
  also: ["ls", "list", "bubble ls"],
  about: "List the bubbles of this repository",
  access: "read",
  example: "pairflow bubble list --state WAITING_HUMAN",
  flags: {
    repo: bubbleFlags.repo,
    state: { kind: "text", value: "<state>", about: "only bubbles in this state", oneOf: lifecycleStates },
    all: { kind: "switch", about: "also those that have ended" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const everything = await listBubbles(world);
    const wanted = flags.state
      ? everything.filter((bubble) => bubble.summary?.state === flags.state)
      : everything;
    const shown = flags.all || flags.state ? wanted : wanted.filter((bubble) => !hasEnded(bubble));
    const hidden = wanted.length - shown.length;
    const plans = flags.state ? [] : listUncommittedPlans(repo);
    if (shell.json) return { json: { bubbles: shown.map(buildListRow), hidden, uncommitted_plans: plans } };
    return {
      text: renderList(shown, { hidden, plans, state: flags.state }, buildLook(shell, world.clock.now())),
    };
  },
});
