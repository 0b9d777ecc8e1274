// pairflow inbox: what waits for a person in any bubble of the repository, oldest first.

import { repoOf } from "../../../app/host/locate.ts";
import { listBubbles, wholeInbox } from "../../../app/record/listing.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { renderInbox } from "../../render/inbox.ts";
import { lookOf } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const inbox = verb({
  words: "inbox",
  about: "Show everything that waits for you, over all bubbles and in the project, oldest first",
  access: "read",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const world = recordWorld(repo);
    // Loaded here: status bars use the same bundle, and need nothing of a project's knowledge.
    const { withConventions } = await import("../../../app/world/conventions.ts");
    const items = await withConventions(repo, await wholeInbox(world, await listBubbles(world)), shell.env);
    return { text: renderInbox(items, lookOf(shell, world.clock.now())), json: { items } };
  },
});
