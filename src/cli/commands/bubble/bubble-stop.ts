// pairflow bubble stop: final. Turns, gates, driver and panes end; its record and the refs with its work stay.
import { stop } from "../../../app/operate/end.ts";
import { describeKeptWork } from "../../../core/state/code.ts";
import { openAnyDesk, operatorFlags } from "../../operator/operator-call.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleStop = verb({
  words: "bubble stop",
  about: "End a bubble for good (CANCELLED); its record and what was handed over stay",
  access: "operator",
  flags: { ...operatorFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const call = await openAnyDesk(shell, flags);
    const handled = await stop(call, flags.reason ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    const wasStopped = handled.envelopes?.length === 0;
    const done = wasStopped ? `${call.bubble} was stopped before` : `Stopped ${call.bubble}`;
    return {
      text: `${done}${handled.state ? `; ${describeKeptWork(handled.state)}` : ""}\nNext: pairflow bubble delete --id ${call.bubble}`,
      json: { bubble: call.bubble, state: handled.state?.lifecycle },
    };
  },
});
