// pairflow bubble attach: look into the panes.

import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { attachTo } from "../../screens/attach.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleAttach = defineVerb({
  words: "bubble attach",
  also: ["attach"],
  about: "Attach this terminal to the bubble's panes",
  access: "operator",
  flags: { ...operatorFlags, print: { kind: "switch", about: "only print the tmux command" } },
  async run(shell, { flags }) {
    return attachTo(shell, await openCall(shell, flags), flags.print);
  },
});
