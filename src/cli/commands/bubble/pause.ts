// pairflow bubble pause: nothing new is begun until `bubble resume`.
import { pauseBubble } from "../../../app/operate/pause.ts";
import { buildPauseView } from "../../../core/views/bubble/pause.ts";
import { openCall, operatorFlags } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubblePause = defineVerb({
  words: "bubble pause",
  also: ["pause"],
  about: "Begin nothing new until `bubble resume`; clocks stand still, children pause too",
  access: "operator",
  suits: ["RUNNING", "PREPARING_WORKSPACE"],
  example: 'pairflow bubble pause --id fix-cart --message "lunch"',
  flags: {
    ...operatorFlags,
    now: {
      kind: "switch",
      about:
        "also end the running turn; it continues in its session afterwards, and nothing is counted against it",
    },
    message: { kind: "text", value: '"<text>"', about: "why, for the record and the screens" },
  },
  async run(shell, { flags }) {
    const call = await openCall(shell, flags);
    const handled = await pauseBubble(call, { message: flags.message ?? "", now: flags.now });
    if (handled.refusal) return { refusal: handled.refusal };
    const { state } = handled;
    const was = handled.repeats !== undefined;
    const turn = state?.turn?.status === "running" ? `; ${state.turn.agent} may finish its turn` : "";
    return {
      text: `${call.bubble} ${was ? "was paused before" : "is paused"}${turn}; nothing new is begun\nNext: pairflow bubble resume --id ${call.bubble}`,
      json: { bubble: call.bubble, state: state?.lifecycle, paused: state ? buildPauseView(state) : null },
    };
  },
});
