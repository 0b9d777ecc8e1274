// pairflow ask-human: one blocking question; the bubble waits for a person.
import { findSpeaker, submitClaim } from "../../../app/caller/claims.ts";
import { speakerFlags } from "../../verb/agent-flags.ts";
import { questionFlags, refFlag } from "../../verb/claim-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const askHuman = defineVerb({
  words: "ask-human",
  about: "Ask the human a question that blocks you; the bubble waits for the answer",
  access: "agent",
  example: 'pairflow ask-human --question "Keep the old /v1 route?"',
  flags: { ...questionFlags, ref: refFlag, ...speakerFlags },
  async run(shell, { flags }) {
    const speech = findSpeaker(flags, shell.cwd, shell.env);
    const options = flags.option.length > 0 ? { options: flags.option } : {};
    const handled = await submitClaim(
      speech,
      { type: "ask-human", question: flags.question, ...options },
      flags.ref,
      shell.cwd,
    );
    if (handled.refusal) return { refusal: handled.refusal };
    const seq =
      handled.repeats ?? handled.envelopes.find((envelope) => envelope.type === "HUMAN_QUESTION")?.seq;
    const isOpen = seq === undefined || handled.open.includes(seq);
    return {
      text: isOpen
        ? `Asked (line ${seq}). Wait for the answer; it will be delivered to you.`
        : `Already asked (line ${seq}) and answered; continue with the answer you were given.`,
      json: {
        bubble: speech.located.bubble,
        type: "HUMAN_QUESTION",
        seq,
        repeated: handled.repeats !== undefined,
        open: isOpen,
      },
    };
  },
});
