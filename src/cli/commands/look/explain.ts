// pairflow explain: why each round continued or stopped, from the log alone.
import { locateBubble } from "../../../app/host/locate.ts";
import { readEnvelopes } from "../../../app/record/bubble.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Envelope } from "../../../core/model/record/envelope.ts";
import { explain as explainAll } from "../../../core/views/history/explain.ts";
import { loadGood } from "../../../engine/front/command.ts";
import { buildTroubleField, sayTrouble } from "../../render/bubble/trouble.ts";
import { getScreenWidth, toPlainLine, wrap } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const explain = defineVerb({
  words: "explain",
  also: ["why", "bubble explain"],
  about: "Say why each round continued or stopped, from the record alone",
  access: "read",
  example: "pairflow explain --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const told: Envelope[] = [];
    const world = createRecordWorld(repo);
    for await (const envelope of readEnvelopes(world, bubble)) told.push(envelope);
    const { trouble } = await loadGood(world, bubble, true);
    sayTrouble(shell, bubble, trouble);
    const reasons = explainAll(told);
    const text = reasons.map((reason) => wrap(toPlainLine(reason.text), getScreenWidth(), 2)).join("\n");
    return {
      text: text || `Nothing has been decided about ${bubble} yet`,
      json: { bubble, reasons, ...buildTroubleField(trouble) },
    };
  },
});
