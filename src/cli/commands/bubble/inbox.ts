// pairflow bubble inbox: what one bubble wants from a person.
import { locateBubble } from "../../../app/host/locate.ts";
import { readGood } from "../../../app/record/bubble.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { buildInboxView } from "../../../core/views/bubble/inbox.ts";
import { buildTroubleField, sayTrouble } from "../../render/bubble/trouble.ts";
import { renderInbox } from "../../render/overview/inbox.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleInbox = defineVerb({
  words: "bubble inbox",
  about: "Show what a bubble asks of you, and what each answer does",
  access: "read",
  example: "pairflow bubble inbox --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const { state, trouble } = await readGood(world, bubble);
    sayTrouble(shell, bubble, trouble);
    const items = buildInboxView(state);
    const text = renderInbox(items, buildLook(shell, world.clock.now()));
    return { text, json: { items, ...buildTroubleField(trouble) } };
  },
});
