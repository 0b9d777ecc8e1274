// pairflow bubble open: the worktree in an editor.
import { openWorktree } from "../../../app/operate/open.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { yesFlag } from "../../operator/trust.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleOpen = defineVerb({
  words: "bubble open",
  also: ["open"],
  about: "Open the bubble's worktree with open_command of its bubble.toml",
  access: "operator",
  flags: { ...operatorFlags, ...yesFlag, print: { kind: "switch", about: "only print the command" } },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const opened = await openWorktree(call, flags.print);
    return { text: opened.command, json: opened };
  },
});
