// pairflow bubble list: all bubbles of the repository, one line each.

import { requireRepo } from "../../../app/host/locate.ts";
import { listUncommittedPlans } from "../../../app/plans/uncommitted.ts";
import { hasEnded, listBubbles } from "../../../app/record/listing.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { lifecycleStates } from "../../../core/model/state.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { buildListRow } from "../../render/overview/bubble-row.ts";
import { listListRows, renderList } from "../../render/overview/list.ts";
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
    watch: { kind: "switch", about: "stay: move, look, reply, approve and attach by keys, until q" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const { clock } = world;
    if (flags.watch) {
      const { showUntilLeft } = await import("../../screens/live.ts");
      return showUntilLeft(shell, { repo, clock }, async (look) => {
        const { shown, about } = await readShown(world, repo, flags);
        return listListRows(shown, about, look);
      });
    }
    const { shown, about } = await readShown(world, repo, flags);
    const { hidden, plans } = about;
    if (shell.json) return { json: { bubbles: shown.map(buildListRow), hidden, uncommitted_plans: plans } };
    return { text: renderList(shown, about, buildLook(shell, clock.now())) };
  },
});

interface Wanted {
  readonly state?: string | undefined;
  readonly all: boolean;
}

async function readShown(world: RecordWorld, repo: string, { state, all }: Wanted) {
  const everything = await listBubbles(world);
  const wanted = state ? everything.filter((bubble) => bubble.summary?.state === state) : everything;
  const shown = all || state ? wanted : wanted.filter((bubble) => !hasEnded(bubble));
  const plans = state ? [] : listUncommittedPlans(repo);
  return { shown, about: { hidden: wanted.length - shown.length, plans, state } };
}
