// pairflow inbox: what waits for a person in any bubble of the repository, oldest first.

import { requireRepo } from "../../../app/host/locate.ts";
import { buildInbox, listBubbles } from "../../../app/record/listing.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { listInboxRows, renderInbox } from "../../render/overview/inbox.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";

export const inbox = defineVerb({
  words: "inbox",
  about: "Show everything that waits for you, over all bubbles and in the project, oldest first",
  access: "read",
  flags: {
    repo: bubbleFlags.repo,
    watch: { kind: "switch", about: "stay: move, look, reply, approve and attach by keys, until q" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const { clock } = world;
    if (flags.watch) {
      const { showUntilLeft } = await import("../../screens/live.ts");
      return showUntilLeft(shell, { repo, clock }, async (look) =>
        listInboxRows(await readItems(world, repo, shell), look),
      );
    }
    const items = await readItems(world, repo, shell);
    return { text: renderInbox(items, buildLook(shell, clock.now())), json: { items } };
  },
});

async function readItems(world: RecordWorld, repo: string, shell: Shell) {
  // Loaded here: status bars use the same bundle, and need nothing of a project's knowledge.
  const { addConventionItems: withConventions } = await import("../../../app/world/conventions.ts");
  return withConventions(repo, await buildInbox(world, await listBubbles(world)), shell.env);
}
