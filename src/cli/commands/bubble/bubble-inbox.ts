// pairflow bubble inbox: what one bubble wants from a person.
import { locate } from "../../../app/host/locate.ts";
import { readGood } from "../../../app/record/reading.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { inboxView } from "../../../core/views/inbox.ts";
import { renderInbox } from "../../render/inbox.ts";
import { sayTrouble, troubleField } from "../../render/trouble.ts";
import { lookOf } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleInbox = verb({
  words: "bubble inbox",
  about: "Show what a bubble asks of you, and what each answer does",
  access: "read",
  example: "pairflow bubble inbox --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const { state, trouble } = await readGood(world, bubble);
    sayTrouble(shell, bubble, trouble);
    const items = inboxView(state);
    const text = renderInbox(items, lookOf(shell, world.clock.now()));
    return { text, json: { items, ...troubleField(trouble) } };
  },
});
