// pairflow bubble waive: a human signs for a gate or a document check that stays red, by name and with a reason.
import { decideAndDrive } from "../../../app/operate/driver.ts";
import { grantFlags, openGrantingCall } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleWaive = defineVerb({
  words: "bubble waive",
  also: ["waive"],
  about: "Waive a gate or a document check by name, with a reason; the package shows it",
  access: "granting",
  example: 'pairflow bubble waive --id cart-prd --gate ambiguity --reason "the figures come with the tender"',
  flags: {
    ...grantFlags,
    gate: { kind: "list", value: "<name>", about: "the gate or check that need not pass", required: true },
    reason: { kind: "text", value: '"<text>"', about: "why, for the person who signs", required: true },
  },
  async run(shell, { flags }) {
    const call = await openGrantingCall(shell, flags);
    const { reason, gate: gates } = flags;
    const { refusal } = await decideAndDrive(call, { type: "waive", gates, reason });
    if (refusal) return { refusal };
    return {
      text: `Waived ${gates.join(", ")} of ${call.bubble}: it stops nothing any more, on this tree and on later ones`,
      json: { bubble: call.bubble, waived: gates, reason },
    };
  },
});
