// pairflow bubble waive: a human signs for a gate or a document check that stays red, by name and with a reason.
import { operator } from "../../app/operate/desk.ts";
import { handle } from "../../engine/handle.ts";
import { grantFlags, openGrantingDesk } from "../desk.ts";
import { verb } from "../verb.ts";

export const bubbleWaive = verb({
  words: "bubble waive",
  about: "Waive a gate or a document check by name, with a reason; the package shows it",
  access: "granting",
  example: 'pairflow bubble waive --id cart-prd --gate ambiguity --reason "the figures come with the tender"',
  flags: {
    ...grantFlags,
    gate: { kind: "list", value: "<name>", about: "the gate or check that need not pass", required: true },
    reason: { kind: "text", value: '"<text>"', about: "why, for whoever signs", required: true },
  },
  async run(shell, { flags }) {
    const desk = await openGrantingDesk(shell, flags);
    const { reason, gate: gates } = flags;
    const { refusal } = await handle(desk.world, desk.bubble, {
      type: "waive",
      actor: operator(desk),
      gates,
      reason,
    });
    if (refusal) return { refusal };
    return {
      text: `Waived ${gates.join(", ")}: from the next gate run on it stops nothing`,
      json: { bubble: desk.bubble, waived: gates, reason },
    };
  },
});
