// pairflow bubble stop: final. Turns, gates, driver and panes end; branch and record stay.
import { stop } from "../../app/operate/end.ts";
import { openDesk, operatorFlags } from "../desk.ts";
import { verb } from "../verb.ts";

export const bubbleStop = verb({
  words: "bubble stop",
  about: "End a bubble for good (CANCELLED); its branch and record stay",
  access: "operator",
  flags: { ...operatorFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const desk = await openDesk(shell, flags);
    const handled = await stop(desk, flags.reason ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    return {
      text: `Stopped ${desk.bubble}; branch ${handled.state?.config.bubble_branch} is kept\nNext: pairflow bubble delete --id ${desk.bubble}`,
      json: { bubble: desk.bubble, state: handled.state?.lifecycle },
    };
  },
});
