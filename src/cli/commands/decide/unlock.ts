// pairflow bubble unlock: a human lets locked artifacts change again, by path and with a reason.
import { submit } from "../../../app/trust/operator-call.ts";
import { grantFlags, openGrantingCall } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleUnlock = defineVerb({
  words: "bubble unlock",
  also: ["unlock"],
  about: "Let locked artifacts change again, by path and with a reason; the record keeps it",
  access: "granting",
  example: 'pairflow bubble unlock --id fix-cart --path docs/design.md --reason "the interface changed"',
  flags: {
    ...grantFlags,
    path: { kind: "list", value: "<path>", about: "the locked artifact", required: true },
    reason: { kind: "text", value: '"<text>"', about: "why it may change", required: true },
  },
  async run(shell, { flags }) {
    const call = await openGrantingCall(shell, flags);
    const { reason, path: paths } = flags;
    const { refusal } = await submit(call, { type: "unlock", paths, reason });
    if (refusal) return { refusal };
    return {
      text: `Unlocked ${paths.join(", ")} of ${call.bubble}: it may change from now on`,
      json: { bubble: call.bubble, unlocked: paths, reason },
    };
  },
});
