// pairflow converged: the reviewer's claim that nothing stands between this tree and a human's approval.
import { claim, speakerFrom } from "../../../app/caller/claims.ts";
import { claimed } from "../../screens/claimed.ts";
import { answerFlags, reviewOf, speakerFlags, summaryOf } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const converged = verb({
  words: "converged",
  about: "Reviewer: the last clean review; checked against the record before it counts",
  access: "agent",
  example:
    "pairflow converged --summary \"Nothing found\" --checked 'src/cart.ts:41 discount applied before tax'",
  flags: {
    summary: { kind: "text", value: '"<text>"', about: "why this is ready" },
    ref: { kind: "list", value: "<path>", about: "a file this message points to" },
    ...answerFlags,
    ...speakerFlags,
  },
  async run(shell, { flags }) {
    const speech = speakerFrom(flags, shell.cwd, shell.env);
    const handled = await claim(
      speech,
      { type: "converged", summary: summaryOf(flags), ...reviewOf(flags, shell.cwd) },
      flags.ref,
      shell.cwd,
    );
    if (handled.refusal) return { refusal: handled.refusal };
    const { type, seq, text } = claimed(handled);
    return {
      text,
      json: { bubble: speech.located.bubble, type, seq, repeated: handled.repeats !== undefined },
    };
  },
});
