// pairflow converged: the reviewer's claim that nothing stands between this tree and a human's approval.
import { findSpeaker, submitClaim } from "../../../app/caller/claims.ts";
import { describeClaimed } from "../../screens/claim-result.ts";
import { answerFlags, buildReview, requireSummary, speakerFlags } from "../../verb/agent-flags.ts";
import { refFlag, summaryFlag } from "../../verb/claim-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const converged = defineVerb({
  words: "converged",
  about: "Reviewer: the last clean review; checked against the record before it counts",
  access: "agent",
  example:
    "pairflow converged --summary \"Nothing found\" --checked 'src/cart.ts:41 discount applied before tax'",
  flags: { summary: summaryFlag, ref: refFlag, ...answerFlags, ...speakerFlags },
  async run(shell, { flags }) {
    const speech = findSpeaker(flags, shell.cwd, shell.env);
    const handled = await submitClaim(
      speech,
      { type: "converged", summary: requireSummary(flags), ...buildReview(flags, shell.cwd) },
      flags.ref,
      shell.cwd,
    );
    if (handled.refusal) return { refusal: handled.refusal };
    const { type, seq, text } = describeClaimed(handled);
    return {
      text,
      json: { bubble: speech.located.bubble, type, seq, repeated: handled.repeats !== undefined },
    };
  },
});
