// pairflow bubble reply: a human's answer to an open question.

import { decideAndDrive } from "../../../app/operate/driver.ts";
import { stateOf } from "../../../app/trust/operator-call.ts";
import { keptWords } from "../../../core/views/pause.ts";
import { grantFlags, openCall, openGrantingDesk } from "../../operator/operator-call.ts";
import { type Shell, verb } from "../../verb/verb.ts";

/** Answers that sign something away need the same door as an approval. */
const granting = ["accept", "waive", "trust", "understood"];
/** So do the signature of a task or user story, commands that Pairflow shall run itself, and the network for a gate. */
const grantingAnswers: Readonly<Record<string, string>> = {
  "sign-off": "approve",
  commands: "allow",
  "base-gates": "network",
};

/** An agent's own question may have options of the same names: those grant nothing. What is not offered is refused anyway. */
async function grants(shell: Shell, flags: ReplyFlags): Promise<boolean> {
  const { choose } = flags;
  if (choose === undefined) return false;
  const { questions } = await stateOf(await openCall(shell, flags));
  const asked =
    flags.question === undefined ? questions : questions.filter(({ id }) => id === flags.question);
  return asked.some(
    ({ kind, options = [] }) =>
      kind !== "agent" &&
      options.some(({ key }) => key === choose) &&
      (granting.includes(choose) || grantingAnswers[kind] === choose),
  );
}

type ReplyFlags = Parameters<typeof openCall>[1] & { readonly choose?: string; readonly question?: string };

export const bubbleReply = verb({
  words: "bubble reply",
  about: "Answer a question: words for an agent, or a choice where the referee asks",
  access: "operator",
  example: 'pairflow bubble reply --id fix-cart --message "Keep it until 2.0"',
  flags: {
    ...grantFlags,
    message: {
      kind: "text",
      value: '"<text>"',
      about: "your answer; with a choice, the reason or the notes",
    },
    question: { kind: "text", value: "q<seq>", about: "which question; the oldest if left out" },
    choose: { kind: "text", value: "<option>", about: "one of the options the question names" },
    rounds: { kind: "number", value: "N", about: "with --choose continue: grant N more rounds" },
    finding: { kind: "list", value: "ID", about: "with --choose accept or waive: only these findings" },
    "waive-gate": {
      kind: "list",
      value: "<name>",
      about: "with --choose accept: this gate is red and you accept that",
    },
  },
  async run(shell, { flags }) {
    const isGranting = await grants(shell, flags);
    const call = isGranting ? await openGrantingDesk(shell, flags) : await openCall(shell, flags);
    const handled = await decideAndDrive(call, {
      type: "reply",
      message: flags.message ?? "",
      ...(flags.question ? { question: flags.question } : {}),
      ...(flags.choose ? { choice: flags.choose } : {}),
      ...(flags.rounds !== undefined ? { rounds: flags.rounds } : {}),
      ...(flags.finding.length > 0 ? { findings: flags.finding } : {}),
      ...(flags["waive-gate"].length > 0 ? { waiveGates: flags["waive-gate"] } : {}),
    });
    if (handled.refusal) return { refusal: handled.refusal };
    return {
      text: `Answered. ${call.bubble} is ${handled.state?.lifecycle}${keptWords(handled.state)}`,
      json: { bubble: call.bubble, state: handled.state?.lifecycle },
    };
  },
});
