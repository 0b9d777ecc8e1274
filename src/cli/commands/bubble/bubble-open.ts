// pairflow bubble open: the worktree in an editor.
import { openWorktree } from "../../../app/operate/open.ts";
import { openDesk, operatorFlags } from "../../operator/desk.ts";
import { yesFlag } from "../../operator/trust.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleOpen = verb({
  words: "bubble open",
  about: "Open the bubble's worktree with open_command of its bubble.toml",
  access: "operator",
  flags: { ...operatorFlags, ...yesFlag, print: { kind: "switch", about: "only print the command" } },
  async run(shell, { flags }) {
    const desk = await openDesk(shell, flags);
    const opened = await openWorktree(desk, flags.print);
    return { text: opened.command, json: opened };
  },
});
