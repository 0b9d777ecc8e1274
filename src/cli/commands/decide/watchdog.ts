// pairflow bubble watchdog: the time check by hand, for cron or when nobody drives.

import { checkTimeLimits } from "../../../app/operate/watchdog.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleWatchdog = defineVerb({
  words: "bubble watchdog",
  also: ["watchdog"],
  about: "Check the running turn's time limits now and ask a human if one has passed",
  access: "operator",
  suits: ["RUNNING"],
  flags: operatorFlags,
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const { idle, refusal, state } = await checkTimeLimits(call);
    if (idle)
      return { text: idle.message, json: { bubble: call.bubble, escalated: false, why: idle.message } };
    if (refusal) return { refusal };
    const question = state?.questions.at(-1);
    return {
      text: `Escalated: ${question?.text ?? ""}`,
      json: { bubble: call.bubble, escalated: true, question: question?.id },
    };
  },
});
