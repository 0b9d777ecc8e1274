// pairflow bubble stop: final. Turns, gates, driver and panes end; its record and the refs with its work stay.
import { stopBubble } from "../../../app/operate/end.ts";
import { describeKeptWork } from "../../../core/state/code-tree.ts";
import { openAnyCall, operatorFlags } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleStop = defineVerb({
  words: "bubble stop",
  also: ["stop", "cancel", "bubble cancel"],
  about: "End a bubble for good (CANCELLED); its record and what was handed over stay",
  access: "operator",
  flags: { ...operatorFlags, reason: { kind: "text", value: '"<text>"', about: "why, for the record" } },
  async run(shell, { flags }) {
    const call = await openAnyCall(shell, flags);
    const handled = await stopBubble(call, flags.reason ?? "");
    if (handled.refusal) return { refusal: handled.refusal };
    const wasStopped = handled.envelopes?.length === 0;
    const done = wasStopped ? `${call.bubble} was stopped before` : `Stopped ${call.bubble}`;
    return {
      text: `${done}${handled.state ? `; ${describeKeptWork(handled.state)}` : ""}\nNext: pairflow bubble delete --id ${call.bubble}`,
      json: { bubble: call.bubble, state: handled.state?.lifecycle },
    };
  },
});
