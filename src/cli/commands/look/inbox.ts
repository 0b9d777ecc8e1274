// pairflow inbox: what waits for a person in any bubble of the repository, oldest first.

import { requireRepo } from "../../../app/host/locate.ts";
import { buildInbox, listBubbles } from "../../../app/record/listing.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { renderInbox } from "../../render/overview/inbox.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const inbox = defineVerb({
  words: "inbox",
  about: "Show everything that waits for you, over all bubbles and in the project, oldest first",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    // Loaded here: status bars use the same bundle, and need nothing of a project's knowledge.
    const { addConventionItems: withConventions } = await import("../../../app/world/conventions.ts");
    const items = await withConventions(repo, await buildInbox(world, await listBubbles(world)), shell.env);
    return { text: renderInbox(items, buildLook(shell, world.clock.now())), json: { items } };
  },
});
