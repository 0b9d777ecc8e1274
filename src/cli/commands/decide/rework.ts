// pairflow bubble request-rework: the human sends the result back.
import { decideAndDrive } from "../../../app/operate/driver.ts";
import { describeKeptDecision } from "../../../core/views/bubble/pause.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleRework = defineVerb({
  words: "bubble request-rework",
  also: ["request-rework", "rework", "bubble rework"],
  about: "Send the result back to the implementer with your words",
  access: "operator",
  suits: ["READY_FOR_APPROVAL"],
  example: 'pairflow bubble request-rework --id fix-cart --message "Also cover empty carts"',
  flags: {
    ...operatorFlags,
    message: { kind: "text", value: '"<text>"', about: "what must change", required: true },
    reject: { kind: "switch", about: "the approach is wrong, not only a detail" },
  },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const handled = await decideAndDrive(call, {
      type: "request-rework",
      message: flags.message,
      reject: flags.reject,
    });
    if (handled.refusal) return { refusal: handled.refusal };
    return {
      text: `Sent back. ${call.bubble} is ${handled.state?.lifecycle}, round ${handled.state?.round}${describeKeptDecision(handled.state)}`,
      json: { bubble: call.bubble, state: handled.state?.lifecycle, round: handled.state?.round },
    };
  },
});
