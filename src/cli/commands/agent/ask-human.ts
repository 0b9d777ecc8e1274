// pairflow ask-human: one blocking question; the bubble waits for a person.
import { claim, speakerFrom } from "../../../app/caller/claims.ts";
import { speakerFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const askHuman = verb({
  words: "ask-human",
  about: "Ask the human a question that blocks you; the bubble waits for the answer",
  access: "agent",
  example: 'pairflow ask-human --question "Keep the old /v1 route?"',
  flags: {
    question: { kind: "text", value: '"<text>"', about: "the question", required: true },
    option: { kind: "list", value: "<answer>", about: "an answer to choose from" },
    ref: { kind: "list", value: "<path>", about: "a file this question points to" },
    ...speakerFlags,
  },
  async run(shell, { flags }) {
    const speech = speakerFrom(flags, shell.cwd, shell.env);
    const options = flags.option.length > 0 ? { options: flags.option } : {};
    const handled = await claim(
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
