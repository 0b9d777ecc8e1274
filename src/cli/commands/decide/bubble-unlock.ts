// pairflow bubble unlock: a human lets locked artifacts change again, by path and with a reason.
import { operator } from "../../../app/trust/operator-call.ts";
import { handle } from "../../../engine/handle/handle.ts";
import { grantFlags, openGrantingDesk } from "../../operator/operator-call.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleUnlock = verb({
  words: "bubble unlock",
  about: "Let locked artifacts change again, by path and with a reason; the record keeps it",
  access: "granting",
  example: 'pairflow bubble unlock --id fix-cart --path docs/design.md --reason "the interface changed"',
  flags: {
    ...grantFlags,
    path: { kind: "list", value: "<path>", about: "the locked artifact", required: true },
    reason: { kind: "text", value: '"<text>"', about: "why it may change", required: true },
  },
  async run(shell, { flags }) {
    const call = await openGrantingDesk(shell, flags);
    const { reason, path: paths } = flags;
    const { refusal } = await handle(call.world, call.bubble, {
      type: "unlock",
      actor: operator(call),
      paths,
      reason,
    });
    if (refusal) return { refusal };
    return {
      text: `Unlocked ${paths.join(", ")}: it may change from now on`,
      json: { bubble: call.bubble, unlocked: paths, reason },
    };
  },
});
