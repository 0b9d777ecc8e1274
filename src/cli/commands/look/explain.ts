// pairflow explain: why each round continued or stopped, from the log alone.
import { locate } from "../../../app/host/locate.ts";
import { envelopesOf } from "../../../app/record/reading.ts";
import { recordWorld } from "../../../app/record/world.ts";
import type { Envelope } from "../../../core/model/envelope.ts";
import { explain as explainAll } from "../../../core/views/explain.ts";
import { loadGood } from "../../../engine/handle/handle.ts";
import { sayTrouble, troubleField } from "../../render/trouble.ts";
import { plain, screenWidth, wrap } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const explain = verb({
  words: "explain",
  about: "Say why each round continued or stopped, from the record alone",
  access: "read",
  example: "pairflow explain --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const told: Envelope[] = [];
    const world = recordWorld(repo);
    for await (const envelope of envelopesOf(world, bubble)) told.push(envelope);
    const { trouble } = await loadGood(world, bubble, true);
    sayTrouble(shell, bubble, trouble);
    const reasons = explainAll(told);
    const text = reasons.map((reason) => wrap(plain(reason.text), screenWidth(), 2)).join("\n");
    return {
      text: text || `Nothing has been decided about ${bubble} yet`,
      json: { bubble, reasons, ...troubleField(trouble) },
    };
  },
});
