// pairflow bubble drive: the driver itself, as the status pane and the background driver run it.
import { isFinal } from "../../../core/bubble/lifecycle.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { drivePane } from "../../screens/drive-here.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleDrive = defineVerb({
  words: "bubble drive",
  about: "Drive a bubble and show its status; started by bubble start and by tmux",
  access: "operator",
  suits: "named",
  hidden: true,
  flags: {
    ...operatorFlags,
    seat: { kind: "text", about: "where turns run", oneOf: ["tmux", "process"] },
    leave: {
      kind: "switch",
      about: "leave when a human must act; the next operator command starts a driver again",
    },
  },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags, flags.seat);
    const state = await drivePane(call, { leave: flags.leave, screen: Boolean(process.stdout.isTTY) });
    // The panes go when the bubble has ended, not when a driver leaves: living turns are adopted by the next one.
    if (isFinal(state.lifecycle)) await call.world.seats.close(call.bubble);
    return {};
  },
});
